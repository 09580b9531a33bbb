//! What is wrong with a request, all of it at once: who gives several wrong options wants to mend them together.

use crate::dto::AuditRequest;
use crate::error::EngineError;
use crate::job::project_error;
use crate::planned::starts;
use crate::{secrets, settings};
use model::settings::Start;
use model::{Address, Job};
use std::path::Path;
use store::{Reader, StoreError};

/// What can be said to be wrong with a request for an audit before anything is asked or written: its addresses, where it has
/// any, its credentials, its settings. Empty where nothing is.
pub fn faults(request: &AuditRequest) -> Vec<EngineError> {
    faults_as(Job::Audit, request)
}

fn faults_as(job: Job, request: &AuditRequest) -> Vec<EngineError> {
    let mut faults = Vec::new();
    let mut start = Start::default();
    if request.list.is_some() || !request.seeds.is_empty() {
        match starts(request) {
            Ok(found) => {
                start = found.start;
                let origins = start.seeds.iter().map(Address::origin).collect();
                if job == Job::Audit
                    && let Err(error) = secrets::bind(&request.credentials, &origins)
                {
                    faults.push(error);
                }
            }
            Err(error) => faults.push(error),
        }
    }
    start.job = job;
    if let Err(wrong) = settings::plan_or_faults(start, request.profile.as_deref(), &request.overrides) {
        faults.extend(wrong);
    }
    faults
}

/// What is wrong with the path of a project before anything is written there: it is no project file, or its folder does not
/// exist. `None` also where only writing can tell.
pub fn project_fault(project: &Path) -> Option<EngineError> {
    if project.exists() {
        return match Reader::open(project) {
            Err(error @ StoreError::Foreign(_)) => Some(project_error(project, error)),
            _ => None,
        };
    }
    // A bare name lies in the folder that the program was started in.
    let folder = project.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    let reason = || format!("the folder {} does not exist", folder.display());
    (!folder.is_dir()).then(|| EngineError::Project { path: project.to_owned(), reason: reason() })
}

/// The error with which a request that was refused is to be answered: all that is wrong with it where that can be said, so that
/// who gives several wrong options mends them together; else what it was refused with.
pub(crate) fn in_full(error: EngineError, job: Job, request: &AuditRequest) -> EngineError {
    let mut faults = faults_as(job, request);
    if faults.is_empty() {
        return error;
    }
    faults.extend(project_fault(&request.project));
    together(faults)
}

/// Ends with everything that is wrong, where anything is.
pub fn refuse(faults: Vec<EngineError>) -> Result<(), EngineError> {
    if faults.is_empty() { Ok(()) } else { Err(together(faults)) }
}

/// Faults as one, which is the fault itself where there is but one.
pub(crate) fn together(mut faults: Vec<EngineError>) -> EngineError {
    if faults.len() == 1 {
        return faults.remove(0);
    }
    EngineError::Usage(faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}
