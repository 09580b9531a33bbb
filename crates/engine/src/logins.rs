//! What a crawl remembers of the credentials that it was given, and what is told where they are missing, refused or
//! meant for another origin. Kinds and origins are stored; values never are.

use crate::error::EngineError;
use model::address::origin_of;
use model::{Credential, Secret};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::{StoreError, Writer};

/// Code of the row of `v_warnings` that says what a crawl was given; its subject is the origin.
pub(crate) const GIVEN: &str = "credentials-given";

/// Code of the row that says that a crawl was resumed without what it had been given; its subject is the origin.
pub(crate) const LEFT_OUT: &str = "credentials-left-out";

/// What lets a run in.
#[derive(Debug, Clone)]
pub(crate) enum Admission {
    /// For the one origin that the run starts at, in the place of what the keychain has for it; without any, what the
    /// keychain has.
    Given(Vec<Credential>),
    /// For this origin, and refused where the run starts at another.
    For { origin: String, credentials: Vec<Credential> },
    /// Nothing but what stands in the addresses, whatever the keychain has and the crawl was given earlier.
    SignedOut,
}

impl Default for Admission {
    fn default() -> Self {
        Self::Given(Vec::new())
    }
}

/// What a credential is, without its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum CredentialKind {
    Login,
    Bearer,
    Header,
    Cookies,
}

impl CredentialKind {
    pub(crate) const ALL: [Self; 4] = [Self::Login, Self::Bearer, Self::Header, Self::Cookies];

    pub(crate) const fn of(credential: &Credential) -> Self {
        match credential {
            Credential::Password { .. } => Self::Login,
            Credential::Bearer(_) => Self::Bearer,
            Credential::Header { .. } => Self::Header,
            Credential::Cookies(_) => Self::Cookies,
        }
    }

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Bearer => "bearer",
            Self::Header => "header",
            Self::Cookies => "cookies",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// As a project file says it.
    const fn phrase(self) -> &'static str {
        match self {
            Self::Login => "a user name and password",
            Self::Bearer => "a token",
            Self::Header => "a header",
            Self::Cookies => "cookies",
        }
    }

    /// The kinds that a project file names.
    pub(crate) fn of_phrases(text: &str) -> BTreeSet<Self> {
        Self::ALL.into_iter().filter(|kind| text.contains(kind.phrase())).collect()
    }
}

/// The credentials of a crawl by origin, in words.
pub(crate) type Remembered = BTreeMap<String, String>;

/// Stores with the crawl that it was given credentials.
pub(crate) fn remember(
    writer: &mut Writer,
    crawl: i64,
    moment: i64,
    secrets: &[Secret],
) -> Result<(), StoreError> {
    let mut kinds: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for secret in secrets {
        kinds.entry(&secret.origin).or_default().insert(CredentialKind::of(&secret.credential).phrase());
    }
    for (origin, kinds) in kinds {
        let kinds: Vec<&str> = kinds.into_iter().collect();
        writer.warn(crawl, moment, GIVEN, origin, &kinds.join(" and "))?;
    }
    Ok(())
}

pub(crate) fn remembered(writer: &mut Writer, crawl: i64) -> Result<Remembered, StoreError> {
    let mut remembered = Remembered::new();
    let sql = "SELECT subject, detail FROM warning WHERE crawl = ?1 AND code = ?2";
    writer.rows(sql, &[crawl.into(), GIVEN.into()], &mut |row| {
        remembered.insert(row.text(0).to_owned(), row.text(1).to_owned());
        Ok(())
    })?;
    Ok(remembered)
}

/// A crawl that was let in is not continued as a stranger: all that is left would be stored as refused.
pub(crate) fn refuse_without(remembered: &Remembered, secrets: &[Secret]) -> Result<(), EngineError> {
    let missing =
        remembered.iter().find(|(origin, _)| !secrets.iter().any(|secret| secret.origin == **origin));
    match missing {
        None => Ok(()),
        Some((origin, kinds)) => {
            Err(EngineError::CredentialsNeeded { origin: origin.clone(), kinds: kinds.clone() })
        }
    }
}

/// Stores with the crawl that from now on nobody lets it in; what is told of each origin.
pub(crate) fn leave_out(
    writer: &mut Writer,
    crawl: i64,
    moment: i64,
    remembered: &Remembered,
) -> Result<Vec<String>, StoreError> {
    let mut told = Vec::new();
    for (origin, kinds) in remembered {
        let detail = format!("resumed without the credentials that the crawl began with ({kinds})");
        writer.warn(crawl, moment, LEFT_OUT, origin, &detail)?;
        told.push(format!("{origin}: {detail}; what was left is stored as everybody sees it"));
    }
    Ok(told)
}

/// Refuses two credentials of one origin that only one request field has room for, without repeating either.
pub(crate) fn refuse_contradictions(secrets: &[Secret]) -> Result<(), EngineError> {
    let mut fields: HashMap<(&str, &str), &Credential> = HashMap::new();
    for secret in secrets {
        let field = match &secret.credential {
            Credential::Password { .. } | Credential::Bearer(_) => "authorization",
            Credential::Header { name, .. } if name != "cookie" => name,
            // Cookies add up.
            Credential::Header { .. } | Credential::Cookies(_) => continue,
        };
        let earlier = fields.insert((&secret.origin, field), &secret.credential);
        if earlier.is_some_and(|earlier| *earlier != secret.credential) {
            let what = match field {
                "authorization" => "credentials are given".to_owned(),
                name => format!("the header {name} is given"),
            };
            return Err(EngineError::Usage(format!(
                "{what} twice for {}, and differently; which of them is meant? Addresses, --auth-env, --auth and --header \
                 all count",
                secret.origin
            )));
        }
    }
    Ok(())
}

/// The options of the command line that give these.
pub(crate) fn options<'a>(secrets: impl Iterator<Item = &'a Secret>) -> Vec<&'static str> {
    let options: BTreeSet<&'static str> = secrets
        .map(|secret| match secret.credential {
            Credential::Password { .. } | Credential::Bearer(_) => "--auth-env NAME",
            Credential::Header { .. } => "--header 'NAME: VALUE'",
            Credential::Cookies(_) => "--cookie NAME=VALUE",
        })
        .collect();
    options.into_iter().collect()
}

/// Why nothing was audited: no page came, and what the crawl started with refuses the credentials given for it.
pub(crate) fn shut_out(
    writer: &mut Writer,
    crawl: i64,
    secrets: &[Secret],
) -> Result<Option<String>, StoreError> {
    let (first, last) = store::key_range(crawl);
    let mut refused = None;
    writer.rows(
        "SELECT u.text FROM visit v JOIN answer a ON a.key = v.key JOIN url u ON u.id = v.key & 4294967295
         WHERE v.key BETWEEN ?1 AND ?2 AND v.depth = 0 AND v.internal = 1 AND a.status = 401
         AND NOT EXISTS (SELECT 1 FROM page WHERE key BETWEEN ?1 AND ?2) LIMIT 20",
        &[first.into(), last.into()],
        &mut |row| {
            let url = row.text(0);
            let origin = origin_of(url);
            if refused.is_none() && secrets.iter().any(|secret| secret.origin == origin) {
                refused = Some(format!(
                    "the server refused the credentials given for {origin}, and no page came of it\n{url}: status 401"
                ));
            }
            Ok(())
        },
    )?;
    Ok(refused)
}

/// What is added where a start gave no page because its credentials were for another origin than the one that would have
/// needed them; else nothing. `redirect` is where the start leads.
pub(crate) fn elsewhere(secrets: &[Secret], redirect: Option<&str>, url: &str, status: i64) -> String {
    let asked = match redirect {
        Some(target) => target,
        None if status == 401 => url,
        None => return String::new(),
    };
    let has = |origin: &str| secrets.iter().any(|secret| secret.origin == origin);
    match secrets.first() {
        Some(given) if !has(origin_of(asked)) => {
            format!("; the credentials were for {}: start at {asked}", given.origin)
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(origin: &str, credential: Credential) -> Secret {
        Secret { origin: origin.to_owned(), credential }
    }

    #[test]
    fn only_what_one_field_cannot_hold_is_a_contradiction() {
        let login =
            |password: &str| Credential::Password { user: "ada".to_owned(), password: password.to_owned() };
        let header =
            |name: &str, value: &str| Credential::Header { name: name.to_owned(), value: value.to_owned() };
        let check = |secrets: &[Secret], fits: bool| {
            assert_eq!(refuse_contradictions(secrets).is_ok(), fits, "{secrets:?}");
        };
        let (a, b) = ("https://a.test", "https://b.test");
        check(&[secret(a, login("x")), secret(b, login("y"))], true);
        check(&[secret(a, login("x")), secret(a, login("x"))], true);
        check(&[secret(a, login("x")), secret(a, login("y"))], false);
        check(&[secret(a, login("x")), secret(a, Credential::Bearer("t".to_owned()))], false);
        check(&[secret(a, login("x")), secret(a, header("authorization", "t"))], false);
        check(&[secret(a, header("x-a", "1")), secret(a, header("x-b", "2"))], true);
        check(&[secret(a, header("x-a", "1")), secret(a, header("x-a", "2"))], false);
        check(&[secret(a, Credential::Cookies("a=1".to_owned())), secret(a, header("cookie", "b=2"))], true);
    }

    #[test]
    fn each_kind_has_its_option_once() {
        let all = [
            secret("https://a.test", Credential::Bearer("t".to_owned())),
            secret("https://a.test", Credential::Cookies("a=1".to_owned())),
            secret("https://a.test", Credential::Cookies("b=1".to_owned())),
        ];
        assert_eq!(options(all.iter()), ["--auth-env NAME", "--cookie NAME=VALUE"]);
        assert!(options([].iter()).is_empty());
    }
}
