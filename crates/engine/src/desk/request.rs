//! From the form of an audit to a request that will not be refused for what stands in the form.

use super::kept::unwritable;
use super::refusal::ApiError;
use super::sign_in::SignIn;
use crate::dto::{Access, AuditRequest};
use crate::error::EngineError;
use crate::list::{default_project_name, read_list};
use crate::seams::Engine;
use crate::settings;
use model::address::read_seed;
use model::settings::Start;
use serde::Deserialize;
use std::fs::File;
use std::path::{Path, PathBuf};

/// An audit as it is filled in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AuditForm {
    /// As typed; not looked at where there is a list.
    pub address: String,
    /// Path of a file of addresses: exactly these are audited.
    pub list: Option<String>,
    /// Path of the project file; made from the address where none is given.
    pub project: Option<String>,
    /// Name of a profile; the default one where none is given.
    pub profile: Option<String>,
    /// Settings of this run, id and value as typed: they win over the profile's.
    pub settings: Vec<(String, String)>,
    /// With what the site lets the audit in.
    #[serde(default)]
    pub sign_in: SignIn,
}

/// Everything that is wrong with the form at once, or the request. The project path is absolute.
pub(super) fn request(
    form: &AuditForm,
    profile: Result<Option<PathBuf>, ApiError>,
    engine: &Engine,
    projects: &Path,
) -> Result<AuditRequest, ApiError> {
    let starts = starts(form);
    let checked = profile.and_then(|profile| {
        settings::plan(Start::default(), profile.as_deref(), &form.settings)?;
        Ok(profile)
    });
    let ((seeds, list), profile) = match (starts, checked) {
        (Ok(starts), Ok(profile)) => (starts, profile),
        (Err(first), second) => return Err(first.and(second.err())),
        (Ok(_), Err(error)) => return Err(error),
    };
    let given = form.project.as_deref().map(str::trim).filter(|path| !path.is_empty());
    let project = match given {
        Some(path) => absolute(Path::new(path))?,
        None => free_project(engine, projects, list.as_ref().unwrap_or(&seeds))?,
    };
    Ok(AuditRequest {
        seeds,
        list,
        project,
        profile,
        overrides: form.settings.clone(),
        ..AuditRequest::default()
    })
}

/// The path from the root on: what is compared and shown does not depend on the current folder.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, ApiError> {
    std::path::absolute(path)
        .map_err(|error| ApiError::field("project", format!("{} is no path: {error}", path.display())))
}

/// Seeds, or a list.
pub(super) type Starts = (Vec<String>, Option<Vec<String>>);

pub(super) fn starts(form: &AuditForm) -> Result<Starts, ApiError> {
    let Some(path) = form.list.as_deref().filter(|path| !path.is_empty()) else {
        read_seed(&form.address).map_err(|error| ApiError::field("address", error.to_string()))?;
        return Ok((vec![form.address.trim().to_owned()], None));
    };
    let wrong = |error: EngineError| ApiError::field("list", error.to_string());
    let mut file =
        File::open(path).map_err(|error| wrong(EngineError::unreadable(Path::new(path), &error)))?;
    let list = read_list(&mut file).map_err(wrong)?;
    // A few bad lines among thousands are left out and named; a list of nothing else is no list.
    let refusals = list.iter().map(|line| read_seed(line).err());
    match refusals.collect::<Option<Vec<_>>>() {
        None => Ok((Vec::new(), Some(list))),
        Some(all) => {
            let shown: Vec<String> = all.iter().take(10).map(ToString::to_string).collect();
            Err(ApiError::field("list", shown.join("\n")))
        }
    }
}

/// A project file for these addresses: the one that audits their host already, or one that is not there yet.
fn free_project(engine: &Engine, folder: &Path, addresses: &[String]) -> Result<PathBuf, ApiError> {
    /// A folder with more projects of one host than this is nobody's.
    const MOST: u32 = 10_000;
    let Some(first) = addresses.iter().find(|address| read_seed(address).is_ok()) else {
        return Err(ApiError::field("address", "No address was given to start at."));
    };
    let name = default_project_name(first)?;
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let folder = absolute(folder)?;
    for number in 1..=MOST {
        let path = match number {
            1 => folder.join(&name),
            number => folder.join(format!("{stem}-{number}.gossamer")),
        };
        if !path.exists() || audits(engine, &path, first) {
            return Ok(path);
        }
    }
    Err(ApiError::field("project", format!("{} holds too many projects of this site.", folder.display())))
}

/// Whether the newest crawl of this project began at the same host and port.
fn audits(engine: &Engine, path: &Path, address: &str) -> bool {
    let crawls = engine.open(path, Access::Read).and_then(|project| project.crawls());
    let place = |address: &str| {
        let seed = read_seed(address).ok()?.address;
        Some((seed.host().to_owned(), seed.url().port()))
    };
    match crawls {
        Ok(crawls) => crawls.last().is_none_or(|newest| place(&newest.start_url) == place(address)),
        // What cannot be read is somebody's all the same.
        Err(_) => false,
    }
}
