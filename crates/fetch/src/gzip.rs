//! The gzip container (RFC 1952): members one after another, each a header, deflate data and a trailer.
//!
//! The trailer's checksum is not compared: browsers do not compare it either, and a page that inflates is shown.

use crate::coding::{Inflated, inflate};
use flate2::Decompress;

const HAS_CHECKSUM: u8 = 0x02;
const HAS_EXTRA: u8 = 0x04;
const HAS_NAME: u8 = 0x08;
const HAS_COMMENT: u8 = 0x10;

/// Bytes of the fixed part of a header.
const FIXED: u8 = 10;
/// Bytes of checksum and length after the data.
const TRAILER: u8 = 8;

/// Undoes gzip, several members and trailing junk included.
pub(crate) struct Gzip {
    at: At,
    flags: u8,
    inflater: Box<Decompress>,
    /// At least one member came to the end of its data.
    whole_members: bool,
}

/// Where in a member the next byte stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Fixed(u8),
    ExtraLength(Option<u8>),
    Extra(u16),
    Name,
    Comment,
    Checksum(u8),
    Deflated,
    Trailer(u8),
    /// After a member: another one, or junk.
    Next,
    NextSecond,
    Junk,
}

impl Gzip {
    pub(crate) fn new() -> Self {
        Self { at: At::Fixed(0), flags: 0, inflater: Box::new(Decompress::new(false)), whole_members: false }
    }

    /// All members that began came to the end of their data.
    pub(crate) const fn is_complete(&self) -> bool {
        self.whole_members && matches!(self.at, At::Trailer(_) | At::Next | At::NextSecond | At::Junk)
    }

    /// Takes bytes from `input` and writes decoded ones to `room`. It has ended when only junk follows.
    pub(crate) fn step(&mut self, input: &[u8], room: &mut [u8]) -> Inflated {
        let mut taken = 0;
        loop {
            if self.at == At::Deflated {
                let moved = inflate(&mut self.inflater, &input[taken..], room);
                taken += moved.taken;
                if moved.ended {
                    self.whole_members = true;
                    self.at = At::Trailer(TRAILER);
                }
                if !moved.ended || moved.produced > 0 {
                    return Inflated { taken, ended: false, ..moved };
                }
            }
            let Some(byte) = input.get(taken).copied().filter(|_| self.at != At::Junk) else {
                return Inflated { taken, ended: self.at == At::Junk, ..Inflated::default() };
            };
            taken += 1;
            self.at = self.after(byte);
        }
    }

    /// The place after one byte outside the deflate data.
    fn after(&mut self, byte: u8) -> At {
        match self.at {
            At::Fixed(index) => {
                if index == 3 {
                    self.flags = byte;
                }
                if index + 1 < FIXED { At::Fixed(index + 1) } else { self.optional(HAS_EXTRA) }
            }
            At::ExtraLength(None) => At::ExtraLength(Some(byte)),
            At::ExtraLength(Some(low)) => match u16::from_le_bytes([low, byte]) {
                0 => self.optional(HAS_NAME),
                length => At::Extra(length),
            },
            At::Extra(1) => self.optional(HAS_NAME),
            At::Extra(left) => At::Extra(left - 1),
            At::Name if byte == 0 => self.optional(HAS_COMMENT),
            At::Comment if byte == 0 => self.optional(HAS_CHECKSUM),
            At::Checksum(1) => self.data(),
            At::Checksum(left) => At::Checksum(left - 1),
            At::Trailer(1) => At::Next,
            At::Trailer(left) => At::Trailer(left - 1),
            At::Next if byte == 0x1f => At::NextSecond,
            At::NextSecond if byte == 0x8b => At::Fixed(2),
            At::Next | At::NextSecond | At::Junk => At::Junk,
            At::Name | At::Comment | At::Deflated => self.at,
        }
    }

    /// The next optional field that the header has, from `first` on in the order of the format.
    fn optional(&mut self, first: u8) -> At {
        let fields = [
            (HAS_EXTRA, At::ExtraLength(None)),
            (HAS_NAME, At::Name),
            (HAS_COMMENT, At::Comment),
            (HAS_CHECKSUM, At::Checksum(2)),
        ];
        let from = fields.iter().position(|(flag, _)| *flag == first).unwrap_or(fields.len());
        match fields[from..].iter().find(|(flag, _)| self.flags & flag != 0) {
            Some((_, at)) => *at,
            None => self.data(),
        }
    }

    fn data(&mut self) -> At {
        self.inflater.reset(false);
        At::Deflated
    }
}
