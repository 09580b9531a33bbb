//! Whether a document served as XML is well-formed. It is read by the HTML parser all the same.

use super::text::cut;
use model::facts::Problem;
use quick_xml::Reader;
use quick_xml::events::Event;

/// The first fault, or that of an element never closed.
pub(crate) fn well_formedness(text: &str) -> Option<Problem> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_comments = true;
    let (mut depth, mut roots) = (0_usize, 0_usize);
    loop {
        let fault = match reader.read_event() {
            Ok(Event::Start(tag)) => {
                roots += usize::from(depth == 0);
                depth += 1;
                attribute_fault(&tag)
            }
            Ok(Event::Empty(tag)) => {
                roots += usize::from(depth == 0);
                attribute_fault(&tag)
            }
            Ok(Event::End(_)) => {
                depth = depth.saturating_sub(1);
                None
            }
            Ok(Event::Eof) if depth > 0 => Some(format!("{depth} elements are not closed at the end")),
            Ok(Event::Eof) if roots == 0 => Some("there is no root element".to_owned()),
            Ok(Event::Eof) => return None,
            Ok(_) => None,
            Err(error) => Some(error.to_string()),
        };
        if let Some(detail) = fault {
            let at = (reader.error_position().max(reader.buffer_position()) as usize).min(text.len());
            let line = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() as u32;
            return Some(Problem { code: "xml-error", detail: cut(&detail, 500).into(), line });
        }
    }
}

/// Attributes are compared with each other, so a tag of thousands is not examined.
fn attribute_fault(tag: &quick_xml::events::BytesStart) -> Option<String> {
    tag.attributes().take(1_000).find_map(|attribute| attribute.err().map(|error| error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_a_line() {
        let check = |text: &str, line: Option<u32>| {
            assert_eq!(well_formedness(text).map(|p| p.line), line, "{text}");
        };
        check(
            "<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'><p>a &amp; b</p></html>",
            None,
        );
        check("<html>\n<p>a<br></p></html>", Some(2));
        check("<html>\n<p>", Some(2));
        check("<html>\n<p a=1/></html>", Some(2));
        check("", Some(1));
    }
}
