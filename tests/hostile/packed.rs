//! Bodies in the content codings of the web.

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use std::io::Write;

/// The codings, as Content-Encoding names them; `raw` stands for deflate without its wrapper.
pub(crate) const CODINGS: [&str; 5] = ["gzip", "br", "zstd", "deflate", "raw"];

/// What Content-Encoding says of a coding.
pub(crate) fn name(coding: &str) -> &str {
    if coding == "raw" { "deflate" } else { coding }
}

/// Codes `times` repetitions of a piece, so that nobody has to hold them all.
pub(crate) fn pack(coding: &str, piece: &[u8], times: usize) -> Vec<u8> {
    fn write(mut into: impl Write, piece: &[u8], times: usize) {
        for _ in 0..times {
            into.write_all(piece).expect("memory takes all");
        }
        into.flush().expect("memory takes all");
    }
    let mut out = Vec::new();
    match coding {
        "gzip" => write(GzEncoder::new(&mut out, Compression::best()), piece, times),
        "deflate" => write(ZlibEncoder::new(&mut out, Compression::best()), piece, times),
        "raw" => write(DeflateEncoder::new(&mut out, Compression::best()), piece, times),
        // The largest window that the coding has.
        "br" => write(brotli::CompressorWriter::new(&mut out, 64 * 1024, 5, 24), piece, times),
        "zstd" => {
            let mut encoder = zstd::Encoder::new(&mut out, 3).expect("an encoder");
            encoder.window_log(23).expect("a window");
            write(encoder.auto_finish(), piece, times);
        }
        other => panic!("no coding is named {other}"),
    }
    out
}
