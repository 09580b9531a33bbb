//! file: addresses, which pages name by mistake: never opened, but shown as browsers show them.
//!
//! The URL parser of the `url` crate drops empty segments here, and hosts before drive letters, so this follows the
//! standard's states itself: <https://url.spec.whatwg.org/#file-state> and what comes after it.

use url::Host;

/// The address without interpretation of its query's encoding; `None` where its host is none.
///
/// `reference` is trimmed. `base` is a file: address as this function gives them; without it the reference must have
/// the scheme. `encode_query` gives the bytes of a query in the document's encoding.
pub(super) fn parse(
    reference: &str,
    base: Option<&str>,
    encode_query: &dyn Fn(&str) -> Vec<u8>,
) -> Option<String> {
    let text: String = reference.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    let (text, fragment) = split_at_mark(&text, '#');
    let (text, query) = split_at_mark(text, '?');
    let base = base.and_then(Base::read);
    let mut file = File { host: String::new(), path: Vec::new() };
    let mut kept_query = None;
    let rest = without_scheme(text).unwrap_or(text);
    let slashes = rest.bytes().take(2).take_while(|b| is_slash(*b)).count();
    let path = match (slashes, base) {
        (2, _) => file.read_host(&rest[2..])?,
        (1, base) => {
            if let Some(base) = base {
                file.host = base.host.to_owned();
                let drive = base.segments().next().filter(|segment| is_drive(segment));
                file.path.extend(drive.filter(|_| !begins_with_drive(&rest[1..])).map(str::to_owned));
            }
            &rest[1..]
        }
        (_, Some(base)) => {
            file.host = base.host.to_owned();
            if rest.is_empty() {
                file.path.extend(base.segments().map(str::to_owned));
                kept_query = base.query;
            } else if !begins_with_drive(rest) {
                file.path.extend(base.segments().map(str::to_owned));
                file.shorten();
            }
            rest
        }
        (_, None) => rest,
    };
    let is_base_itself = slashes == 0 && base.is_some() && rest.is_empty();
    if !is_base_itself {
        file.read_path(path);
    }
    let mut out = format!("file://{}", file.host);
    for segment in &file.path {
        out.push('/');
        out.push_str(segment);
    }
    match query {
        Some(query) => {
            out.push('?');
            escape(&mut out, &encode_query(query), |b| matches!(b, b' ' | b'"' | b'#' | b'<' | b'>' | b'\''));
        }
        None => out.extend(kept_query.into_iter().flat_map(|query| ["?", query])),
    }
    if let Some(fragment) = fragment {
        out.push('#');
        escape(&mut out, fragment.as_bytes(), |b| matches!(b, b' ' | b'"' | b'<' | b'>' | b'`'));
    }
    Some(out)
}

/// Whether a trimmed reference is a file: address; without scheme it is one if the base is.
pub(super) fn is_file(reference: &str, on_file: bool) -> bool {
    let kept = |c: &char| !matches!(c, '\t' | '\n' | '\r');
    let mut letters = reference.chars().filter(kept);
    if letters.clone().take(5).map(|c| c.to_ascii_lowercase()).eq("file:".chars()) {
        return true;
    }
    let has_scheme = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))) == Some(':');
    on_file && !has_scheme
}

/// The parts of a base.
#[derive(Clone, Copy)]
struct Base<'t> {
    host: &'t str,
    /// Without its first slash.
    path: &'t str,
    query: Option<&'t str>,
}

impl<'t> Base<'t> {
    fn read(text: &'t str) -> Option<Self> {
        let (text, _) = split_at_mark(text.strip_prefix("file://")?, '#');
        let (text, query) = split_at_mark(text, '?');
        let (host, path) = text.split_once('/')?;
        Some(Self { host, path, query })
    }

    fn segments(self) -> impl Iterator<Item = &'t str> {
        self.path.split('/')
    }
}

struct File {
    /// As serialised; empty for this computer.
    host: String,
    path: Vec<String>,
}

impl File {
    /// Takes the host, and gives what follows it.
    fn read_host<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let end = text.bytes().position(is_slash).unwrap_or(text.len());
        let (host, path) = text.split_at(end);
        if is_drive_like(host) {
            return Some(text);
        }
        if !host.is_empty() {
            let host = Host::parse(host).ok()?.to_string();
            self.host = if host == "localhost" { String::new() } else { host };
        }
        Some(path.strip_prefix(['/', '\\']).unwrap_or(path))
    }

    fn read_path(&mut self, text: &str) {
        let mut segments = text.split(['/', '\\']).peekable();
        while let Some(segment) = segments.next() {
            let is_last = segments.peek().is_none();
            let plain = segment.to_ascii_lowercase().replace("%2e", ".");
            match plain.as_str() {
                "." | ".." => {
                    if plain == ".." {
                        self.shorten();
                    }
                    if is_last {
                        self.path.push(String::new());
                    }
                }
                _ if self.path.is_empty() && is_drive_like(segment) => {
                    self.path.push(format!("{}:", &segment[..1]));
                }
                _ => {
                    let mut out = String::with_capacity(segment.len());
                    escape(&mut out, segment.as_bytes(), |b| {
                        matches!(b, b' ' | b'"' | b'#' | b'<' | b'>' | b'?' | b'^' | b'`' | b'{' | b'}')
                    });
                    self.path.push(out);
                }
            }
        }
    }

    /// One segment less; a drive stays.
    fn shorten(&mut self) {
        if !matches!(&self.path[..], [only] if is_drive(only)) {
            self.path.pop();
        }
    }
}

const fn is_slash(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

/// `C:` or `C|`.
fn is_drive_like(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

fn is_drive(text: &str) -> bool {
    is_drive_like(text) && text.ends_with(':')
}

fn begins_with_drive(text: &str) -> bool {
    text.get(..2).is_some_and(is_drive_like) && text.as_bytes().get(2).is_none_or(|b| is_slash(*b))
}

fn without_scheme(text: &str) -> Option<&str> {
    text.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("file:")).map(|_| &text[5..])
}

fn split_at_mark(text: &str, mark: char) -> (&str, Option<&str>) {
    text.split_once(mark).map_or((text, None), |(before, after)| (before, Some(after)))
}

/// Appends bytes, those beyond printable ASCII and the given ones as escapes.
fn escape(out: &mut String, bytes: &[u8], is_escaped: impl Fn(u8) -> bool) {
    for byte in bytes {
        if matches!(byte, b' '..=b'~') && !is_escaped(*byte) {
            out.push(char::from(*byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_files() {
        let check = |reference: &str, base: Option<&str>, expect: Option<&str>| {
            assert!(is_file(reference, base.is_some()), "{reference}");
            let got = parse(reference, base, &|query| query.as_bytes().to_vec());
            assert_eq!(got.as_deref(), expect, "{reference} on {base:?}");
        };
        check("file:///C|/Users/me/a b.html#é", None, Some("file:///C:/Users/me/a%20b.html#%C3%A9"));
        check("FILE:\\\\server\\share\\x", None, Some("file://server/share/x"));
        check("file://localhost//x", None, Some("file:////x"));
        check("file://host/C:/../x", None, Some("file://host/C:/x"));
        check("../x?a'b", Some("file:///a/b/c"), Some("file:///a/x?a%27b"));
        check("?q", Some("file:///a/b?p#f"), Some("file:///a/b?q"));
        check("", Some("file:///a/b?p#f"), Some("file:///a/b?p"));
        check("/x", Some("file://h/C:/a"), Some("file://h/C:/x"));
        check("file://[::1/x", None, None);
    }

    #[test]
    fn other_addresses() {
        let check = |reference: &str, on_file: bool, expect: bool| {
            assert_eq!(is_file(reference, on_file), expect, "{reference}");
        };
        check("http:x", true, false);
        check("D:/x", true, false);
        check("x", true, true);
        check("fi\nle:x", false, true);
        check("files:x", false, false);
        check("x", false, false);
    }
}
