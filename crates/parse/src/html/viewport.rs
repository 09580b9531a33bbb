//! What a viewport says, as browsers read it (CSS Device Adaptation, "parsing algorithm").

/// The parts of a viewport that can keep people from reading.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Viewport {
    /// The width is a number of pixels.
    pub(crate) is_fixed: bool,
    /// Nobody can enlarge the page to twice its size (WCAG 2.2, 1.4.4).
    pub(crate) blocks_zoom: bool,
}

pub(crate) fn viewport(content: &str) -> Viewport {
    let mut found = Viewport::default();
    for (name, value) in pairs(content) {
        match name.to_ascii_lowercase().as_str() {
            "width" => found.is_fixed = number(value).is_some_and(|width| width > 0.0),
            "user-scalable" => {
                found.blocks_zoom |= match number(value) {
                    Some(number) => number.abs() < 1.0,
                    None => !["yes", "device-width", "device-height"]
                        .iter()
                        .any(|word| value.eq_ignore_ascii_case(word)),
                };
            }
            "maximum-scale" => {
                let scale = match number(value) {
                    // A negative one is dropped.
                    Some(number) if number < 0.0 => continue,
                    Some(number) => number,
                    None if value.eq_ignore_ascii_case("yes") => 1.0,
                    None if ["device-width", "device-height"]
                        .iter()
                        .any(|word| value.eq_ignore_ascii_case(word)) =>
                    {
                        10.0
                    }
                    None => 0.1,
                };
                found.blocks_zoom |= scale < 2.0;
            }
            _ => {}
        }
    }
    found
}

/// Name and value of each property; separated by commas, semicolons or white space.
fn pairs(content: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_separator = |c: char| matches!(c, ',' | ';') || c.is_ascii_whitespace();
    let mut rest = content;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c| is_separator(c) || c == '=');
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(|c| is_separator(c) || c == '=').unwrap_or(rest.len());
        let name = &rest[..end];
        rest = rest[end..].trim_start_matches(|c: char| c.is_ascii_whitespace());
        let Some(value) = rest.strip_prefix('=') else { return Some((name, "")) };
        let value = value.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '=');
        let end = value.find(is_separator).unwrap_or(value.len());
        rest = &value[end..];
        Some((name, &value[..end]))
    })
}

/// The leading number of a value.
fn number(value: &str) -> Option<f64> {
    let end = value
        .bytes()
        .enumerate()
        .take_while(|(at, byte)| {
            byte.is_ascii_digit() || *byte == b'.' || (*at == 0 && matches!(byte, b'-' | b'+'))
        })
        .count();
    value[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viewports_are_read_as_browsers_read_them() {
        let check = |content: &str, is_fixed: bool, blocks_zoom: bool| {
            assert_eq!(viewport(content), Viewport { is_fixed, blocks_zoom }, "{content}");
        };
        check("width=device-width, initial-scale=1", false, false);
        check("width=device-width; initial-scale=1; maximum-scale=5; user-scalable=yes", false, false);
        check("width = 1024", true, false);
        check("WIDTH=980px", true, false);
        check("width=device-width,user-scalable=no", false, true);
        check("user-scalable=0 width=device-width", false, true);
        check("user-scalable=1", false, false);
        check("maximum-scale=1.0", false, true);
        check("maximum-scale=2", false, false);
        check("maximum-scale=-1", false, false);
        check("maximum-scale=device-width", false, false);
        check("minimum-scale=1, viewport-fit=cover", false, false);
        check("", false, false);
        check("width", false, false);
        check("=,=;", false, false);
    }
}
