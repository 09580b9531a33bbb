//! What lets a run in, as the window gives it: for one run, or kept in the keychain. Values come in and never go out.

use super::refusal::ApiError;
use super::request::{self, AuditForm};
use super::{Desk, lock};
use crate::dto::Access;
use crate::error::EngineError;
use crate::logins::{self, Admission, CredentialKind};
use crate::secrets::{self, KeptCredentials};
use model::address::read_seed;
use model::{Credential, Secret};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use store::Reader;

/// With what the site lets a run in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SignIn {
    /// What the keychain has for the origin of the start address, if anything.
    #[default]
    Kept,
    /// Nothing, whatever the keychain has.
    Without,
    /// These, for this run only, and refused where it starts at another origin.
    Given { origin: String, credentials: Vec<GivenCredential> },
}

/// One credential as it is typed. Its `Debug` says only what it is.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GivenCredential {
    /// For basic and digest authentication, as the server demands.
    Login {
        user: String,
        password: String,
    },
    Bearer {
        token: String,
    },
    Header {
        name: String,
        value: String,
    },
    /// `name=value; other=value`.
    Cookies {
        pairs: String,
    },
}

/// Where a sign-in typed now would go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SignInPlace {
    /// The one origin that gets it.
    pub origin: String,
    /// What the keychain has for it.
    pub kept: Option<KeptCredentials>,
}

/// What a crawl began with and asks for again when it is resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SignInNeeded {
    pub origin: String,
    /// Empty where the crawl was given nothing.
    pub kinds: BTreeSet<CredentialKind>,
}

impl std::fmt::Debug for GivenCredential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Login { .. } => "Login(…)",
            Self::Bearer { .. } => "Bearer(…)",
            Self::Header { .. } => "Header(…)",
            Self::Cookies { .. } => "Cookies(…)",
        })
    }
}

impl SignIn {
    /// As the engine takes it, or everything that is wrong with it.
    pub(super) fn admission(&self) -> Result<Admission, ApiError> {
        match self {
            Self::Kept => Ok(Admission::default()),
            Self::Without => Ok(Admission::SignedOut),
            Self::Given { origin, credentials } => {
                Ok(Admission::For { origin: origin.clone(), credentials: read(origin, credentials)? })
            }
        }
    }
}

impl Desk {
    /// The origin that a sign-in typed beside this address, or beside the list at this path, is for. A list of several
    /// origins has none.
    pub fn sign_in_place(&self, address: &str, list: Option<&str>) -> Result<SignInPlace, ApiError> {
        let form =
            AuditForm { address: address.to_owned(), list: list.map(str::to_owned), ..AuditForm::default() };
        let (seeds, list) = request::starts(&form)?;
        let addresses = list.as_ref().unwrap_or(&seeds);
        let origin_of =
            |address: &String| Some(read_seed(address).ok()?.address.without_credentials().0.origin());
        let origins: BTreeSet<String> = addresses.iter().filter_map(origin_of).collect();
        let mut origins = origins.into_iter();
        match (origins.next(), origins.next()) {
            (Some(origin), None) => Ok(SignInPlace { kept: self.kept_for(&origin), origin }),
            _ => Err(ApiError::field(
                "list",
                "The list has addresses of several origins (scheme, host and port), and a sign-in is for one. Audit them \
                 one by one.",
            )),
        }
    }

    /// Says what is wrong with a sign-in before it is used; each fault at `credentials.NUMBER.FIELD`.
    pub fn check_sign_in(&self, origin: &str, credentials: &[GivenCredential]) -> Result<(), ApiError> {
        read(origin, credentials).map(|_| ())
    }

    /// What the keychain has, by origin and without values. The keychain itself is not asked.
    pub fn kept_sign_ins(&self) -> Vec<KeptCredentials> {
        self.engine.kept_credentials()
    }

    /// Keeps a sign-in in the keychain in the place of what it has for the origin. A keychain that cannot be used is
    /// refused with code `keychain`.
    pub fn keep_sign_in(
        &self,
        origin: &str,
        credentials: &[GivenCredential],
    ) -> Result<Vec<KeptCredentials>, ApiError> {
        let read = read(origin, credentials)?;
        let _one_at_a_time = lock(&self.keeping);
        self.engine.store_credentials(origin, &read)?;
        Ok(self.kept_sign_ins())
    }

    /// Removes what the keychain has for an origin, if anything.
    pub fn forget_sign_in(&self, origin: &str) -> Result<Vec<KeptCredentials>, ApiError> {
        let _one_at_a_time = lock(&self.keeping);
        self.engine.forget_credentials(origin)?;
        Ok(self.kept_sign_ins())
    }

    /// What lets in the crawl of this project that would be resumed; nothing where none can be.
    pub fn sign_in_needed(&self, path: &Path) -> Result<Option<SignInNeeded>, ApiError> {
        let path = request::absolute(path)?;
        let crawls = self.engine.open(&path, Access::Read)?.crawls()?;
        let Some(crawl) = crawls.iter().rev().find(|crawl| crawl.resumable) else { return Ok(None) };
        let failed = |error| crate::job::project_error(&path, error);
        let reader = Reader::open(&path).map_err(failed)?;
        let sql =
            "SELECT subject, detail FROM warning WHERE crawl = ?1 AND code = ?2 ORDER BY subject LIMIT 1";
        let given = reader
            .one(sql, &[crawl.crawl.into(), logins::GIVEN.into()], |row| {
                (row.text(0).to_owned(), CredentialKind::of_phrases(row.text(1)))
            })
            .map_err(failed)?;
        let (origin, kinds) = match given {
            Some(given) => given,
            None => (secrets::origin(&crawl.start_url)?, BTreeSet::new()),
        };
        Ok(Some(SignInNeeded { origin, kinds }))
    }

    fn kept_for(&self, origin: &str) -> Option<KeptCredentials> {
        self.kept_sign_ins().into_iter().find(|kept| kept.origin == origin)
    }
}

/// All of them, or everything that is wrong with them. No complaint repeats what was typed.
fn read(origin: &str, given: &[GivenCredential]) -> Result<Vec<Credential>, ApiError> {
    let mut read = Vec::with_capacity(given.len());
    let mut wrong: Option<ApiError> = None;
    for (number, one) in given.iter().enumerate() {
        match read_one(one) {
            Ok(credential) => read.push(credential),
            Err((field, why)) => {
                let error = ApiError::field(&format!("credentials.{number}.{field}"), why);
                wrong = Some(match wrong {
                    Some(first) => first.and(Some(error)),
                    None => error,
                });
            }
        }
    }
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    if read.is_empty() {
        return Err(ApiError::field("credentials", "No sign-in was given."));
    }
    let secrets: Vec<Secret> = read
        .iter()
        .map(|credential| Secret { origin: origin.to_owned(), credential: credential.clone() })
        .collect();
    match logins::refuse_contradictions(&secrets) {
        Ok(()) => Ok(read),
        Err(EngineError::Usage(_)) => Err(ApiError::field(
            "credentials",
            "Two of these contradict each other: a site takes one user name or token, and each header once.",
        )),
        Err(other) => Err(other.into()),
    }
}

/// The credential, or the field that is wrong and why.
fn read_one(given: &GivenCredential) -> Result<Credential, (&'static str, String)> {
    let refuse = |field: &'static str, why: &str| Err((field, why.to_owned()));
    match given {
        GivenCredential::Login { user, .. } if user.is_empty() => refuse("user", "The user name is missing."),
        GivenCredential::Login { user, .. } if user.contains(':') => {
            refuse("user", "A user name with a colon cannot be sent: the colon ends it.")
        }
        GivenCredential::Login { user, password } => {
            let meant = Credential::Password { user: user.clone(), password: password.clone() };
            // What is kept is read again from one line, and has to mean the same there.
            match Credential::read(&format!("{user}:{password}")) {
                Ok(read) if read == meant => Ok(meant),
                _ if user.chars().any(char::is_control) => {
                    refuse("user", "The user name holds characters that no request can carry.")
                }
                Ok(Credential::Bearer(_)) => {
                    refuse("user", "A user name cannot begin with “Bearer”: a token is read then.")
                }
                _ => refuse("password", "The password holds characters that no request can carry."),
            }
        }
        GivenCredential::Bearer { token } => {
            Credential::read(&format!("Bearer {}", token.trim())).or_else(|_| {
                refuse(
                    "token",
                    "The token is missing, or holds a space or characters that no request can carry.",
                )
            })
        }
        GivenCredential::Header { name, .. } if name.trim().is_empty() || name.contains(':') => {
            refuse("name", "The name of a header is letters, digits and hyphens, such as X-Api-Key.")
        }
        GivenCredential::Header { value, .. } if value.trim().is_empty() => {
            refuse("value", "The value is missing.")
        }
        GivenCredential::Header { name, value } => {
            // Which of the two is wrong shows by trying the name with a value that is right.
            let named = Credential::read_header(&format!("{name}: x"));
            match (named, Credential::read_header(&format!("{name}: {value}"))) {
                (_, Ok(header)) => Ok(header),
                (Err(why), _) => Err(("name", sentence(&why))),
                (Ok(_), Err(why)) => Err(("value", sentence(&why))),
            }
        }
        GivenCredential::Cookies { pairs } => Credential::read_cookies(pairs)
            .or_else(|_| refuse("pairs", "Cookies are NAME=VALUE, several of them separated by semicolons.")),
    }
}

/// `the value is …` → `The value is ….`
fn sentence(why: &str) -> String {
    let mut letters = why.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
