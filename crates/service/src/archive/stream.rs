//! The bytes of an archive, as the receiver takes them.

use blob::{BlobKey, Blobs, Body};
use bytes::Bytes;
use crc32fast::Hasher;
use futures::TryStreamExt;
use futures::stream::{self, BoxStream};

use super::zip::{self, Entry, Written};
use crate::{Error, Result};

/// Puts files into an archive, one after the other. One of them is open at a time, and what was
/// read of it is handed on before more is read.
pub(super) struct Packer {
    blobs: Blobs,
    files: Vec<(BlobKey, Entry)>,
    /// Of the files that were begun.
    written: Vec<Written>,
    /// Bytes of all files that were begun, with what stands before and behind them.
    offset: u64,
    step: Step,
}

enum Step {
    /// The next file, or the directory.
    Open,
    /// The rest of a file.
    Copy {
        body: Body,
        crc32: Hasher,
        left: u64,
    },
    /// The directory, from this file on; and how many bytes it has already.
    List {
        next: usize,
        size: u64,
    },
    Done,
}

/// Files listed in one piece of the directory.
const LISTED_AT_ONCE: usize = 256;

impl Packer {
    pub(super) fn new(blobs: Blobs, files: Vec<(BlobKey, Entry)>) -> Self {
        Self { blobs, files, written: Vec::new(), offset: 0, step: Step::Open }
    }

    pub(super) fn run(self) -> BoxStream<'static, Result<Bytes>> {
        let pieces = stream::try_unfold(self, |mut packer| async move {
            Ok(packer.next().await?.map(|piece| (piece, packer)))
        });
        Box::pin(pieces)
    }

    async fn next(&mut self) -> Result<Option<Bytes>> {
        match std::mem::replace(&mut self.step, Step::Done) {
            Step::Open => self.open().await.map(Some),
            Step::Copy { body, crc32, left } => self.copy(body, crc32, left).await.map(Some),
            Step::List { next, size } => Ok(Some(self.list(next, size))),
            Step::Done => Ok(None),
        }
    }

    async fn open(&mut self) -> Result<Bytes> {
        let Some((key, entry)) = self.files.get(self.written.len()) else {
            return Ok(self.list(0, 0));
        };
        let fetched = self.blobs.get(key, None).await?;
        if fetched.meta.size_bytes != entry.size() {
            return Err(changed(key));
        }
        let header = entry.local_header();
        self.written.push(Written { offset: self.offset, crc32: 0 });
        self.offset = self.offset.saturating_add(entry.length());
        self.step = Step::Copy { body: fetched.body, crc32: Hasher::new(), left: entry.size() };
        Ok(header.into())
    }

    /// A file that is shorter or longer than was promised breaks the archive off.
    async fn copy(&mut self, mut body: Body, mut crc32: Hasher, left: u64) -> Result<Bytes> {
        let current = self.written.len().checked_sub(1);
        let file = current.and_then(|current| self.files.get(current));
        let Some((key, entry)) = file else { return Err(Error::internal("no file is open")) };
        if let Some(piece) = body.try_next().await? {
            let left = left.checked_sub(piece.len() as u64).ok_or_else(|| changed(key))?;
            crc32.update(&piece);
            self.step = Step::Copy { body, crc32, left };
            return Ok(piece);
        }
        if left > 0 {
            return Err(changed(key));
        }
        let crc32 = crc32.finalize();
        let descriptor = entry.descriptor(crc32);
        if let Some(written) = self.written.last_mut() {
            written.crc32 = crc32;
        }
        self.step = Step::Open;
        Ok(descriptor.into())
    }

    fn list(&mut self, next: usize, size: u64) -> Bytes {
        let known = self.files.iter().zip(&self.written).skip(next).take(LISTED_AT_ONCE);
        let mut piece: Vec<u8> =
            known.flat_map(|((_, entry), written)| entry.central_header(*written)).collect();
        let (next, size) = (next + LISTED_AT_ONCE, size.saturating_add(piece.len() as u64));
        if next < self.files.len() {
            self.step = Step::List { next, size };
        } else {
            piece.extend(zip::end(self.files.len() as u64, self.offset, size));
        }
        piece.into()
    }
}

fn changed(key: &BlobKey) -> Error {
    Error::internal(format!("{key} changed while it was put into an archive"))
}

#[cfg(test)]
mod tests;
