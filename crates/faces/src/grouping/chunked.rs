//! A list that grows without ever being copied: at a million faces, the copy would be felt.

/// Entries per piece.
const PIECE: usize = 2048;

/// Entries by number; those that were never set are as by default.
pub(super) struct Chunked<T> {
    pieces: Vec<Box<[T]>>,
}

impl<T: Clone + Default> Chunked<T> {
    pub(super) fn new() -> Self {
        Self { pieces: Vec::new() }
    }

    pub(super) fn get(&self, slot: u32) -> Option<&T> {
        self.pieces.get(slot as usize / PIECE)?.get(slot as usize % PIECE)
    }

    /// The entry, made if there was none.
    pub(super) fn entry(&mut self, slot: u32, change: impl FnOnce(&mut T)) {
        while self.pieces.len() <= slot as usize / PIECE {
            self.pieces.push(vec![T::default(); PIECE].into());
        }
        let piece = self.pieces.get_mut(slot as usize / PIECE);
        if let Some(entry) = piece.and_then(|piece| piece.get_mut(slot as usize % PIECE)) {
            change(entry);
        }
    }

    pub(super) fn set(&mut self, slot: u32, value: T) {
        self.entry(slot, |entry| *entry = value);
    }
}
