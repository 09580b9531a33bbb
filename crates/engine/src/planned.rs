//! A request for a job, read once: where it starts, the plan it runs by, and what lets it in.

use crate::dto::AuditRequest;
use crate::error::EngineError;
use crate::logins::{self, Admission};
use crate::seams::Engine;
use crate::{said, secrets, settings};
use model::address::read_seed;
use model::plan::Mode;
use model::settings::Start;
use model::{Address, Job, Plan, Secret, Seed};
use std::collections::BTreeSet;

/// A request that can be carried out.
pub(crate) struct Planned {
    pub(crate) plan: Plan,
    /// As of [`Starts`].
    pub(crate) seeds: Vec<Seed>,
    pub(crate) skipped: Vec<String>,
}

impl Engine {
    /// Reads everything that a request says, once.
    pub(crate) fn planned(
        &self,
        job: Job,
        request: &AuditRequest,
        admission: &Admission,
    ) -> Result<Planned, EngineError> {
        let Starts { mut start, seeds, credentials, skipped } = starts(request)?;
        start.job = job;
        if job == Job::Check && !(credentials.is_empty() && request.credentials.is_empty()) {
            return Err(EngineError::Usage(
                "a check reads what everybody can read: leave user names, passwords and other credentials out".to_owned(),
            ));
        }
        let origins = start.seeds.iter().map(Address::origin).collect();
        // What the project says of thresholds wins over the profile, and what is said for this run over both.
        let mut overrides = said::of_project(&request.project);
        overrides.extend_from_slice(&request.overrides);
        let mut plan = settings::plan(start, request.profile.as_deref(), &overrides)?;
        // The keychain may ask a person, which is for nothing where the settings are wrong.
        plan.secrets = self.credentials(job, credentials, admission, &origins)?;
        check_proxies(&plan)?;
        Ok(Planned { plan, seeds, skipped })
    }

    /// Everything that lets a crawl in: what the addresses carried, what was given for this run, and for an origin of which
    /// neither says anything, what the keychain has. Only an Audit logs in.
    pub(crate) fn credentials(
        &self,
        job: Job,
        mut carried: Vec<Secret>,
        admission: &Admission,
        origins: &BTreeSet<String>,
    ) -> Result<Vec<Secret>, EngineError> {
        if job != Job::Audit {
            return Ok(Vec::new());
        }
        let given = match admission {
            Admission::SignedOut => return Ok(carried),
            Admission::Given(credentials) => credentials,
            Admission::For { origin, credentials } => {
                secrets::refuse_elsewhere(origin, origins)?;
                credentials
            }
        };
        carried.extend(secrets::bind(given, origins)?);
        logins::refuse_contradictions(&carried)?;
        // A list of many sites has no start address whose credentials were meant.
        if let (Some(origin), 1) = (origins.first(), origins.len())
            && !carried.iter().any(|secret| secret.origin == *origin)
        {
            carried.extend(self.secrets().of(origin)?);
        }
        Ok(carried)
    }
}

/// Where a request starts.
pub(crate) struct Starts {
    pub(crate) start: Start,
    /// Without credentials.
    seeds: Vec<Seed>,
    /// What the addresses carried.
    credentials: Vec<Secret>,
    /// What is wrong with the lines of a list that are no addresses.
    skipped: Vec<String>,
}

/// The addresses of a request; all wrong ones are named at once.
pub(crate) fn starts(request: &AuditRequest) -> Result<Starts, EngineError> {
    let (typed, mode) = match &request.list {
        Some(list) => (list, Mode::List),
        None => (&request.seeds, Mode::Site),
    };
    let mut seeds = Vec::with_capacity(typed.len());
    let mut credentials = Vec::new();
    let mut skipped = Vec::new();
    for text in typed {
        match read_seed(text) {
            Ok(mut seed) => {
                credentials.extend(Secret::of_address(&seed.address));
                seed.address = seed.address.without_credentials().0;
                seeds.push(seed);
            }
            Err(error) => skipped.push(error.to_string()),
        }
    }
    // A list may hold a few bad lines among thousands; an address that was typed may not.
    if !skipped.is_empty() && (mode == Mode::Site || seeds.is_empty()) {
        skipped.truncate(20);
        return Err(EngineError::Usage(skipped.join("\n")));
    }
    if seeds.is_empty() {
        return Err(EngineError::Usage("no address was given to start at".to_owned()));
    }
    let addresses = seeds.iter().map(|seed| seed.address.clone()).collect();
    Ok(Starts { start: Start { seeds: addresses, mode, ..Start::default() }, seeds, credentials, skipped })
}

/// Refuses a proxy that the environment names and nobody can use, before anything is begun.
pub(crate) fn check_proxies(plan: &Plan) -> Result<(), EngineError> {
    fetch::check_proxy_variables(&plan.http.proxy)
        .map_err(|fault| EngineError::CannotStart(fault.to_string()))
}
