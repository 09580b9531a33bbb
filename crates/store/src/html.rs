//! HTML as stored: zstd, with a dictionary trained on the site's own first pages.
//!
//! Pages of one site share most of their markup, so a dictionary from about a hundred of them makes the rest four to six times
//! smaller than plain compression does. Compression runs on the parse threads, which share one codec.

use crate::error::StoreError;
use rusqlite::{Connection, OptionalExtension};
use std::cell::RefCell;
use std::sync::{Arc, Mutex, RwLock};
use zstd::bulk::{Compressor, Decompressor};

/// zstd level: 1 is within a few percent of 3 once there is a dictionary, at two thirds of the time.
const LEVEL: i32 = 1;
/// Samples before training. Fewer make a poor dictionary, more make the first pages of a small site dear.
const SAMPLES: usize = 96;
/// Bytes taken of one sample: the markup that pages share stands at their beginning.
const SAMPLE_BYTES: usize = 16 * 1024;
/// Size of a dictionary.
const DICTIONARY_BYTES: usize = 48 * 1024;

/// A compressed page.
#[derive(Debug, Clone)]
pub struct Packed {
    pub dictionary: u32,
    pub size: usize,
    pub data: Vec<u8>,
}

struct Trained {
    id: u32,
    bytes: Vec<u8>,
}

/// Compresses pages; shared by all parse threads of a crawl (std locks: held for a pointer copy only, training aside).
pub struct HtmlCodec {
    trained: RwLock<Option<Arc<Trained>>>,
    samples: Mutex<Samples>,
}

#[derive(Default)]
struct Samples {
    pages: Vec<u8>,
    sizes: Vec<usize>,
    done: bool,
}

thread_local! {
    /// A compressor per thread and dictionary: making one costs more than compressing a page.
    static COMPRESSOR: RefCell<Option<(u32, usize, Compressor<'static>)>> = const { RefCell::new(None) };
}

impl HtmlCodec {
    pub(crate) fn open(connection: &Connection) -> Result<Self, StoreError> {
        let stored: Option<(u32, Vec<u8>)> = connection
            .query_row("SELECT id, data FROM html_dictionary ORDER BY id DESC LIMIT 1", [], |r| Ok((r.get(0)?, r.get(1)?)))
            .optional()?;
        let done = stored.is_some();
        let trained = stored.map(|(id, bytes)| Arc::new(Trained { id, bytes }));
        Ok(Self { trained: RwLock::new(trained), samples: Mutex::new(Samples { done, ..Samples::default() }) })
    }

    /// Compresses one page.
    pub fn pack(&self, html: &[u8]) -> Packed {
        self.learn(html);
        let trained = self.trained.read().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        let id = trained.as_ref().map_or(0, |t| t.id);
        // The address tells dictionaries of different project files apart, whose ids both begin at 1.
        let address = trained.as_ref().map_or(0, |t| Arc::as_ptr(t) as usize);
        let data = COMPRESSOR.with_borrow_mut(|slot| {
            if !matches!(slot, Some((known, at, _)) if *known == id && *at == address) {
                let dictionary = trained.as_ref().map_or(&[][..], |t| &t.bytes);
                *slot = Compressor::with_dictionary(LEVEL, dictionary).ok().map(|compressor| (id, address, compressor));
            }
            slot.as_mut().and_then(|(_, _, compressor)| compressor.compress(html).ok())
        });
        match data {
            Some(data) => Packed { dictionary: id, size: html.len(), data },
            // zstd fails only for want of memory; a stored frame of raw blocks is still a valid one.
            None => Packed { dictionary: 0, size: html.len(), data: zstd::bulk::compress(html, LEVEL).unwrap_or_default() },
        }
    }

    fn learn(&self, html: &[u8]) {
        let mut samples = self.samples.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if samples.done {
            return;
        }
        let taken = &html[..html.len().min(SAMPLE_BYTES)];
        samples.pages.extend_from_slice(taken);
        samples.sizes.push(taken.len());
        if samples.sizes.len() < SAMPLES {
            return;
        }
        samples.done = true;
        let Samples { pages, sizes, .. } = std::mem::take(&mut *samples);
        samples.done = true;
        drop(samples);
        if let Ok(bytes) = zstd::dict::from_continuous(&pages, &sizes, DICTIONARY_BYTES) {
            let made = Arc::new(Trained { id: 1, bytes });
            *self.trained.write().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(made);
        }
    }

    /// Bytes of a dictionary that this codec made or loaded.
    pub(crate) fn dictionary(&self, id: u32) -> Option<Vec<u8>> {
        let trained = self.trained.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        trained.as_ref().filter(|t| t.id == id).map(|t| t.bytes.clone())
    }
}

/// Unpacks a stored page.
pub(crate) fn unpack(dictionary: &[u8], size: usize, data: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut decompressor = Decompressor::with_dictionary(dictionary)?;
    Ok(decompressor.decompress(data, size)?)
}
