//! What the window is told when something did not work: a code for the program, a sentence for the person.

use crate::error::EngineError;
use crate::secrets::KeychainError;
use model::settings::SettingError;
use serde::Serialize;

/// Why a call did not do what it was asked for.
///
/// Codes: `usage`, `settings`, `cannot_start`, `keychain`, `credentials`, `busy`, `project`, `unwritable`, `cancelled`,
/// `internal`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[error("{message}")]
pub struct ApiError {
    pub code: String,
    /// Whole sentences, for the person.
    pub message: String,
    /// What is wrong with single fields, by their names or the ids of settings.
    pub detail: Vec<FieldError>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FieldError {
    pub field: String,
    pub message: String,
}

impl ApiError {
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), detail: Vec::new() }
    }

    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self::new("usage", message)
    }

    pub(super) fn internal(message: impl Into<String>) -> Self {
        Self::new("internal", message)
    }

    /// Something is wrong with one field of a form.
    pub(super) fn field(field: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let detail = vec![FieldError { field: field.to_owned(), message: message.clone() }];
        Self { code: "usage".to_owned(), message, detail }
    }

    /// Every wrong setting, each with its id.
    pub(super) fn settings(errors: Vec<SettingError>) -> Self {
        let message = match errors.as_slice() {
            [one] => format!("{}: {}", one.id, one.reason),
            several => format!("{} settings are wrong.", several.len()),
        };
        let detail =
            errors.into_iter().map(|error| FieldError { field: error.id, message: error.reason }).collect();
        Self { code: "settings".to_owned(), message, detail }
    }

    /// Both complaints at once; the first one's code and sentence lead.
    pub(super) fn and(mut self, other: Option<Self>) -> Self {
        self.detail.extend(other.into_iter().flat_map(|other| other.detail));
        self
    }
}

impl From<EngineError> for ApiError {
    fn from(error: EngineError) -> Self {
        let code = match error {
            EngineError::Settings(errors) => return Self::settings(errors),
            EngineError::Keychain(why) => return Self::new("keychain", in_a_window(&why)),
            EngineError::CredentialsNeeded { origin, kinds } => {
                let message = format!(
                    "The crawl was given credentials for {origin} ({kinds}), and no project stores them. Sign in again to \
                     resume it, or resume it without."
                );
                return Self::new("credentials", message);
            }
            EngineError::Usage(_) => "usage",
            EngineError::CannotStart(_) => "cannot_start",
            EngineError::Project { .. } => "project",
            EngineError::Unwritable { .. } | EngineError::Output(_) => "unwritable",
            EngineError::Cancelled => "cancelled",
            EngineError::Internal(_) => "internal",
        };
        Self::new(code, error.to_string())
    }
}

/// What is wrong with the keychain, and what serves instead in a window, where there are no options to type.
fn in_a_window(why: &KeychainError) -> String {
    const INSTEAD: &str = "use the sign-in for this run only: it is then stored nowhere.";
    match why {
        KeychainError::Missing(reason) => {
            format!("This computer has no keychain that can be used ({reason}). Instead, {INSTEAD}")
        }
        KeychainError::Refused(reason) => {
            format!("The keychain refused: {reason}. Unlock it and try again, or {INSTEAD}")
        }
    }
}
