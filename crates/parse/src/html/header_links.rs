//! `Link` headers (RFC 8288) and `X-Robots-Tag` headers.

/// One link of a `Link` header.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct HeaderLink {
    pub(crate) href: String,
    /// Lower case, white space collapsed.
    pub(crate) rel: String,
    pub(crate) hreflang: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) media: Option<String>,
    /// The link is about another document than this one.
    pub(crate) anchor: Option<String>,
}

/// The links of one header value; what cannot be read is passed over up to the next comma.
pub(crate) fn link_header(value: &str) -> Vec<HeaderLink> {
    let mut out = Vec::new();
    let mut rest = value;
    while let Some(start) = rest.find('<') {
        let Some(end) = rest[start..].find('>') else { break };
        let mut link = HeaderLink { href: rest[start + 1..start + end].to_owned(), ..HeaderLink::default() };
        rest = &rest[start + end + 1..];
        let mut has_rel = false;
        while let Some(after) = rest.trim_start().strip_prefix(';') {
            let (name, value, next) = parameter(after);
            rest = next;
            let first = |slot: &mut Option<String>, value: String| {
                slot.get_or_insert(value);
            };
            match name.as_str() {
                // RFC 8288 §3.3: only the first rel counts.
                "rel" if !has_rel => {
                    has_rel = true;
                    link.rel = super::text::collapse(&value).to_ascii_lowercase();
                }
                "hreflang" => first(&mut link.hreflang, value),
                "type" => first(&mut link.kind, value),
                "media" => first(&mut link.media, value),
                "anchor" => first(&mut link.anchor, value),
                _ => {}
            }
        }
        out.push(link);
        match rest.find(',') {
            Some(comma) => rest = &rest[comma + 1..],
            None => break,
        }
    }
    out
}

/// Name in lower case, value without quotes, and what follows.
fn parameter(text: &str) -> (String, String, &str) {
    let text = text.trim_start();
    let end = text.find(['=', ';', ',']).unwrap_or(text.len());
    let name = text[..end].trim().to_ascii_lowercase();
    let rest = &text[end..];
    let Some(value) = rest.strip_prefix('=') else { return (name, String::new(), rest) };
    let value = value.trim_start();
    let Some(quoted) = value.strip_prefix('"') else {
        let end = value.find([';', ',']).unwrap_or(value.len());
        return (name, value[..end].trim().to_owned(), &value[end..]);
    };
    let mut out = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (name, out, &quoted[at + 1..]),
            '\\' => out.extend(chars.next().map(|(_, c)| c)),
            _ => out.push(c),
        }
    }
    (name, out, "")
}

/// Directives that carry a value behind a colon, so that the colon names no bot.
const VALUED: &[&str] = &["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];

/// The bots and directives of one `X-Robots-Tag` value: bot (`robots` where none is named) and directives, lower
/// case, separated by `, `.
pub(crate) fn robots_header(value: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    for part in value.split(',') {
        let part = super::text::collapse(part).to_ascii_lowercase();
        let (bot, directive) = match part.split_once(':') {
            Some((name, rest))
                if !VALUED.contains(&name.trim()) && is_token(name.trim()) && !in_date(&out, name.trim()) =>
            {
                (Some(name.trim().to_owned()), rest.trim().to_owned())
            }
            _ => (None, part.clone()),
        };
        match (bot, out.last_mut()) {
            (Some(bot), _) => out.push((bot, directive)),
            (None, None) => out.push(("robots".to_owned(), directive)),
            (None, Some((_, directives))) => {
                if !directive.is_empty() {
                    if !directives.is_empty() {
                        directives.push_str(", ");
                    }
                    directives.push_str(&directive);
                }
            }
        }
    }
    out.retain(|(bot, directives)| !(bot == "robots" && directives.is_empty()));
    out
}

/// `Wednesday, 03-Jan-2029 15:00:00` behind `unavailable_after`: a date's hours are no bot.
fn in_date(so_far: &[(String, String)], name: &str) -> bool {
    name.contains(|c: char| c.is_ascii_digit())
        && so_far.last().is_some_and(|(_, directives)| {
            directives.rsplit(", ").take(2).any(|d| d.starts_with("unavailable_after"))
        })
}

fn is_token(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_with_their_parameters() {
        let check = |value: &str, expect: &[(&str, &str, Option<&str>)]| {
            let got = link_header(value);
            let got: Vec<_> = got.iter().map(|l| (&*l.href, &*l.rel, l.hreflang.as_deref())).collect();
            assert_eq!(got, expect, "{value}");
        };
        check("<https://a/>; rel=\"canonical\"", &[("https://a/", "canonical", None)]);
        check("</a,b>; rel=Next, </c>;rel=prev", &[("/a,b", "next", None), ("/c", "prev", None)]);
        check(
            "</de>; rel=\"alternate\"; hreflang=\"de\"; title=\"a, \\\"b;\"",
            &[("/de", "alternate", Some("de"))],
        );
        check("<x>; rel=\"Preload  Prefetch\"; rel=no; as=script", &[("x", "preload prefetch", None)]);
        check("rubbish", &[]);
        check("<open", &[]);
        check("<a>;rel=\"open", &[("a", "open", None)]);
    }

    #[test]
    fn robots_by_bot() {
        let check = |value: &str, expect: &[(&str, &str)]| {
            let got = robots_header(value);
            let got: Vec<_> = got.iter().map(|(b, d)| (&**b, &**d)).collect();
            assert_eq!(got, expect, "{value}");
        };
        check("noindex, NoFollow", &[("robots", "noindex, nofollow")]);
        check("googlebot: noindex", &[("googlebot", "noindex")]);
        check(
            "otherbot: noindex, nofollow, googlebot: none",
            &[("otherbot", "noindex, nofollow"), ("googlebot", "none")],
        );
        check(
            "max-snippet: 20, max-image-preview:large",
            &[("robots", "max-snippet: 20, max-image-preview:large")],
        );
        check(
            "unavailable_after: 25 Jun 2030 15:00:00 PST",
            &[("robots", "unavailable_after: 25 jun 2030 15:00:00 pst")],
        );
        check("", &[]);
    }
}
