//! Meta refresh, by the standard's "shared declarative refresh steps".
//!
//! <https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps>

/// What the `content` of a meta refresh asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetaRefresh<'a> {
    /// Seconds.
    pub delay: u32,
    /// As written, not resolved; `None` refreshes the page itself.
    pub url: Option<&'a str>,
}

/// Reads the `content` of a `meta http-equiv=refresh`; `None` where a browser does nothing.
pub fn meta_refresh(content: &str) -> Option<MetaRefresh<'_>> {
    let rest = trim_start(content);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 && !rest.starts_with('.') {
        return None;
    }
    let delay = match &rest[..digits] {
        "" => 0,
        number => number.parse().unwrap_or(u32::MAX),
    };
    let rest = rest[digits..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if rest.is_empty() {
        return Some(MetaRefresh { delay, url: None });
    }
    if !rest.starts_with(|c: char| matches!(c, ';' | ',') || is_space(c)) {
        return None;
    }
    let rest = trim_start(rest);
    let rest = trim_start(rest.strip_prefix([';', ',']).unwrap_or(rest));
    Some(MetaRefresh { delay, url: (!rest.is_empty()).then(|| address(rest)) })
}

/// `url=` and quotes removed where the steps remove them.
fn address(text: &str) -> &str {
    let quoted = match text.strip_prefix(['u', 'U']) {
        None => text,
        Some(rest) => {
            let Some(rest) = rest.strip_prefix(['r', 'R']).and_then(|rest| rest.strip_prefix(['l', 'L']))
            else {
                return text;
            };
            let Some(rest) = trim_start(rest).strip_prefix('=') else { return text };
            trim_start(rest)
        }
    };
    let Some(quote) = quoted.chars().next().filter(|c| matches!(c, '\'' | '"')) else { return quoted };
    let inner = &quoted[1..];
    inner.find(quote).map_or(inner, |end| &inner[..end])
}

fn trim_start(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0C' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_steps() {
        let check = |content: &str, expect: Option<(u32, Option<&str>)>| {
            assert_eq!(meta_refresh(content).map(|r| (r.delay, r.url)), expect, "{content:?}");
        };
        check("0;url=/t1.html", Some((0, Some("/t1.html"))));
        check("0,url=/t6.html", Some((0, Some("/t6.html"))));
        check("0; URL='/t5.html'", Some((0, Some("/t5.html"))));
        check("300", Some((300, None)));
        check("1x;url=/t7.html", None);
        check("-1; url=/t8.html", None);
        check(".5", Some((0, None)));
        check("99999999999", Some((u32::MAX, None)));
        check("", None);
    }
}
