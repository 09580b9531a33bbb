//! Content codings: gzip, deflate (zlib and raw), br and zstd, decoded piece by piece into a bounded room.
//!
//! The client's own decompression is off, because it hides sizes and has no limits. A [`Decoder`] never produces
//! more than the room it is given, keeps what it decoded when the rest is broken, and takes a body whose first bytes
//! are not those of the declared coding as plain, which servers that compress twice or not at all make necessary.

use crate::coding::{Damaged, Stage};

/// What we ask for in Accept-Encoding.
pub(crate) const ACCEPTED: &str = "gzip, deflate, br, zstd";

/// Codings that are undone one after another at most; nobody applies more on purpose.
const MAX_CODINGS: usize = 3;

/// Bytes decoded at a time, and held between two codings of a chain.
const STEP: usize = 32 * 1024;

/// Undoes the content codings of one body.
pub(crate) struct Decoder {
    /// In the order in which they are undone; empty for a plain body.
    stages: Vec<Stage>,
    /// What each stage but the last has produced and the next has not taken.
    between: Vec<Vec<u8>>,
    step: Box<[u8]>,
    /// The header itself named something that cannot be undone.
    complaint: Option<String>,
}

impl Decoder {
    /// Reads the values of Content-Encoding, in order. Unknown codings are left as they are, with a complaint, as
    /// browsers leave them; names of charsets and of no coding at all are common and mean nothing.
    pub(crate) fn for_header<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        let mut stages = Vec::new();
        let mut complaint = None;
        for token in values.flat_map(|value| value.split(',')).map(str::trim) {
            match token.to_ascii_lowercase().as_str() {
                "gzip" | "x-gzip" => stages.push(Stage::gzip()),
                "deflate" => stages.push(Stage::deflate()),
                "br" => stages.push(Stage::brotli()),
                "zstd" => match Stage::zstd() {
                    Some(stage) => stages.push(stage),
                    None => complaint = Some("zstd could not be set up".to_owned()),
                },
                "" | "identity" | "none" | "binary" | "7bit" | "8bit" | "chunked" => {}
                charset if charset.starts_with("utf") || charset.starts_with("iso-8859") => {}
                other => {
                    complaint = Some(format!(
                        "unknown content coding “{}”",
                        other.chars().take(40).collect::<String>()
                    ))
                }
            }
        }
        if stages.len() > MAX_CODINGS {
            complaint = Some(format!("{} content codings on top of one another", stages.len()));
            stages.clear();
        }
        stages.reverse();
        let between = vec![Vec::new(); stages.len().saturating_sub(1)];
        let step = if stages.is_empty() { Box::default() } else { vec![0; STEP].into_boxed_slice() };
        Self { stages, between, step, complaint }
    }

    /// Bytes that the decoders hold to refer back to, once `more` further bytes are decoded. What was not decoded yet was not
    /// written to their windows, and so takes no memory.
    pub(crate) fn windows(&self, more: u64) -> u64 {
        self.stages.iter().map(|stage| stage.window().min(stage.produced() + more)).sum()
    }

    /// Bytes that came out of the coding which gave the most.
    pub(crate) fn most_produced(&self) -> u64 {
        self.stages.iter().map(Stage::produced).max().unwrap_or_default()
    }

    /// Decodes from the front of `input`, which it shortens, and appends at most `room` bytes to `out`. It has done
    /// all it can when `input` is empty and fewer than `room` bytes were added.
    pub(crate) fn push(&mut self, input: &mut &[u8], out: &mut Vec<u8>, room: usize) -> Result<(), Damaged> {
        let end = out.len() + room;
        let Some(last) = self.stages.len().checked_sub(1) else {
            let taken = room.min(input.len());
            out.extend_from_slice(&input[..taken]);
            *input = &input[taken..];
            return Ok(());
        };
        if last == 0 {
            return self.stages[0].run(input, out, room, &mut self.step);
        }
        // A chain moves from its end backwards, so that what is between two stages stays at one step at most.
        loop {
            let before = (input.len(), out.len(), self.held());
            for at in (0..=last).rev() {
                if at < last && !self.between[at].is_empty() {
                    continue;
                }
                let mut produced = if at < last { std::mem::take(&mut self.between[at]) } else { Vec::new() };
                let (target, room) = if at < last {
                    (&mut produced, STEP)
                } else {
                    {
                        let room = end - out.len();
                        (&mut *out, room)
                    }
                };
                let done = if at == 0 {
                    self.stages[at].run(input, target, room, &mut self.step)
                } else {
                    let mut source = std::mem::take(&mut self.between[at - 1]);
                    let mut coded = source.as_slice();
                    let done = self.stages[at].run(&mut coded, target, room, &mut self.step);
                    let left = coded.len();
                    source.drain(..source.len() - left);
                    self.between[at - 1] = source;
                    done
                };
                if at < last {
                    self.between[at] = produced;
                }
                done?;
            }
            if out.len() == end || before == (input.len(), out.len(), self.held()) {
                return Ok(());
            }
        }
    }

    fn held(&self) -> usize {
        self.between.iter().map(Vec::len).sum()
    }

    /// Whether every coding came to its proper end. A body of no bytes at all is complete.
    pub(crate) fn is_complete(&self) -> bool {
        self.held() == 0 && self.stages.iter().all(Stage::is_complete)
    }

    /// What is wrong with the declaration, though not with the bytes.
    pub(crate) fn complaint(&self) -> Option<String> {
        let misdeclared = self.stages.iter().find_map(Stage::misdeclared);
        self.complaint
            .clone()
            .or_else(|| misdeclared.map(|name| format!("declared as {name}, but it is not")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use std::io::Write;

    /// Everything at once, byte by byte and through little rooms must give the same.
    fn decode(header: &str, coded: &[u8]) -> (Vec<u8>, Result<bool, Damaged>, Option<String>) {
        let results = [(usize::MAX, 1 << 20), (1, 1 << 20), (7, 3)].map(|(chunk, room)| {
            let mut decoder = Decoder::for_header(std::iter::once(header));
            let mut out = Vec::new();
            let mut end = Ok(());
            'all: for piece in coded.chunks(chunk.min(coded.len().max(1))) {
                let mut input = piece;
                loop {
                    let before = out.len();
                    end = decoder.push(&mut input, &mut out, room);
                    assert!(out.len() - before <= room, "the room is kept");
                    if end.is_err() {
                        break 'all;
                    }
                    if out.len() - before < room {
                        assert!(input.is_empty(), "all input is taken where there is room");
                        break;
                    }
                }
            }
            (out, end.map(|()| decoder.is_complete()), decoder.complaint())
        });
        let [first, others @ ..] = results;
        for other in others {
            if first.1.is_ok() {
                assert_eq!((&first.0, &first.1), (&other.0, &other.1), "{header}");
            } else {
                assert!(
                    other.1.is_err() && other.0.starts_with(&first.0[..first.0.len().min(other.0.len())])
                );
            }
        }
        first
    }

    fn text() -> Vec<u8> {
        (0..4000)
            .map(|n| format!("<p>paragraph {n} of {}</p>\n", n * 7919 % 4001))
            .collect::<String>()
            .into_bytes()
    }

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(plain).and_then(|()| encoder.finish()).expect("gzip")
    }

    fn zlib(plain: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(plain).and_then(|()| encoder.finish()).expect("zlib")
    }

    fn raw(plain: &[u8]) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(plain).and_then(|()| encoder.finish()).expect("deflate")
    }

    fn br(plain: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut writer = brotli::CompressorWriter::new(&mut out, 4096, 5, 22);
        writer.write_all(plain).and_then(|()| writer.flush()).expect("br");
        drop(writer);
        out
    }

    fn zst(plain: &[u8]) -> Vec<u8> {
        zstd::encode_all(plain, 3).expect("zstd")
    }

    fn check(header: &str, coded: &[u8], expect: &[u8]) {
        let (out, complete, complaint) = decode(header, coded);
        assert_eq!((complete, complaint), (Ok(true), None), "{header}");
        assert!(out == expect, "{header}: {} bytes instead of {}", out.len(), expect.len());
    }

    #[test]
    fn every_coding_decodes() {
        for plain in [text(), b"x".to_vec(), Vec::new()] {
            check("", &plain, &plain);
            check("identity", &plain, &plain);
            check("UTF-8", &plain, &plain);
            check("gzip", &gzip(&plain), &plain);
            check("X-GZIP", &gzip(&plain), &plain);
            check("deflate", &zlib(&plain), &plain);
            check("deflate", &raw(&plain), &plain);
            check("br", &br(&plain), &plain);
            check("zstd", &zst(&plain), &plain);
            check("gzip, br", &br(&gzip(&plain)), &plain);
            check("gzip, gzip, zstd", &zst(&gzip(&gzip(&plain))), &plain);
        }
        for header in ["gzip", "deflate", "br", "zstd"] {
            check(header, b"", b"");
        }
    }

    #[test]
    fn members_frames_headers_and_junk() {
        let (a, b) = (text(), b"<p>more</p>".to_vec());
        let both = [a.clone(), b.clone()].concat();
        check("gzip", &[gzip(&a), gzip(&b)].concat(), &both);
        check("zstd", &[zst(&a), zst(&b)].concat(), &both);
        for junk in [b"\0\0\0\0".as_slice(), b"<!-- served by x -->", b"\x1f", b"\x1f<"] {
            check("gzip", &[gzip(&a), junk.to_vec()].concat(), &a);
            check("br", &[br(&a), junk.to_vec()].concat(), &a);
            check("deflate", &[zlib(&a), junk.to_vec()].concat(), &a);
        }
        check("zstd", &[zst(&a), b"<!-- served by x -->".to_vec()].concat(), &a);
        let plain = gzip(&a);
        let mut full = vec![0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, 3, 0];
        full.extend_from_slice(b"abcname\0comment\0\x12\x34");
        full.extend_from_slice(&plain[10..]);
        check("gzip", &full, &a);
        // The trailer may be missing or wrong.
        check("gzip", &plain[..plain.len() - 8], &a);
        let mut wrong = zlib(&a);
        let last = wrong.len() - 1;
        wrong[last] ^= 0xff;
        check("deflate", &wrong, &a);
    }

    #[test]
    fn what_decoded_before_the_damage_is_kept() {
        let plain = text();
        for (header, coded) in [
            ("gzip", gzip(&plain)),
            ("deflate", zlib(&plain)),
            ("deflate", raw(&plain)),
            ("br", br(&plain)),
            ("zstd", zst(&plain)),
        ] {
            let (out, complete, _) = decode(header, &coded[..coded.len() / 2]);
            assert_eq!(complete, Ok(false), "{header} cut in the middle");
            assert!(plain.starts_with(&out), "{header}");
            assert!(!out.is_empty() || header == "zstd", "{header} gives what it has");
        }
        let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&plain).and_then(|()| encoder.flush()).expect("deflate");
        // Behind a flushed block a block of the kind that does not exist.
        let damaged = [encoder.get_ref().as_slice(), &[0xff; 100]].concat();
        let (out, complete, _) = decode("deflate", &damaged);
        assert_eq!(complete, Err(Damaged { coding: "deflate" }));
        assert!(out == plain, "{} of {} bytes", out.len(), plain.len());
    }

    #[test]
    fn misdeclared_bodies_pass_as_they_are() {
        let page = b"<!doctype html><p>plain</p>";
        for header in ["gzip", "deflate", "zstd"] {
            let (out, complete, complaint) = decode(header, page);
            assert_eq!((out.as_slice(), complete), (page.as_slice(), Ok(true)));
            assert!(complaint.is_some_and(|text| text.contains(header)));
        }
        let (out, _, complaint) = decode("sdch", page);
        assert!(out == page && complaint.is_some_and(|text| text.contains("sdch")));
        let (out, _, complaint) = decode("gzip, gzip, gzip, gzip", page);
        assert!(out == page && complaint.is_some());
    }
}
