//! Which URL of one crawl is which of another: the same, or one under another host or path (a staging server and its site).

use model::address::origin_of;
use store::{StoreError, Value, Writer, key_range};

/// One rule: an address beginning that stands for another. `https://staging.example.com/` → `https://www.example.com/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub from: String,
    pub to: String,
}

/// Rules in the order in which they are tried; the first that fits is used. Without any, URLs are compared with themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping(Vec<Rule>);

/// Why there is no mapping.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MappingError {
    #[error(
        "\"{0}\" is no rule: it takes two addresses with = between them, as in https://staging.example.com/=https://www.example.com/"
    )]
    NoRule(String),
    #[error("\"{0}\" begins with neither http:// nor https://, or has no host")]
    NoAddress(String),
}

impl Mapping {
    /// Rules as people write them, `FROM=TO` each. The `=` is the one before `http://` or `https://`, since addresses have some
    /// of their own.
    pub fn parse<'t>(rules: impl IntoIterator<Item = &'t str>) -> Result<Self, MappingError> {
        let rules = rules.into_iter().map(|text| {
            let at = ["=http://", "=https://"].iter().filter_map(|mark| text.find(mark)).min();
            let (from, to) = at
                .map(|at| (text[..at].trim(), text[at + 1..].trim()))
                .ok_or_else(|| MappingError::NoRule(text.to_owned()))?;
            Ok(Rule { from: address(from)?, to: address(to)? })
        });
        Ok(Self(rules.collect::<Result<_, _>>()?))
    }

    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn rules(&self) -> &[Rule] {
        &self.0
    }

    /// The URL that stands for this one in the later crawl. A beginning that does not end with a slash ends where a part of the
    /// path does, so that `/shop` does not fit `/shopping`.
    pub fn apply(&self, url: &str) -> Option<String> {
        self.0.iter().find_map(|rule| {
            let rest = url.strip_prefix(&*rule.from)?;
            let whole_part = rule.from.ends_with('/') || rest.is_empty() || rest.starts_with(['/', '?', '#']);
            whole_part.then(|| format!("{}{rest}", rule.to))
        })
    }

    /// As it is stored: a JSON list of pairs.
    pub fn json(&self) -> String {
        let pairs: Vec<[&str; 2]> =
            self.0.iter().map(|rule| [rule.from.as_str(), rule.to.as_str()]).collect();
        serde_json::to_string(&pairs).unwrap_or_else(|_| "[]".to_owned())
    }

    /// Makes `temp.later_url`, which says of each URL of the earlier crawl which one it is in the later; `false`: none is needed. A URL
    /// to which no rule applies is itself. Where two become the same, the first counts.
    pub(super) fn prepare(&self, writer: &mut Writer, earlier: i64, later: i64) -> Result<bool, StoreError> {
        if self.is_empty() {
            return Ok(false);
        }
        self.forget(writer)?;
        writer.batch(
            "CREATE TEMP TABLE later_url(earlier INTEGER PRIMARY KEY, later INTEGER NOT NULL UNIQUE)",
        )?;
        let seed = writer.seed();
        let (first, last) = key_range(earlier);
        let mut texts = Vec::new();
        writer.rows(
            "SELECT u.id, u.text FROM visit v CROSS JOIN url u ON u.id = v.key & 4294967295 WHERE v.key BETWEEN ?1 AND ?2 ORDER BY v.key",
            &[first.into(), last.into()],
            &mut |row| {
                if let Some(text) = self.apply(row.text(1)) {
                    texts.push((row.int(0), Some(seed.url(&text))));
                } else {
                    texts.push((row.int(0), None));
                }
                Ok(())
            },
        )?;
        // What is itself comes last, so that a rule wins over it.
        texts.sort_by_key(|(_, mapped)| mapped.is_none());
        let (base, _) = key_range(later);
        for (url, mapped) in texts {
            let twin = match mapped {
                Some(hash) => writer.find_url(hash).map(i64::from),
                None => Some(url),
            };
            if let Some(twin) = twin {
                writer.run(
                    "INSERT OR IGNORE INTO temp.later_url(earlier, later) SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM visit WHERE key = ?3)",
                    &[url.into(), twin.into(), Value::Int(base + twin)],
                )?;
            }
        }
        Ok(true)
    }

    pub(super) fn forget(&self, writer: &mut Writer) -> Result<(), StoreError> {
        writer.batch("DROP TABLE IF EXISTS temp.later_url")
    }
}

/// The beginning of an address, its origin as URLs have it.
fn address(text: &str) -> Result<String, MappingError> {
    let wrong = || MappingError::NoAddress(text.to_owned());
    let url = model::Address::parse(text).map_err(|_| wrong())?;
    let spelled = url.as_str();
    if !spelled.starts_with("http") || origin_of(spelled).len() < "http://a".len() {
        return Err(wrong());
    }
    // An address without a path means the whole host.
    Ok(spelled.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_applied() {
        let mapping = Mapping::parse([
            "https://staging.example.com/shop=https://www.example.com/store",
            "https://Staging.example.com=https://www.example.com",
        ])
        .unwrap();
        let check =
            |url: &str, expect: Option<&str>| assert_eq!(mapping.apply(url).as_deref(), expect, "{url}");
        check("https://staging.example.com/", Some("https://www.example.com/"));
        check("https://staging.example.com/a?b=c", Some("https://www.example.com/a?b=c"));
        check("https://staging.example.com/shop", Some("https://www.example.com/store"));
        check("https://staging.example.com/shop/tea", Some("https://www.example.com/store/tea"));
        check("https://staging.example.com/shopping", Some("https://www.example.com/shopping"));
        check("https://other.example.com/", None);
        assert_eq!(
            mapping.json(),
            r#"[["https://staging.example.com/shop","https://www.example.com/store"],["https://staging.example.com/","https://www.example.com/"]]"#
        );
    }

    #[test]
    fn what_is_no_rule_is_said() {
        for (text, expect) in [
            ("https://a.example/", "takes two addresses"),
            ("a=b", "takes two addresses"),
            ("ftp://a.example/=https://b.example/", "begins with neither"),
        ] {
            let error = Mapping::parse([text]).unwrap_err().to_string();
            assert!(error.contains(expect), "{text}: {error}");
        }
    }
}
