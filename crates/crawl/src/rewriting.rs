//! What a discovered URL is taken for: parameters dropped, rewritten, in lower case, with its fragment.

use crate::scope::drop_parameters;
use model::Plan;
use model::address::origin_of;
use model::plan::Rewrite;
use std::borrow::Cow;
use url::Url;

/// The rules by which the URLs of one crawl are taken for others. What a person names, a seed or a list, is as it is.
#[derive(Default)]
pub(crate) struct Rewriting {
    drop: Vec<String>,
    rewrites: Vec<Rewrite>,
    lower_case: bool,
    fragments: bool,
}

impl Rewriting {
    pub(crate) fn new(plan: &Plan) -> Self {
        Self {
            drop: plan.scope.drop_parameters.clone(),
            rewrites: plan.scope.rewrites.clone(),
            lower_case: plan.scope.lower_case,
            fragments: plan.scope.fragments,
        }
    }

    /// Whether every URL is what it is.
    pub(crate) fn is_idle(&self) -> bool {
        self.drop.is_empty() && self.rewrites.is_empty() && !self.lower_case && !self.fragments
    }

    /// What a URL without fragment is taken for, where that differs. `raw` is the reference as it was written, where a
    /// fragment of it counts.
    pub(crate) fn apply(&self, url: &str, raw: Option<&str>) -> Option<String> {
        let mut text = Cow::Borrowed(url);
        if !self.drop.is_empty()
            && let Some(shorter) = drop_parameters(&text, &self.drop)
        {
            text = Cow::Owned(shorter);
        }
        for rewrite in &self.rewrites {
            if let Cow::Owned(changed) = rewrite.pattern.replace_all(&text, rewrite.with.as_str()) {
                // What is no web address any more was not meant.
                if let Some(valid) = web_address(&changed) {
                    text = Cow::Owned(valid);
                }
            }
        }
        if self.lower_case {
            let path = origin_of(&text).len()..without_fragment(&text).len();
            if text[path.clone()].bytes().any(|byte| byte.is_ascii_uppercase()) {
                text.to_mut()[path].make_ascii_lowercase();
            }
        }
        if self.fragments
            && let Some(fragment) = raw.and_then(fragment_of)
            && let Ok(mut address) = Url::parse(&text)
        {
            address.set_fragment(Some(fragment));
            text = Cow::Owned(address.into());
        }
        match text {
            Cow::Owned(changed) if changed != url => Some(changed),
            _ => None,
        }
    }
}

/// A text as an http or https URL without fragment.
fn web_address(text: &str) -> Option<String> {
    model::Address::parse(text).ok().map(|address| address.to_string())
}

/// What follows the first `#`, without the part that only marks a text for the browser; `None` where nothing is left.
fn fragment_of(raw: &str) -> Option<&str> {
    let (_, fragment) = raw.trim_end().split_once('#')?;
    let fragment = fragment.split_once(":~:").map_or(fragment, |(named, _)| named);
    (!fragment.is_empty()).then_some(fragment)
}

/// A URL as it is requested and as robots.txt is asked about it.
pub(crate) fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(head, _)| head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::settings::{Layer, Profile, Start, resolve};

    fn rewriting(said: &[(&str, &str)]) -> Rewriting {
        let mut profile = Profile::default();
        for (id, value) in said {
            profile.set(id, value);
        }
        Rewriting::new(&resolve(Start::default(), &[(Layer::Run, &profile)], &[]).unwrap())
    }

    #[test]
    fn urls_are_taken_for_what_the_settings_say() {
        let check = |said: &[(&str, &str)], url: &str, raw: &str, expect: Option<&str>| {
            let rewriting = rewriting(said);
            assert_eq!(rewriting.is_idle(), said.is_empty());
            let url = format!("http://h.test{url}");
            let expect = expect.map(|path| format!("http://h.test{path}"));
            let taken = rewriting.apply(&url, Some(raw));
            assert_eq!(taken, expect, "{url} by {said:?}");
            if let Some(taken) = taken {
                assert_eq!(rewriting.apply(&taken, None), None, "{taken} is not taken for another");
            }
        };
        check(&[], "/A?b#c", "", None);
        check(&[("scope.drop_parameters", "sid")], "/a?sid=1&b=2", "", Some("/a?b=2"));
        check(&[("scope.lower_case", "on")], "/A?B=C", "", Some("/a?b=c"));
        check(&[("scope.lower_case", "on")], "/a?b=c", "", None);
        let sessions = [("scope.rewrites", ";sid=[^?]* =>")];
        check(&sessions, "/a;sid=77?b", "", Some("/a?b"));
        check(&[("scope.rewrites", r"/(en|de)/(\d+) => /$2-$1")], "/en/7", "", Some("/7-en"));
        // Two in order, the second over what the first made.
        check(&[("scope.rewrites", r#"["/old => /new", "/new$ => /newest"]"#)], "/old", "", Some("/newest"));
        check(&[("scope.rewrites", "^.*$ => mailto:a@b.test")], "/a", "", None);
        check(&[("scope.rewrites", "^http:.*$ => not an address")], "/a", "", None);
        check(&[("scope.rewrites", "nothing => /x")], "/a", "", None);
        let fragments = [("scope.fragments", "on")];
        check(&fragments, "/a", "a#Part 1", Some("/a#Part%201"));
        check(&fragments, "/a", "/a", None);
        check(&fragments, "/a", "/a#", None);
        check(&fragments, "/a", "/a#:~:text=word", None);
        check(&fragments, "/a", "/a#part:~:text=word", Some("/a#part"));
        let all = [("scope.fragments", "on"), ("scope.lower_case", "on"), ("scope.drop_parameters", "x")];
        check(&all, "/A?x=1", "A?x=1#B", Some("/a#B"));
    }
}
