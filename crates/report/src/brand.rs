//! What an agency puts on a report: its name, its logo, its words.

use quick_xml::events::Event;
use std::fmt;

/// Who sends a report. Empty by default: then it bears no name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Brand {
    pub agency: String,
    /// Paragraphs of plain text, separated by empty lines.
    pub intro: String,
    pub logo: Option<Logo>,
}

/// A picture that has been looked at: it is what it says it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Logo {
    Raster(Picture),
    /// An SVG document. Shown as an image, so that a script in it does not run.
    Svg(Vec<u8>),
}

/// A PNG or JPEG with its size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    bytes: Vec<u8>,
    ending: &'static str,
    width: u32,
    height: u32,
}

/// Why a file is no logo, as a sentence for the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogoFault {
    TooLarge,
    NotAnImage,
    NoNamespace,
    Empty,
}

impl fmt::Display for LogoFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLarge => "is larger than 1 MB; a logo of a few hundred pixels is enough",
            Self::NotAnImage => "is not a PNG, JPEG or SVG image",
            Self::NoNamespace => {
                "is an SVG without xmlns=\"http://www.w3.org/2000/svg\", which no browser shows as an image"
            }
            Self::Empty => "is an image without any size",
        })
    }
}

impl std::error::Error for LogoFault {}

impl Logo {
    /// Bytes of the file at most.
    pub const LARGEST: u64 = 1_000_000;

    /// Recognises an image by its content, whatever its file is called.
    pub fn read(bytes: Vec<u8>) -> Result<Self, LogoFault> {
        if bytes.len() as u64 > Self::LARGEST {
            return Err(LogoFault::TooLarge);
        }
        let (ending, size) = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            ("png", png_size(&bytes))
        } else if bytes.starts_with(b"\xff\xd8\xff") {
            ("jpeg", jpeg_size(&bytes))
        } else {
            check_svg(&bytes)?;
            return Ok(Self::Svg(bytes));
        };
        let (width, height) = size.ok_or(LogoFault::NotAnImage)?;
        if width == 0 || height == 0 {
            return Err(LogoFault::Empty);
        }
        Ok(Self::Raster(Picture { bytes, ending, width, height }))
    }

    pub(crate) const fn media_type(&self) -> &'static str {
        match self {
            Self::Raster(picture) => match picture.ending.as_bytes() {
                b"png" => "image/png",
                _ => "image/jpeg",
            },
            Self::Svg(_) => "image/svg+xml",
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Raster(picture) => &picture.bytes,
            Self::Svg(bytes) => bytes,
        }
    }
}

impl Picture {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// `png` or `jpeg`: the ending of its file and the second half of its media type.
    pub(crate) const fn ending(&self) -> &'static str {
        self.ending
    }

    /// Width and height in pixels, made smaller where they do not fit into the room.
    pub(crate) fn fitted(&self, room: (u32, u32)) -> (u32, u32) {
        let (width, height) = (f64::from(self.width), f64::from(self.height));
        let scale = (f64::from(room.0) / width).min(f64::from(room.1) / height).min(1.0);
        (((width * scale).round() as u32).max(1), ((height * scale).round() as u32).max(1))
    }
}

/// The size in the IHDR chunk, which comes first (PNG, 11.2.2).
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    (bytes.get(12..16)? == b"IHDR").then_some(())?;
    Some((number(16)?, number(20)?))
}

/// The size in the frame header (ITU-T T.81, B.2.2).
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let marker = bytes.get(at..at + 2)?;
        if marker[0] != 0xff {
            return None;
        }
        match marker[1] {
            // Fill bytes, and markers without a length.
            0xff => at += 1,
            0x01 | 0xd0..=0xd8 => at += 2,
            // The picture's data begins, or it ends, without a frame.
            0xd9 | 0xda => return None,
            kind => {
                let length = u16::from_be_bytes(bytes.get(at + 2..at + 4)?.try_into().ok()?);
                // Of C0 to CF these three are tables.
                if (0xc0..=0xcf).contains(&kind) && !matches!(kind, 0xc4 | 0xc8 | 0xcc) {
                    let number = |from: usize| -> Option<u32> {
                        Some(u32::from(u16::from_be_bytes(bytes.get(from..from + 2)?.try_into().ok()?)))
                    };
                    return Some((number(at + 7)?, number(at + 5)?));
                }
                at += 2 + usize::from(length);
            }
        }
    }
}

/// An XML document whose root element is SVG's.
fn check_svg(bytes: &[u8]) -> Result<(), LogoFault> {
    let text = std::str::from_utf8(bytes).map_err(|_| LogoFault::NotAnImage)?;
    let mut reader = quick_xml::Reader::from_str(text.trim_start_matches('\u{feff}').trim_start());
    loop {
        match reader.read_event() {
            Ok(Event::Start(root) | Event::Empty(root)) if root.local_name().as_ref() == "svg" => {
                let declared = root.attributes().flatten().any(|attribute| {
                    attribute.key.as_ref().starts_with("xmlns")
                        && attribute.value.as_ref() == "http://www.w3.org/2000/svg"
                });
                return if declared { Ok(()) } else { Err(LogoFault::NoNamespace) };
            }
            Ok(Event::Decl(_) | Event::Comment(_) | Event::DocType(_) | Event::PI(_) | Event::Text(_)) => {}
            _ => return Err(LogoFault::NotAnImage),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\0\x64\x08\x06\0\0\0";
    const JPEG: &[u8] = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc4\0\x03x\xff\xc2\0\x08\x08\0\x40\0\x80\x03";

    #[test]
    fn images_are_recognised_by_their_content() {
        let check = |bytes: &[u8], expect: Result<Option<(u32, u32)>, LogoFault>| {
            let read = Logo::read(bytes.to_vec()).map(|logo| match logo {
                Logo::Raster(picture) => Some((picture.width, picture.height)),
                Logo::Svg(_) => None,
            });
            assert_eq!(read, expect, "{:?}", String::from_utf8_lossy(bytes));
        };
        check(PNG, Ok(Some((640, 100))));
        check(JPEG, Ok(Some((128, 64))));
        check(&PNG[..20], Err(LogoFault::NotAnImage));
        for cut in 3..JPEG.len() - 4 {
            check(&JPEG[..cut], Err(LogoFault::NotAnImage));
        }
        check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\x64", Err(LogoFault::Empty));
        check(b"<?xml version='1.0'?>\n<!-- x -->\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>", Ok(None));
        check(b"\xef\xbb\xbf<!DOCTYPE svg><s:svg xmlns:s='http://www.w3.org/2000/svg'>", Ok(None));
        check(b"<svg viewBox='0 0 1 1'/>", Err(LogoFault::NoNamespace));
        check(b"<html><svg xmlns='http://www.w3.org/2000/svg'/></html>", Err(LogoFault::NotAnImage));
        check(b"GIF89a", Err(LogoFault::NotAnImage));
        check(b"\xff\xfe<\0s\0", Err(LogoFault::NotAnImage));
        check(b"", Err(LogoFault::NotAnImage));
        check(&vec![b' '; 1_000_001], Err(LogoFault::TooLarge));
    }

    #[test]
    fn pictures_keep_their_shape() {
        let picture = |width, height| Picture { bytes: Vec::new(), ending: "png", width, height };
        assert_eq!(picture(640, 100).fitted((320, 72)), (320, 50));
        assert_eq!(picture(100, 1000).fitted((320, 72)), (7, 72));
        assert_eq!(picture(20, 10).fitted((320, 72)), (20, 10));
        assert_eq!(picture(u32::MAX, 1).fitted((320, 72)), (320, 1));
    }
}
