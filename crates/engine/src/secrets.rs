//! Credentials that a person keeps between runs: in the operating system's keychain, by origin, and nowhere else.
//!
//! A list beside the keychain names the origins and the kinds of credentials, and only these, so that an audit of a site
//! without credentials never touches the keychain (which may ask the person to unlock it), and so that they can be listed.

use crate::error::EngineError;
use crate::logins::CredentialKind;
use crate::seams::Engine;
use model::address::read_seed;
use model::{Credential, Secret};
use report::NewFile;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use thiserror::Error;

/// Keeps one text for each origin.
pub trait Keychain: Send + Sync {
    fn read(&self, origin: &str) -> Result<Option<String>, KeychainError>;
    fn write(&self, origin: &str, secret: &str) -> Result<(), KeychainError>;
    /// Removes what is kept, if anything is.
    fn remove(&self, origin: &str) -> Result<(), KeychainError>;
}

/// Why the keychain could not be used. Never holds a secret.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KeychainError {
    #[error(
        "this computer has no keychain that can be used ({0}); give the credentials for each run instead: --auth-env NAME \
         takes them from the environment, --auth - asks for them"
    )]
    Missing(String),
    #[error("the keychain refused: {0}")]
    Refused(String),
}

/// What the keychain has for an origin, without the values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KeptCredentials {
    /// `https://www.example.com`.
    pub origin: String,
    pub kinds: BTreeSet<CredentialKind>,
    /// The names of the headers among them, in lower case.
    pub headers: BTreeSet<String>,
}

/// The keychain and the list of origins.
#[derive(Clone)]
pub(crate) struct Secrets {
    keychain: Arc<dyn Keychain>,
    /// The file with the list; `None` where the computer names no place for it.
    list: Option<PathBuf>,
}

impl Secrets {
    /// The computer's own.
    pub(crate) fn system() -> Self {
        Self { keychain: Arc::new(SystemKeychain), list: config_folder().map(|folder| folder.join(LIST)) }
    }

    /// A keychain and a list of a test's.
    pub(crate) fn new(keychain: Arc<dyn Keychain>, list: Option<PathBuf>) -> Self {
        Self { keychain, list }
    }

    /// What is kept for an origin. A keychain that cannot be used is an error only for an origin of the list.
    pub(crate) fn of(&self, origin: &str) -> Result<Vec<Secret>, KeychainError> {
        if !self.kept().contains_key(origin) {
            return Ok(Vec::new());
        }
        let text = self.keychain.read(origin)?.unwrap_or_default();
        let credentials = text.lines().filter_map(from_line);
        Ok(credentials.map(|credential| Secret { origin: origin.to_owned(), credential }).collect())
    }

    /// By origin, as the list says.
    fn kept(&self) -> BTreeMap<String, KeptCredentials> {
        /// A list of a hundred thousand origins is no longer than this.
        const LONGEST: u64 = 8 << 20;
        let mut text = String::new();
        let opened = self.list.as_ref().and_then(|list| std::fs::File::open(list).ok());
        let read = opened.map(|file| file.take(LONGEST).read_to_string(&mut text));
        match read {
            Some(Ok(_)) => {
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                lines.map(from_list).map(|kept| (kept.origin.clone(), kept)).collect()
            }
            _ => BTreeMap::new(),
        }
    }

    fn set_kept(&self, kept: &BTreeMap<String, KeptCredentials>) -> Result<(), EngineError> {
        let no_place = || EngineError::CannotStart("this computer names no folder for settings".to_owned());
        let list = self.list.as_ref().ok_or_else(no_place)?;
        let mut text: String = kept.values().map(|kept| to_list(kept) + "\n").collect();
        if text.is_empty() {
            text.push('\n');
        }
        let written = list.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| {
            let mut file = NewFile::create(list)?;
            file.write_all(text.as_bytes())?;
            file.place()
        });
        written.map_err(|error| {
            EngineError::CannotStart(format!("the list {} cannot be written: {error}", list.display()))
        })
    }
}

impl Engine {
    /// Keeps credentials in the keychain for the origin of an address, in the place of those kept before. Gives the origin.
    pub fn store_credentials(
        &self,
        address: &str,
        credentials: &[Credential],
    ) -> Result<String, EngineError> {
        let origin = origin(address)?;
        let text: String = credentials.iter().map(|credential| to_line(credential) + "\n").collect();
        let secrets = self.secrets();
        secrets.keychain.write(&origin, &text)?;
        let mut kept = secrets.kept();
        let entry = named(&origin, credentials);
        let is_new = match kept.insert(origin.clone(), entry.clone()) {
            Some(before) if before == entry => return Ok(origin),
            before => before.is_none(),
        };
        let listed = secrets.set_kept(&kept);
        if listed.is_err() && is_new {
            // What is on no list could be neither used nor forgotten.
            drop(secrets.keychain.remove(&origin));
        }
        listed.map(|()| origin)
    }

    /// Removes what the keychain has for the origin of an address; false if there was nothing.
    pub fn forget_credentials(&self, address: &str) -> Result<bool, EngineError> {
        let origin = origin(address)?;
        let secrets = self.secrets();
        let mut kept = secrets.kept();
        if kept.remove(&origin).is_none() {
            return Ok(false);
        }
        secrets.keychain.remove(&origin)?;
        secrets.set_kept(&kept)?;
        Ok(true)
    }

    /// The origins that the keychain has credentials for, by name.
    pub fn origins_with_credentials(&self) -> Vec<String> {
        self.secrets().kept().into_keys().collect()
    }

    /// What the keychain has, by origin; the keychain itself is not asked.
    pub fn kept_credentials(&self) -> Vec<KeptCredentials> {
        self.secrets().kept().into_values().collect()
    }
}

/// Ties what was given for this run to the one origin that it is for.
pub(crate) fn bind(given: &[Credential], origins: &BTreeSet<String>) -> Result<Vec<Secret>, EngineError> {
    if given.is_empty() {
        return Ok(Vec::new());
    }
    let mut origins = origins.iter();
    match (origins.next(), origins.next()) {
        (Some(origin), None) => {
            let bound = |credential: &Credential| Secret { origin: origin.clone(), credential: credential.clone() };
            Ok(given.iter().map(bound).collect())
        }
        _ => Err(EngineError::Usage(
            "credentials are for one origin (scheme, host and port), but the addresses have several; audit them one by one"
                .to_owned(),
        )),
    }
}

/// Refuses credentials of one origin for a run that starts at others: whoever typed them was told whom they are for.
pub(crate) fn refuse_elsewhere(origin: &str, origins: &BTreeSet<String>) -> Result<(), EngineError> {
    match origins.iter().find(|start| *start != origin) {
        None => Ok(()),
        Some(other) => Err(EngineError::Usage(format!(
            "the credentials are for {origin}, and the audit is of {other}: give those of {other}, or none"
        ))),
    }
}

pub(crate) fn origin(address: &str) -> Result<String, EngineError> {
    let seed = read_seed(address).map_err(|error| EngineError::Usage(error.to_string()))?;
    Ok(seed.address.without_credentials().0.origin())
}

fn named(origin: &str, credentials: &[Credential]) -> KeptCredentials {
    let headers = credentials.iter().filter_map(|credential| match credential {
        Credential::Header { name, .. } => Some(name.clone()),
        _ => None,
    });
    KeptCredentials {
        origin: origin.to_owned(),
        kinds: credentials.iter().map(CredentialKind::of).collect(),
        headers: headers.collect(),
    }
}

/// One line of the list: the origin, the words of the kinds, the names of headers; tabs between them.
fn to_list(kept: &KeptCredentials) -> String {
    let mut line = kept.origin.clone();
    let kinds = kept.kinds.iter().filter(|kind| **kind != CredentialKind::Header);
    for kind in kinds {
        line = line + "\t" + kind.word();
    }
    for name in &kept.headers {
        line = line + "\t" + CredentialKind::Header.word() + " " + name;
    }
    line
}

/// Words that are not known are passed over: the origin is what counts.
fn from_list(line: &str) -> KeptCredentials {
    let mut words = line.split('\t');
    let origin = words.next().unwrap_or_default().to_owned();
    let mut kept = KeptCredentials { origin, kinds: BTreeSet::new(), headers: BTreeSet::new() };
    for word in words {
        let (word, name) = word.split_once(' ').map_or((word, None), |(word, name)| (word, Some(name)));
        kept.kinds.extend(CredentialKind::from_word(word));
        kept.headers.extend(name.map(str::to_owned));
    }
    kept
}

/// One line of what is kept: a word for the kind, then the credential as a person types it.
fn to_line(credential: &Credential) -> String {
    match credential {
        Credential::Password { user, password } => format!("auth {user}:{password}"),
        Credential::Bearer(token) => format!("auth Bearer {token}"),
        Credential::Header { name, value } => format!("header {name}: {value}"),
        Credential::Cookies(pairs) => format!("cookie {pairs}"),
    }
}

fn from_line(line: &str) -> Option<Credential> {
    let (kind, text) = line.split_once(' ')?;
    match kind {
        "auth" => Credential::read(text).ok(),
        "header" => Credential::read_header(text).ok(),
        "cookie" => Credential::read_cookies(text).ok(),
        _ => None,
    }
}

const LIST: &str = "credentials.txt";

/// Where settings of programs go on this computer, by the environment that its own convention names.
fn config_folder() -> Option<PathBuf> {
    let from = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        from("APPDATA")
    } else if cfg!(target_os = "macos") {
        from("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        from("XDG_CONFIG_HOME")
            .filter(|folder| folder.is_absolute())
            .or_else(|| from("HOME").map(|home| home.join(".config")))
    };
    base.map(|folder| folder.join("gossamer"))
}

/// The keychain of the operating system: Keychain Services, Credential Manager or the Secret Service.
struct SystemKeychain;

/// Under which name entries stand in it.
const SERVICE: &str = "Gossamer";

impl SystemKeychain {
    fn entry(origin: &str) -> Result<keyring::Entry, KeychainError> {
        if let Err(error) = keyring::Entry::store_status() {
            return Err(KeychainError::Missing(reason(error)));
        }
        keyring::Entry::new(SERVICE, origin).map_err(|error| failed(&error))
    }
}

impl Keychain for SystemKeychain {
    fn read(&self, origin: &str) -> Result<Option<String>, KeychainError> {
        match Self::entry(origin)?.get_password() {
            Ok(secret) => Ok(Some(secret)),
            Err(keyring::Error::NoEntry) => Ok(None),
            Err(error) => Err(failed(&error)),
        }
    }

    fn write(&self, origin: &str, secret: &str) -> Result<(), KeychainError> {
        Self::entry(origin)?.set_password(secret).map_err(|error| failed(&error))
    }

    fn remove(&self, origin: &str) -> Result<(), KeychainError> {
        match Self::entry(origin)?.delete_credential() {
            Ok(()) | Err(keyring::Error::NoEntry) => Ok(()),
            Err(error) => Err(failed(&error)),
        }
    }
}

fn failed(error: &keyring::Error) -> KeychainError {
    match error {
        keyring::Error::NoDefaultStore => KeychainError::Missing(reason(error)),
        other => KeychainError::Refused(reason(other)),
    }
}

/// What the library says, unless it would say the secret itself.
fn reason(error: &keyring::Error) -> String {
    match error {
        keyring::Error::BadEncoding(_) | keyring::Error::BadDataFormat(..) => {
            "what it holds is no text".to_owned()
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::sync::Mutex;

    /// A keychain in memory that counts how often it is touched.
    #[derive(Default)]
    struct Drawer {
        kept: Mutex<HashMap<String, String>>,
        touched: Mutex<u32>,
        broken: bool,
    }

    impl Drawer {
        fn touch(&self) -> Result<(), KeychainError> {
            *self.touched.lock().unwrap() += 1;
            if self.broken { Err(KeychainError::Missing("no service".to_owned())) } else { Ok(()) }
        }
    }

    impl Keychain for Drawer {
        fn read(&self, origin: &str) -> Result<Option<String>, KeychainError> {
            self.touch()?;
            Ok(self.kept.lock().unwrap().get(origin).cloned())
        }

        fn write(&self, origin: &str, secret: &str) -> Result<(), KeychainError> {
            self.touch()?;
            self.kept.lock().unwrap().insert(origin.to_owned(), secret.to_owned());
            Ok(())
        }

        fn remove(&self, origin: &str) -> Result<(), KeychainError> {
            self.touch()?;
            self.kept.lock().unwrap().remove(origin);
            Ok(())
        }
    }

    fn all() -> Vec<Credential> {
        vec![
            Credential::Password { user: "ada".to_owned(), password: "pass:word with spaces".to_owned() },
            Credential::Bearer("token".to_owned()),
            Credential::Header { name: "x-key".to_owned(), value: "hunter2".to_owned() },
            Credential::Cookies("a=b; c=d".to_owned()),
        ]
    }

    #[test]
    fn credentials_are_kept_by_origin_and_the_keychain_is_left_alone_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let drawer = Arc::new(Drawer::default());
        let list = folder.path().join("deep/list.txt");
        let engine = Engine::system().with_keychain(Arc::<Drawer>::clone(&drawer), Some(list.clone()));
        assert!(engine.secrets().of("https://a.test").unwrap().is_empty());
        assert!(!engine.forget_credentials("https://a.test/").unwrap());
        assert_eq!(*drawer.touched.lock().unwrap(), 0);
        let origin = engine.store_credentials("https://u:p@a.test:8443/page?x", &all()).unwrap();
        assert_eq!(origin, "https://a.test:8443");
        assert_eq!(engine.origins_with_credentials(), ["https://a.test:8443"]);
        let kept: Vec<Credential> =
            engine.secrets().of(&origin).unwrap().into_iter().map(|secret| secret.credential).collect();
        assert_eq!(kept, all());
        for other in ["https://a.test", "http://a.test:8443"] {
            assert!(engine.secrets().of(other).unwrap().is_empty(), "{other}");
        }
        assert_eq!(
            std::fs::read_to_string(&list).unwrap(),
            "https://a.test:8443\tlogin\tbearer\tcookies\theader x-key\n",
            "no secret is in the list"
        );
        let touched = *drawer.touched.lock().unwrap();
        let [kept] = engine.kept_credentials().try_into().unwrap();
        assert_eq!((kept.kinds.len(), kept.headers), (4, BTreeSet::from(["x-key".to_owned()])));
        assert_eq!(*drawer.touched.lock().unwrap(), touched, "a list is not worth unlocking a keychain");
        assert!(engine.forget_credentials("https://a.test:8443/").unwrap());
        assert!(engine.origins_with_credentials().is_empty() && drawer.kept.lock().unwrap().is_empty());
    }

    #[test]
    fn what_cannot_be_listed_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let drawer = Arc::new(Drawer::default());
        // A file stands where the list's folder would be.
        std::fs::write(folder.path().join("taken"), "").unwrap();
        let list = folder.path().join("taken/list.txt");
        let engine = Engine::system().with_keychain(Arc::<Drawer>::clone(&drawer), Some(list));
        engine.store_credentials("https://a.test/", &all()).unwrap_err();
        assert!(drawer.kept.lock().unwrap().is_empty());
    }

    #[test]
    fn a_missing_keychain_is_told_with_what_serves_instead() {
        let folder = tempfile::tempdir().unwrap();
        let drawer = Arc::new(Drawer { broken: true, ..Drawer::default() });
        let engine = Engine::system().with_keychain(drawer, Some(folder.path().join("list.txt")));
        let error = engine.store_credentials("https://a.test/", &all()).unwrap_err().to_string();
        assert!(error.contains("no keychain") && error.contains("--auth-env"), "{error}");
        assert!(!error.contains("hunter2") && engine.origins_with_credentials().is_empty());
    }

    #[test]
    fn credentials_of_a_run_are_for_one_origin() {
        let origins = |list: &[&str]| list.iter().map(|origin| (*origin).to_owned()).collect::<BTreeSet<_>>();
        let bound = bind(&all(), &origins(&["https://a.test"])).unwrap();
        assert!(bound.len() == 4 && bound.iter().all(|secret| secret.origin == "https://a.test"));
        assert!(bind(&all(), &origins(&["https://a.test", "https://b.test"])).is_err());
        assert!(bind(&[], &origins(&["https://a.test", "https://b.test"])).unwrap().is_empty());
    }
}
