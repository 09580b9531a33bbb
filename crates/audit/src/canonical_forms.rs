//! The forms in which addresses are written: with `www.` or without, with a slash at the end or without, with tracking or not.

use model::address::{origin_of, site_of};

/// Parameters that say where a visitor came from; a name that ends in `_` stands for all that begin so.
const TRACKING: &[&str] =
    &["utm_", "_ga", "_gl", "gclid", "fbclid", "msclkid", "mc_eid", "mc_cid", "dclid", "yclid"];

/// `www` or `bare`, where the host is one of the two.
pub(crate) fn www(url: &str) -> Option<&'static str> {
    let name = origin_of(url).split_once("://")?.1.split(':').next()?;
    let site = site_of(url);
    if name == site {
        return site.contains('.').then_some("bare");
    }
    (name.strip_prefix("www.") == Some(site)).then_some("www")
}

/// `slash` or `none`, where the path is that of no file and not the root.
pub(crate) fn slash(url: &str) -> Option<&'static str> {
    let path = url[origin_of(url).len()..].split(['?', '#']).next()?;
    let last = path.trim_end_matches('/').rsplit('/').next()?;
    if last.is_empty() || last.contains('.') {
        return None;
    }
    Some(if path.ends_with('/') { "slash" } else { "none" })
}

/// Whether a parameter says where a visitor came from.
pub(crate) fn has_tracking(url: &str) -> bool {
    let Some((_, query)) = url.split_once('?') else { return false };
    query.split('&').any(|pair| {
        let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
        TRACKING
            .iter()
            .any(|known| if known.ends_with('_') { name.starts_with(known) } else { name == *known })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_apart() {
        let check = |url: &str, expect: (Option<&str>, Option<&str>, bool)| {
            assert_eq!((www(url), slash(url), has_tracking(url)), expect, "{url}");
        };
        check("https://www.a.example/", (Some("www"), None, false));
        check("https://a.example/b/?x", (Some("bare"), Some("slash"), false));
        check("https://blog.a.example/b", (None, Some("none"), false));
        check("https://a.example/b.html?utm_source=x", (Some("bare"), None, true));
        check("https://a.example/b?y=1&GCLID=x", (Some("bare"), Some("none"), true));
        check("http://localhost:80/b?gclidx=1", (None, Some("none"), false));
        check("https://127.0.0.1/", (Some("bare"), None, false));
    }
}
