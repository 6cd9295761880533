//! How much goes in one request: less for the rest of a run where a proxy in front of the server
//! refuses more.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a cut connection can cost at most. Larger files go in pieces, which can be resumed; smaller
/// ones in one request.
const BYTES_MAX: u64 = 16 << 20;
/// Smaller pieces take too many requests.
const BYTES_MIN: u64 = 512 << 10;
/// More than a form has beside the bytes of its files.
const FORM_BYTES: u64 = 8 << 10;

/// The largest bodies that may go through. All files of a run share it.
pub(super) struct Pieces(AtomicU64);

impl Pieces {
    pub(super) fn new() -> Self {
        Self(AtomicU64::new(BYTES_MAX))
    }

    /// The size of the next piece of what is left of a file.
    pub(super) fn next(&self, left_bytes: u64) -> u64 {
        self.bytes().max(BYTES_MIN).min(left_bytes)
    }

    /// Whether a form with files of so many bytes may go through.
    pub(super) fn take_form(&self, files_bytes: u64) -> bool {
        form(files_bytes) <= self.bytes().max(BYTES_MIN)
    }

    /// Whether not even the smallest pieces go through.
    pub(super) fn are_refused(&self) -> bool {
        self.bytes() == 0
    }

    /// A form with files of so many bytes was refused: whether pieces may go through.
    pub(super) fn refuse_form(&self, files_bytes: u64) -> bool {
        self.refuse(form(files_bytes))
    }

    /// A body of so many bytes was refused: whether smaller ones may go through.
    pub(super) fn refuse(&self, body_bytes: u64) -> bool {
        let mut next = BYTES_MAX;
        // Those that are not smaller need not be tried.
        while next >= body_bytes && next > 0 {
            next = if next > BYTES_MIN { next / 2 } else { 0 };
        }
        // Another file may have found out about less meanwhile.
        self.0.fetch_min(next, Ordering::Relaxed);
        next > 0
    }

    fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

fn form(files_bytes: u64) -> u64 {
    files_bytes.saturating_add(FORM_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;

    #[test]
    fn pieces_are_halved_until_they_go_through() {
        let pieces = Pieces::new();
        assert!(pieces.take_form(15 * MIB) && !pieces.take_form(16 * MIB));
        assert_eq!((pieces.next(40 * MIB), pieces.next(7)), (16 * MIB, 7));
        for (refused, next) in [(16, 8), (5, 4), (4, 2), (16, 2), (2, 1)] {
            assert!(pieces.refuse(refused * MIB));
            assert_eq!(pieces.next(u64::MAX), next * MIB);
        }
        assert!(pieces.take_form(1000 * KIB) && !pieces.take_form(MIB));
        assert!(pieces.refuse(MIB) && !pieces.are_refused());
        assert!(!pieces.refuse(512 * KIB) && pieces.are_refused());
        // What is small may go through in one request still.
        assert!(pieces.take_form(100 * KIB) && !pieces.take_form(MIB));
    }
}
