//! One content coding, undone step by step: which decoder it needs, how its data is recognised, where it ends.

use crate::gzip::Gzip;
use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Decompress, FlushDecompress, Status};
use zstd::stream::raw::{DParameter, Decoder as ZstdDecoder, Operation};

/// The log2 of the largest zstd window a web client has to accept (RFC 9659 §3: 8 MB).
const ZSTD_WINDOW_LOG_MAX: u32 = 23;

/// The largest Brotli window (RFC 7932 §9.1), about 16 MB.
const BROTLI_WINDOW_MAX: u64 = 1 << 24;

/// The coded stream is broken from here on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the {coding} data is damaged")]
pub(crate) struct Damaged {
    pub(crate) coding: &'static str,
}

/// One coding being undone.
pub(crate) struct Stage {
    coding: Coding,
    /// Coded bytes came.
    begun: bool,
    /// The stream came to its end; what follows is ignored.
    ended: bool,
    /// Nothing is missing if the body stops here.
    whole: bool,
    /// A whole part (a zstd frame) came before; broken bytes after it are junk.
    had_whole: bool,
    /// The data is damaged from here on.
    failed: bool,
    /// The bytes are not of this coding: they pass as they are.
    plain: bool,
    /// First bytes, until there are enough to recognise the coding.
    first: Vec<u8>,
    /// Output may be waiting inside the decoder although its input is used up.
    more: bool,
    /// Bytes decoded so far.
    produced: u64,
}

enum Coding {
    Gzip(Gzip),
    /// The zlib wrapper, where there is one, is recognised and skipped.
    Deflate(Box<Decompress>),
    Brotli(Box<Brotli>),
    Zstd(Box<ZstdDecoder<'static>>),
}

type Brotli = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

/// Windows of more than 16 MB are not part of the coding as HTTP has it (RFC 7932 §9.1): they would be up to a gigabyte.
fn brotli_state() -> Box<Brotli> {
    let alloc = StandardAlloc::default;
    Box::new(BrotliState::new_strict(alloc(), alloc(), alloc()))
}

fn zstd_decoder() -> std::io::Result<Box<ZstdDecoder<'static>>> {
    let mut decoder = ZstdDecoder::new()?;
    decoder.set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG_MAX))?;
    Ok(Box::new(decoder))
}

impl Coding {
    const fn name(&self) -> &'static str {
        match self {
            Self::Gzip(_) => "gzip",
            Self::Deflate(_) => "deflate",
            Self::Brotli(_) => "br",
            Self::Zstd(_) => "zstd",
        }
    }

    /// How many first bytes tell whether the body has this coding; Brotli has no mark.
    const fn mark_length(&self) -> usize {
        match self {
            Self::Gzip(_) | Self::Deflate(_) => 2,
            Self::Zstd(_) => 4,
            Self::Brotli(_) => 0,
        }
    }

    /// Whether the first bytes can begin this coding.
    fn recognises(&self, first: &[u8]) -> bool {
        match (self, first) {
            (Self::Gzip(_), [0x1f, 0x8b]) => true,
            // The beginning of a tag is no deflate data that anybody sends: it is a page that was not coded.
            (Self::Deflate(_), _) => !matches!(first, [b'<', b'!' | b'h' | b'H' | b'?']),
            // A zstd frame or a skippable frame (RFC 8878 §3.1).
            (Self::Zstd(_), [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18]) => true,
            (Self::Brotli(_), _) => true,
            _ => false,
        }
    }
}

impl Stage {
    pub(crate) fn gzip() -> Self {
        Self::new(Coding::Gzip(Gzip::new()))
    }

    pub(crate) fn deflate() -> Self {
        Self::new(Coding::Deflate(Box::new(Decompress::new(false))))
    }

    pub(crate) fn brotli() -> Self {
        Self::new(Coding::Brotli(brotli_state()))
    }

    /// `None` when there is no memory for its tables.
    pub(crate) fn zstd() -> Option<Self> {
        zstd_decoder().ok().map(|decoder| Self::new(Coding::Zstd(decoder)))
    }

    /// The coding that was declared for bytes that are not of it.
    pub(crate) fn misdeclared(&self) -> Option<&'static str> {
        self.plain.then(|| self.coding.name())
    }

    const fn new(coding: Coding) -> Self {
        Self {
            coding,
            begun: false,
            ended: false,
            whole: false,
            had_whole: false,
            failed: false,
            plain: false,
            first: Vec::new(),
            more: false,
            produced: 0,
        }
    }

    /// Bytes decoded so far.
    pub(crate) const fn produced(&self) -> u64 {
        self.produced
    }

    /// Decoded bytes that the decoder keeps to refer back to, at most; the little that every decoder needs is not counted.
    pub(crate) const fn window(&self) -> u64 {
        match self.coding {
            Coding::Brotli(_) => BROTLI_WINDOW_MAX,
            Coding::Zstd(_) => 1 << ZSTD_WINDOW_LOG_MAX,
            Coding::Gzip(_) | Coding::Deflate(_) => 0,
        }
    }

    pub(crate) const fn is_complete(&self) -> bool {
        !self.begun || self.plain || self.ended || self.whole
    }

    pub(crate) fn run(
        &mut self,
        input: &mut &[u8],
        out: &mut Vec<u8>,
        room: usize,
        step: &mut [u8],
    ) -> Result<(), Damaged> {
        let end = out.len() + room;
        if !self.begun {
            let missing = self.coding.mark_length() - self.first.len();
            let taken = missing.min(input.len());
            self.first.extend_from_slice(&input[..taken]);
            *input = &input[taken..];
            if taken < missing {
                // Fewer bytes than a mark are nothing that could be shown.
                return Ok(());
            }
            self.plain = !self.coding.recognises(&self.first);
            if matches!(self.coding, Coding::Deflate(_)) && is_zlib_header(&self.first) {
                // Raw deflate data begins behind it; the checksum at the end is then junk, and browsers show a page
                // whose checksum is wrong.
                self.first.clear();
            }
            self.begun = true;
        }
        // The mark belongs to the stream; it is at most four bytes, which any room takes sooner or later.
        while !self.first.is_empty() {
            let first = std::mem::take(&mut self.first);
            let mut rest = first.as_slice();
            let before = (rest.len(), out.len());
            self.decode(&mut rest, out, end, step)?;
            let stuck = before == (rest.len(), out.len());
            self.first = rest.to_vec();
            if stuck {
                return Ok(());
            }
        }
        self.decode(input, out, end, step)
    }

    fn decode(
        &mut self,
        input: &mut &[u8],
        out: &mut Vec<u8>,
        end: usize,
        step: &mut [u8],
    ) -> Result<(), Damaged> {
        if self.plain {
            let taken = input.len().min(end - out.len());
            out.extend_from_slice(&input[..taken]);
            *input = &input[taken..];
            return Ok(());
        }
        while out.len() < end && (self.more || !input.is_empty()) {
            if self.ended {
                // Trailing junk is ignored, as browsers ignore it.
                *input = &[];
                self.more = false;
                return Ok(());
            }
            if input.is_empty() && self.whole {
                self.more = false;
                return Ok(());
            }
            let room = (end - out.len()).min(step.len());
            let (taken, produced) = self.step(input, &mut step[..room])?;
            out.extend_from_slice(&step[..produced]);
            self.produced += produced as u64;
            *input = &input[taken..];
            if self.failed {
                return Err(Damaged { coding: self.coding.name() });
            }
            // A full step may hide more; anything less means that the decoder waits for input.
            self.more = produced == room;
            if taken == 0 && produced == 0 && !self.ended {
                return Ok(());
            }
        }
        Ok(())
    }

    /// One call of the decoder: bytes taken and bytes produced.
    fn step(&mut self, input: &[u8], room: &mut [u8]) -> Result<(usize, usize), Damaged> {
        let damaged = Damaged { coding: self.coding.name() };
        match &mut self.coding {
            Coding::Gzip(gzip) => {
                let moved = gzip.step(input, room);
                self.whole = gzip.is_complete();
                self.ended = moved.ended;
                self.failed = moved.broken;
                Ok((moved.taken, moved.produced))
            }
            Coding::Deflate(decoder) => {
                let moved = inflate(decoder, input, room);
                self.ended = moved.ended;
                self.failed = moved.broken;
                Ok((moved.taken, moved.produced))
            }
            Coding::Brotli(state) => {
                let (mut taken, mut produced, mut total) = (0, 0, 0);
                let (mut available, mut space) = (input.len(), room.len());
                let result = BrotliDecompressStream(
                    &mut available,
                    &mut taken,
                    input,
                    &mut space,
                    &mut produced,
                    room,
                    &mut total,
                    state,
                );
                match result {
                    BrotliResult::ResultFailure => self.failed = true,
                    BrotliResult::ResultSuccess => self.ended = true,
                    BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => {}
                }
                Ok((taken, produced))
            }
            Coding::Zstd(decoder) => match decoder.run_on_buffers(input, room) {
                // After a frame another one may follow; what is no frame is junk, found by the error it gives.
                Ok(status) => {
                    self.whole = status.remaining == 0;
                    self.had_whole |= self.whole;
                    Ok((status.bytes_read, status.bytes_written))
                }
                Err(_) if self.had_whole => {
                    self.ended = true;
                    Ok((input.len(), 0))
                }
                Err(_) => Err(damaged),
            },
        }
    }
}

/// The two bytes before zlib data (RFC 1950 §2.2): deflate, and a check that makes them a multiple of 31.
fn is_zlib_header(first: &[u8]) -> bool {
    let [method, flags] = first else { return false };
    method & 0x0f == 8 && u16::from_be_bytes([*method, *flags]) % 31 == 0
}

/// One step of inflating.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Inflated {
    pub(crate) taken: usize,
    pub(crate) produced: usize,
    /// Nothing more is to be decoded.
    pub(crate) ended: bool,
    /// The data is damaged behind what was produced.
    pub(crate) broken: bool,
}

pub(crate) fn inflate(decoder: &mut Decompress, input: &[u8], room: &mut [u8]) -> Inflated {
    let (read, written) = (decoder.total_in(), decoder.total_out());
    let outcome = decoder.decompress(input, room, FlushDecompress::None);
    Inflated {
        // Both differences are bounded by the slices' lengths.
        taken: (decoder.total_in() - read) as usize,
        produced: (decoder.total_out() - written) as usize,
        ended: matches!(outcome, Ok(Status::StreamEnd)),
        broken: outcome.is_err(),
    }
}
