//! The bytes of a sitemap in layers: gzip undone, capped, decoded to UTF-8, counted in lines and columns.

use super::SitemapReport;
use encoding_rs::{Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Cursor, Read};

/// Layers of gzip that are undone: once for storage, once for transport, and one for luck.
const MAX_LAYERS: u8 = 3;
/// Bytes of one piece of text or markup; more is no sitemap.
const MAX_TOKEN: usize = 1 << 20;
const BUFFER: usize = 16_384;

/// Everything up to UTF-8: the compressed layers, the cap, and the decoder.
pub(super) struct Upstream<'a> {
    reader: Box<dyn BufRead + 'a>,
    gzip_layers: u8,
    /// Bytes that may still come.
    left: u64,
    decoded: u64,
    truncated: bool,
    /// Why the bytes ended early.
    fault: Option<String>,
    /// What the XML declaration says of the encoding although the bytes are in another one, and where it says so.
    contradiction: Option<(String, (u32, u32))>,
    decoder: Decoder,
    malformed: bool,
    finished: bool,
    raw: Vec<u8>,
}

impl<'a> Upstream<'a> {
    pub(super) fn open(input: &'a mut dyn Read, cap: u64) -> Self {
        let mut fault = None;
        let mut layers = 0;
        let (mut head, mut reader) = peel(Box::new(BufReader::with_capacity(BUFFER, input)), &mut fault);
        while head.starts_with(&[0x1F, 0x8B]) && layers < MAX_LAYERS {
            layers += 1;
            let inner = Cursor::new(head).chain(reader);
            let decoder = BufReader::with_capacity(BUFFER, MultiGzDecoder::new(inner));
            (head, reader) = peel(Box::new(decoder), &mut fault);
        }
        let (encoding, mark) = encoding_of(&head);
        head.drain(..mark);
        let contradiction = contradiction(&head, encoding, mark > 0);
        Self {
            reader: Box::new(Cursor::new(head).chain(reader)),
            gzip_layers: layers,
            left: cap,
            decoded: 0,
            truncated: false,
            fault,
            contradiction,
            decoder: encoding.new_decoder_without_bom_handling(),
            malformed: false,
            finished: false,
            raw: vec![0; BUFFER],
        }
    }

    /// Appends some text; nothing at the end.
    fn fill(&mut self, out: &mut String) {
        while out.is_empty() && !self.finished {
            let want = self.raw.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
            let read = match self.reader.read(&mut self.raw[..want.max(1)]) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.fault.get_or_insert(error.to_string());
                    0
                }
            };
            // At the cap one byte more is asked for, only to learn whether there is one.
            if want == 0 && read > 0 {
                self.truncated = true;
            }
            let bytes = if want == 0 { 0 } else { read };
            self.left -= bytes as u64;
            self.decoded += bytes as u64;
            let last = bytes == 0;
            let need = self.decoder.max_utf8_buffer_length(bytes).unwrap_or(bytes * 3 + 16);
            out.reserve(need);
            let (_, _, malformed) = self.decoder.decode_to_string(&self.raw[..bytes], out, last);
            self.malformed |= malformed;
            self.finished = last;
        }
    }

    pub(super) fn close(self, report: &mut SitemapReport, end: (u32, u32)) {
        report.gzip_layers = self.gzip_layers;
        report.decoded_bytes = self.decoded;
        report.truncated = self.truncated;
        if self.truncated {
            report.problem("truncated", format!("read up to the cap of {} bytes", self.decoded), end);
        }
        if let Some(fault) = self.fault {
            let code = if self.gzip_layers > 0 { "gzip-error" } else { "read-error" };
            report.problem(code, fault, end);
        }
        if let Some((detail, at)) = self.contradiction {
            report.problem("encoding-contradicted", detail, at);
        }
        if self.malformed {
            report.problem("encoding-malformed", "bytes that are not in the declared encoding", (0, 0));
        }
    }
}

/// The first bytes, as many as are needed to judge them, and the rest.
fn peel<'a>(
    mut reader: Box<dyn BufRead + 'a>,
    fault: &mut Option<String>,
) -> (Vec<u8>, Box<dyn BufRead + 'a>) {
    let mut head = Vec::with_capacity(1_024);
    while head.len() < 1_024 {
        let mut piece = [0; 1_024];
        match reader.read(&mut piece[..1_024 - head.len()]) {
            Ok(0) => break,
            Ok(read) => head.extend_from_slice(&piece[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                *fault = Some(error.to_string());
                return (head, Box::new(io::empty()));
            }
        }
    }
    (head, reader)
}

/// Byte order mark, then the shape of UTF-16, then the XML declaration, then UTF-8; and the length of the mark.
fn encoding_of(head: &[u8]) -> (&'static Encoding, usize) {
    if let Some(found) = Encoding::for_bom(head) {
        return found;
    }
    match head {
        [b'<', 0, ..] => return (UTF_16LE, 0),
        [0, b'<', ..] => return (UTF_16BE, 0),
        _ => {}
    }
    let start = head.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(0);
    (crate::charset::xml_encoding(&head[start..]).unwrap_or(UTF_8), 0)
}

/// What the declaration at the start of `head` says of the encoding, where that cannot be: XML reads bytes of one width as UTF-16
/// never, and takes a byte order mark's word against a declaration as an error (XML 1.0, §4.3.3).
fn contradiction(head: &[u8], encoding: &'static Encoding, has_mark: bool) -> Option<(String, (u32, u32))> {
    let is_wide = |encoding: &'static Encoding| encoding == UTF_16LE || encoding == UTF_16BE;
    // A declaration is of ASCII only, so half of the bytes of UTF-16 are enough.
    let narrow: Vec<u8> = if is_wide(encoding) {
        head.iter().skip(usize::from(encoding == UTF_16BE)).step_by(2).copied().collect()
    } else {
        head.to_vec()
    };
    let start = narrow.iter().position(|b| !b.is_ascii_whitespace())?;
    let (label, offset) = crate::charset::xml_label(&narrow[start..])?;
    let declared = Encoding::for_label(label)?;
    let is_contradicted =
        is_wide(declared) != is_wide(encoding) || (has_mark && !is_wide(encoding) && declared != encoding);
    if !is_contradicted {
        return None;
    }
    let before = String::from_utf8_lossy(&narrow[..start + offset]);
    let detail =
        format!("{} is declared, and the bytes are {}", String::from_utf8_lossy(label), encoding.name());
    Some((detail, position_after((1, 1), &before)))
}

/// One-based line and column behind `text`, which begins at `at`.
pub(super) fn position_after((line, column): (u32, u32), text: &str) -> (u32, u32) {
    let count = |text: &str| u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    match text.rsplit_once('\n') {
        Some((before, last)) => {
            let lines = memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1;
            (line + u32::try_from(lines).unwrap_or(u32::MAX - line), 1 + count(last))
        }
        None => (line, column + count(text)),
    }
}

/// UTF-8 with positions, as the XML reader takes it.
pub(super) struct Source<'a, 'b> {
    upstream: &'a mut Upstream<'b>,
    buffer: String,
    at: usize,
    line: u32,
    column: u32,
    /// Bytes since the last token ended.
    token: usize,
    pub(super) token_too_long: bool,
}

impl<'a, 'b> Source<'a, 'b> {
    pub(super) fn new(upstream: &'a mut Upstream<'b>) -> Self {
        Self { upstream, buffer: String::new(), at: 0, line: 1, column: 1, token: 0, token_too_long: false }
    }

    /// One-based line and column of what comes next.
    pub(super) fn position(&self) -> (u32, u32) {
        (self.line, self.column)
    }

    pub(super) fn skip_space(&mut self) {
        loop {
            let head = self.head();
            let space = head.iter().take_while(|b| b.is_ascii_whitespace()).count();
            let is_all = space == head.len();
            self.consume(space);
            if space == 0 || !is_all {
                return;
            }
        }
    }

    /// What is buffered; empty at the end.
    pub(super) fn head(&mut self) -> &[u8] {
        if self.at == self.buffer.len() {
            self.buffer.clear();
            self.at = 0;
            self.upstream.fill(&mut self.buffer);
        }
        &self.buffer.as_bytes()[self.at..]
    }

    pub(super) fn token_ended(&mut self) {
        self.token = 0;
    }
}

impl Read for Source<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let head = self.fill_buf()?;
        let length = head.len().min(out.len());
        out[..length].copy_from_slice(&head[..length]);
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Source<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.token > MAX_TOKEN {
            self.token_too_long = true;
            return Ok(&[]);
        }
        Ok(self.head())
    }

    fn consume(&mut self, amount: usize) {
        let end = (self.at + amount).min(self.buffer.len());
        let piece = &self.buffer.as_bytes()[self.at..end];
        let is_start = |b: &&u8| (**b & 0xC0) != 0x80;
        match memchr::memrchr(b'\n', piece) {
            Some(last) => {
                self.line += memchr::memchr_iter(b'\n', piece).count() as u32;
                self.column = 1 + piece[last + 1..].iter().filter(is_start).count() as u32;
            }
            None => self.column += piece.iter().filter(is_start).count() as u32,
        }
        self.token += end - self.at;
        self.at = end;
    }
}
