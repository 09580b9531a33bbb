//! HTML as stored: zstd, with a dictionary trained on the site's own first pages.
//!
//! Pages of one site share most of their markup, so a dictionary from about a hundred of them makes the rest four to six times
//! smaller than plain compression does. Compression runs on the parse threads, which share one codec.

use crate::error::StoreError;
use rusqlite::{Connection, OptionalExtension};
use std::cell::RefCell;
use std::io::Read;
use std::sync::{Arc, Mutex, RwLock};
use zstd::bulk::Compressor;
use zstd::stream::read::Decoder;

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
    /// A compressor per thread and dictionary: making one costs more than compressing a page. The dictionary is kept with it,
    /// since the same address tells that it is the same one only while it lives.
    static COMPRESSOR: RefCell<Option<(Option<Arc<Trained>>, Compressor<'static>)>> = const { RefCell::new(None) };
}

impl HtmlCodec {
    pub(crate) fn open(connection: &Connection) -> Result<Self, StoreError> {
        let stored: Option<(u32, Vec<u8>)> = connection
            .query_row("SELECT id, data FROM html_dictionary ORDER BY id DESC LIMIT 1", [], |r| {
                Ok((r.get(0)?, r.get(1)?))
            })
            .optional()?;
        let done = stored.is_some();
        let trained = stored.map(|(id, bytes)| Arc::new(Trained { id, bytes }));
        Ok(Self {
            trained: RwLock::new(trained),
            samples: Mutex::new(Samples { done, ..Samples::default() }),
        })
    }

    /// Compresses one page.
    pub fn pack(&self, html: &[u8]) -> Packed {
        self.learn(html);
        let trained = self.trained.read().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        let id = trained.as_ref().map_or(0, |t| t.id);
        let data = COMPRESSOR.with_borrow_mut(|slot| {
            if !matches!(slot, Some((known, _)) if same(known.as_ref(), trained.as_ref())) {
                let dictionary = trained.as_ref().map_or(&[][..], |t| &t.bytes);
                *slot = Compressor::with_dictionary(LEVEL, dictionary)
                    .ok()
                    .map(|compressor| (trained.clone(), compressor));
            }
            slot.as_mut().and_then(|(_, compressor)| compressor.compress(html).ok())
        });
        match data {
            Some(data) => Packed { dictionary: id, size: html.len(), data },
            // zstd fails only for want of memory; a stored frame of raw blocks is still a valid one.
            None => Packed {
                dictionary: 0,
                size: html.len(),
                data: zstd::bulk::compress(html, LEVEL).unwrap_or_default(),
            },
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

fn same(one: Option<&Arc<Trained>>, other: Option<&Arc<Trained>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (None, None) => true,
        _ => false,
    }
}

/// Unpacks a stored page of `size` bytes. What the file claims is not believed: memory grows with what is there.
pub(crate) fn unpack(dictionary: &[u8], size: i64, data: &[u8]) -> Result<Vec<u8>, StoreError> {
    let damaged = |why: &str| StoreError::Damaged(format!("stored HTML: {why}"));
    let size = u64::try_from(size).map_err(|_| damaged("a negative size"))?;
    let decoder = Decoder::with_dictionary(data, dictionary).map_err(|error| damaged(&error.to_string()))?;
    let mut html = Vec::new();
    decoder
        .take(size.saturating_add(1))
        .read_to_end(&mut html)
        .map_err(|error| damaged(&error.to_string()))?;
    if html.len() as u64 == size { Ok(html) } else { Err(damaged("another size than it had")) }
}
