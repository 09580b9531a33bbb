//! A body handed over piece by piece while it comes, so that a document of a hundred megabytes never stands in memory.

use crate::body::{RATIO_FROM, RATIO_MAX, RATIO_REASON, TimeIsUp, TimeLimit, is_whole};
use crate::decode::Decoder;
use crate::wire;
use model::Answer;
use std::io::{self, Read};
use tokio::sync::mpsc;

/// Decoded bytes of one piece.
const PIECE: usize = 64 * 1024;

/// What is told of a body that was not there when the time was up.
const TIME_REASON: &str = "the time limit of a request was over before all of it had come (fetch.timeout)";

/// Pieces that wait for their reader: enough that the network and the reader need not take turns.
const WAITING: usize = 4;

/// The fetcher's end. The reader is told of the end of the body when it is dropped.
#[derive(Debug)]
pub struct Pieces(mpsc::Sender<Vec<u8>>);

/// The reader's end. It blocks until the next piece comes, so it belongs on a thread where no requests run. Dropping it
/// ends the fetching.
#[derive(Debug)]
pub struct PieceReader {
    pieces: mpsc::Receiver<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
}

/// A body's way from the fetcher to its reader; it holds a few hundred kilobytes at most.
pub fn pieces() -> (Pieces, PieceReader) {
    let (sender, receiver) = mpsc::channel(WAITING);
    (Pieces(sender), PieceReader { pieces: receiver, piece: Vec::new(), at: 0 })
}

impl Read for PieceReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.at == self.piece.len() {
            let Some(piece) = self.pieces.blocking_recv() else { return Ok(0) };
            (self.piece, self.at) = (piece, 0);
        }
        let rest = &self.piece[self.at..];
        let length = rest.len().min(out.len());
        out[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}

/// Hands the body of a 2xx answer over, up to `cap` decoded bytes; `answer.body` stays empty. What was handed over is
/// kept, so a body that breaks off or takes too long is an incomplete one, unless nothing of it was handed over yet.
/// Time that the reader takes is not counted.
pub(crate) async fn hand_over(
    response: &mut wire::Response,
    answer: &mut Answer,
    cap: u64,
    pieces: &Pieces,
    time: &mut TimeLimit<'_>,
) -> Result<(), TimeIsUp> {
    let announced = response.content_length();
    let codings =
        answer.headers.iter().filter(|(name, _)| &**name == "content-encoding").map(|(_, value)| &**value);
    let mut decoder = Decoder::for_header(codings);
    answer.body_read = true;
    let mut damage = None;
    let mut piece = Vec::with_capacity(PIECE);
    let (mut decoded, mut handed_over) = (0_u64, false);
    'reading: loop {
        let chunk = match time.within(response.chunk()).await {
            Ok(Ok(Some(chunk))) => chunk,
            Ok(Ok(None)) => {
                answer.incomplete = !decoder.is_complete();
                break;
            }
            Ok(Err(error)) => {
                answer.incomplete = !is_whole(answer, announced, &error, &decoder);
                break;
            }
            Err(up) if !handed_over => return Err(up),
            Err(TimeIsUp) => {
                answer.incomplete = true;
                answer.cut_reason = Some(TIME_REASON);
                break;
            }
        };
        let before = answer.transferred;
        answer.transferred += chunk.len() as u64;
        let mut input = &chunk[..];
        loop {
            let (length, room) = (piece.len(), PIECE - piece.len());
            if let Err(error) = decoder.push(&mut input, &mut piece, room) {
                damage = Some(error.to_string());
                break 'reading;
            }
            decoded += (piece.len() - length) as u64;
            let received = before + (chunk.len() - input.len()) as u64;
            if decoded > cap {
                let surplus = usize::try_from(decoded - cap).unwrap_or(usize::MAX);
                piece.truncate(piece.len().saturating_sub(surplus));
                answer.truncated = true;
                break 'reading;
            }
            if decoded > RATIO_FROM && decoded / received.max(1) > RATIO_MAX {
                answer.truncated = true;
                answer.cut_reason = Some(RATIO_REASON);
                break 'reading;
            }
            if piece.len() < PIECE {
                break;
            }
            let full = std::mem::replace(&mut piece, Vec::with_capacity(PIECE));
            handed_over = true;
            if time.apart(pieces.0.send(full)).await.is_err() {
                // The reader has seen enough.
                return Ok(());
            }
        }
        // With HTTP/1 the announced length is the end; asking once more would only wait for the client to say so.
        if announced == Some(answer.transferred) && answer.version != "HTTP/2" {
            answer.incomplete = !decoder.is_complete();
            break;
        }
        // Coded bytes without end that decode to nothing have no other bound.
        if answer.transferred > cap.saturating_mul(2).saturating_add(RATIO_FROM) {
            answer.truncated = true;
            break;
        }
    }
    answer.decode_error = damage.or_else(|| decoder.complaint());
    if !piece.is_empty() {
        // A reader that is gone has seen enough.
        let _ = time.apart(pieces.0.send(piece)).await;
    }
    Ok(())
}
