//! The srcset attribute, by the standard's algorithm: commas belong to addresses unless they end them.
//!
//! HTML, "parse a srcset attribute": <https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute>.

/// One image candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SrcsetCandidate<'a> {
    /// As written, not resolved.
    pub url: &'a str,
    /// The `w` descriptor, in pixels.
    pub width: Option<u64>,
    /// The `h` descriptor, in pixels.
    pub height: Option<u64>,
    /// The `x` descriptor.
    pub density: Option<f64>,
}

/// The candidates a browser keeps, and whether anything was wrong.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Srcset<'a> {
    pub candidates: Vec<SrcsetCandidate<'a>>,
    /// The parser met a parse error: a candidate was dropped, or commas stand where none belong.
    pub has_error: bool,
}

/// Reads a `srcset` or `imagesrcset` attribute.
pub fn srcset(input: &str) -> Srcset<'_> {
    let bytes = input.as_bytes();
    let mut out = Srcset::default();
    let mut at = 0;
    loop {
        while at < bytes.len() && (is_space(bytes[at]) || bytes[at] == b',') {
            out.has_error |= bytes[at] == b',';
            at += 1;
        }
        if at == bytes.len() {
            // The comma after the last candidate is an error to the standard, but harms nobody who lists one.
            return out;
        }
        let start = at;
        while at < bytes.len() && !is_space(bytes[at]) {
            at += 1;
        }
        let whole = &input[start..at];
        let url = whole.trim_end_matches(',');
        let mut candidate = SrcsetCandidate { url, width: None, height: None, density: None };
        let valid = if url.len() < whole.len() {
            out.has_error |= whole.len() - url.len() > 1;
            true
        } else {
            let descriptors = next_descriptors(input, at);
            at = descriptors.end;
            apply(&mut candidate, descriptors.text)
        };
        if valid {
            out.candidates.push(candidate);
        } else {
            out.has_error = true;
        }
    }
}

struct Descriptors<'a> {
    text: &'a str,
    /// Behind the comma that ends them.
    end: usize,
}

/// Everything up to the next comma outside parentheses.
fn next_descriptors(input: &str, start: usize) -> Descriptors<'_> {
    let bytes = input.as_bytes();
    let mut in_parens = false;
    for (offset, byte) in bytes[start..].iter().enumerate() {
        match byte {
            b'(' => in_parens = true,
            b')' => in_parens = false,
            b',' if !in_parens => {
                return Descriptors { text: &input[start..start + offset], end: start + offset + 1 };
            }
            _ => {}
        }
    }
    Descriptors { text: &input[start..], end: bytes.len() }
}

/// The descriptor parser; false where the candidate is to be dropped.
fn apply(candidate: &mut SrcsetCandidate, text: &str) -> bool {
    let mut rest = text.trim_matches(|c: char| c.is_ascii() && is_space(c as u8));
    while !rest.is_empty() {
        let mut in_parens = false;
        let end = rest
            .bytes()
            .position(|byte| {
                match byte {
                    b'(' => in_parens = true,
                    b')' => in_parens = false,
                    _ => {}
                }
                !in_parens && is_space(byte)
            })
            .unwrap_or(rest.len());
        if !apply_one(candidate, &rest[..end]) {
            return false;
        }
        rest = rest[end..].trim_start_matches(|c: char| c.is_ascii() && is_space(c as u8));
    }
    candidate.height.is_none() || candidate.width.is_some()
}

fn apply_one(candidate: &mut SrcsetCandidate, descriptor: &str) -> bool {
    let Some(unit) = descriptor.chars().next_back() else { return true };
    let number = &descriptor[..descriptor.len() - unit.len_utf8()];
    match unit {
        'w' if candidate.width.is_none() && candidate.density.is_none() => {
            candidate.width = positive_integer(number);
            candidate.width.is_some()
        }
        'h' if candidate.height.is_none() && candidate.density.is_none() => {
            candidate.height = positive_integer(number);
            candidate.height.is_some()
        }
        'x' if candidate.width.is_none() && candidate.height.is_none() && candidate.density.is_none() => {
            candidate.density = valid_float(number).filter(|value| *value >= 0.0);
            candidate.density.is_some()
        }
        _ => false,
    }
}

fn positive_integer(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // A number too large for the type is as good as the largest.
    Some(text.parse().unwrap_or(u64::MAX)).filter(|value| *value > 0)
}

/// HTML, "valid floating-point number": no plus sign, no bare point, digits after a point.
fn valid_float(text: &str) -> Option<f64> {
    let digits = |s: &str| s.bytes().take_while(u8::is_ascii_digit).count();
    let mut rest = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(rest);
    rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let count = digits(fraction);
        if count == 0 {
            return None;
        }
        rest = &fraction[count..];
    } else if whole == 0 {
        return None;
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let count = digits(exponent);
        if count == 0 {
            return None;
        }
        rest = &exponent[count..];
    }
    if rest.is_empty() { text.parse().ok() } else { None }
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0C | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_end_addresses_or_belong_to_them() {
        let check = |input: &str, expect: &[&str], has_error: bool| {
            let got = srcset(input);
            assert_eq!(got.candidates.iter().map(|c| c.url).collect::<Vec<_>>(), expect, "{input}");
            assert_eq!(got.has_error, has_error, "{input}");
        };
        check(
            "/w_320,h_200/a.jpg 320w, /w_640,h_400/a.jpg 640w",
            &["/w_320,h_200/a.jpg", "/w_640,h_400/a.jpg"],
            false,
        );
        check("/b-1x.jpg, /b-2x.jpg 2x", &["/b-1x.jpg", "/b-2x.jpg"], false);
        check(
            "data:image/gif;base64,R0lGOD= 1x, /c.gif 2x",
            &["data:image/gif;base64,R0lGOD=", "/c.gif"],
            false,
        );
        check("/d.jpg 1x,", &["/d.jpg"], false);
        check("/e.jpg,/e2.jpg 2x", &["/e.jpg,/e2.jpg"], false);
        check(", /g1.jpg 1x , /g2.jpg 2x , ", &["/g1.jpg", "/g2.jpg"], true);
        check("/a.jpg 1q, /b.jpg 2x", &["/b.jpg"], true);
        check("", &[], false);
    }
}
