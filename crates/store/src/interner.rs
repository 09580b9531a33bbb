//! The in-memory map from a URL's hash to its id: about 16 bytes a known URL.

use hashbrown::HashTable;

/// The stored hashes are uniform already, so the table takes them as they are. Ids start at 1; the hash of id n stands at n − 1 in `hashes`, so the table itself holds ids only.
#[derive(Default)]
pub(crate) struct Interner {
    table: HashTable<u32>,
    hashes: Chunked,
}

impl Interner {
    pub(crate) fn find(&self, hash: u64) -> Option<u32> {
        self.table.find(hash, |id| self.hashes.get(*id) == hash).copied()
    }

    /// Adds a hash that is not yet known and gives it the next id.
    pub(crate) fn add(&mut self, hash: u64) -> u32 {
        let id = self.hashes.push(hash);
        let hashes = &self.hashes;
        self.table.insert_unique(hash, id, |other| hashes.get(*other));
        id
    }

    /// Takes an id as used without making it findable (a gap in the file).
    pub(crate) fn skip(&mut self) {
        self.hashes.push(0);
    }

    pub(crate) fn len(&self) -> u32 {
        self.hashes.len
    }
}

/// A vector in fixed chunks, so that growing it never copies what is there.
#[derive(Default)]
struct Chunked {
    chunks: Vec<Box<[u64]>>,
    len: u32,
}

const CHUNK: usize = 1 << 14;

impl Chunked {
    fn get(&self, id: u32) -> u64 {
        let at = id as usize - 1;
        self.chunks[at / CHUNK][at % CHUNK]
    }

    fn push(&mut self, hash: u64) -> u32 {
        let at = self.len as usize;
        if at / CHUNK == self.chunks.len() {
            self.chunks.push(vec![0; CHUNK].into_boxed_slice());
        }
        self.chunks[at / CHUNK][at % CHUNK] = hash;
        self.len += 1;
        self.len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_dense_and_found_again() {
        let mut interner = Interner::default();
        let hash = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for n in 1..=50_000 {
            assert_eq!(interner.find(hash(n)), None);
            assert_eq!(u64::from(interner.add(hash(n))), n);
        }
        interner.skip();
        assert_eq!(interner.add(7), 50_002);
        for n in 1..=50_000 {
            assert_eq!(interner.find(hash(n)), Some(n as u32));
        }
        assert_eq!(interner.len(), 50_002);
    }
}
