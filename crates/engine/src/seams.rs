//! The engine as a value: it holds what comes from outside, so that tests own time, names and faults.

use crate::secrets::{Keychain, Secrets};
use model::Clock;
use std::path::PathBuf;
use std::sync::Arc;

/// Runs the use-cases.
#[derive(Clone)]
pub struct Engine {
    fetch: fetch::Seams,
    faults: Arc<dyn store::Faults>,
    secrets: Secrets,
}

impl Engine {
    /// The computer's own clock, resolver and disk.
    pub fn system() -> Self {
        Self { fetch: fetch::Seams::system(), faults: Arc::new(store::NoFaults), secrets: Secrets::system() }
    }

    /// An engine whose time, names and disk are a test's.
    pub fn with_seams(fetch: fetch::Seams, faults: Arc<dyn store::Faults>) -> Self {
        Self { fetch, faults, secrets: Secrets::system() }
    }

    /// The same engine with another keychain, and the file that lists the origins it has something for.
    pub fn with_keychain(mut self, keychain: Arc<dyn Keychain>, list: Option<PathBuf>) -> Self {
        self.secrets = Secrets::new(keychain, list);
        self
    }

    pub(crate) const fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    pub(crate) fn fetch_seams(&self) -> fetch::Seams {
        self.fetch.clone()
    }

    pub(crate) const fn clock(&self) -> &Arc<dyn Clock> {
        &self.fetch.clock
    }

    /// How project files are opened for writing.
    pub(crate) fn store_options(&self) -> store::Options {
        store::Options {
            program: PROGRAM.to_owned(),
            views: vec![
                store::View { name: "v_issues", sql: audit::issues_view_sql() },
                store::View { name: "v_templates", sql: audit::templates_view_sql() },
            ],
            faults: Arc::clone(&self.faults),
        }
    }
}

/// Name and version, as they are stored with each crawl.
pub(crate) const PROGRAM: &str = concat!("gossamer ", env!("CARGO_PKG_VERSION"));
