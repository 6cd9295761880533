//! The bytes of an archive, as the receiver takes them.

use blob::{Blobs, Body};
use bytes::Bytes;
use crc32fast::Hasher;
use futures::TryStreamExt;
use futures::stream::{self, BoxStream};
use model::Timestamp;

use super::directory::Directory;
use super::missing::{self, AllMissing, Missing, Why};
use super::walk::Content;
use super::when::Moment;
use super::zip::{self, Entry, Written};
use crate::{Error, Result};

/// Puts files into an archive, one after the other. One of them is open at a time, and what was
/// read of it is handed on before more is read.
///
/// What cannot be opened any more is named in a text at the end. Where the length of the archive was
/// promised, that text takes the room of what is missing.
pub(super) struct Packer {
    blobs: Blobs,
    contents: BoxStream<'static, Result<Content>>,
    /// What was promised.
    length: Option<u64>,
    begun_at: Timestamp,
    /// Bytes of all files that were begun, with what stands before and behind them.
    offset: u64,
    directory: Directory,
    missing: AllMissing,
    step: Step,
}

enum Step {
    /// The next file, or what stands behind the last one.
    Open,
    Copy(Copying),
    /// The directory.
    List,
    Done,
}

/// A file that is being copied.
struct Copying {
    entry: Entry,
    offset: u64,
    body: Body,
    crc32: Hasher,
    left: u64,
}

impl Packer {
    pub(super) fn new(
        blobs: Blobs,
        contents: BoxStream<'static, Result<Content>>,
        length: Option<u64>,
        begun_at: Timestamp,
    ) -> Self {
        let (directory, missing) = (Directory::default(), AllMissing::default());
        Self { blobs, contents, length, begun_at, offset: 0, directory, missing, step: Step::Open }
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
            Step::Copy(file) => self.copy(file).await.map(Some),
            Step::List => self.list().map(Some),
            Step::Done => Ok(None),
        }
    }

    async fn open(&mut self) -> Result<Bytes> {
        while let Some(content) = self.contents.try_next().await? {
            let (key, entry) = match content {
                Content::File(key, entry) => (key, entry),
                Content::Missing(missing) => {
                    self.missing.add(missing);
                    continue;
                }
            };
            let why = match self.blobs.get(&key, None).await {
                Ok(fetched) if fetched.meta.size_bytes == entry.size() => {
                    return Ok(self.begin(entry, fetched.body));
                }
                Ok(_) => Why::Changed,
                Err(blob::Error::NotFound { .. }) => Why::Gone,
                Err(error) => return Err(error.into()),
            };
            tracing::info!(%key, ?why, "a file is missing in an archive");
            self.missing.add(Missing { name: entry.into_name(), why });
        }
        self.end_files()
    }

    fn begin(&mut self, entry: Entry, body: Body) -> Bytes {
        let (header, offset, left) = (entry.local_header(), self.offset, entry.size());
        self.offset = self.offset.saturating_add(entry.length());
        self.step = Step::Copy(Copying { entry, offset, body, crc32: Hasher::new(), left });
        header.into()
    }

    /// A file that is shorter or longer than was promised breaks the archive off: its head has been
    /// sent.
    async fn copy(&mut self, mut file: Copying) -> Result<Bytes> {
        if let Some(piece) = file.body.try_next().await? {
            file.left = file.left.checked_sub(piece.len() as u64).ok_or_else(|| changed(&file))?;
            file.crc32.update(&piece);
            self.step = Step::Copy(file);
            return Ok(piece);
        }
        if file.left > 0 {
            return Err(changed(&file));
        }
        let crc32 = file.crc32.finalize();
        let written = Written { offset: file.offset, crc32 };
        self.directory.add(&file.entry.central_header(written))?;
        self.step = Step::Open;
        Ok(file.entry.descriptor(crc32).into())
    }

    /// Behind the last file: what is missing, if anything is.
    fn end_files(&mut self) -> Result<Bytes> {
        // It is told once: behind the text that tells it, only the directory follows.
        let missing = std::mem::take(&mut self.missing);
        if missing.is_empty() {
            return self.list();
        }
        let text = missing.text();
        let size = match self.length {
            Some(length) => self.room_within(length)?,
            None => text.len() as u64,
        };
        let entry = text_entry(size, self.begun_at);
        Ok(self.begin(entry, spread(text, size)))
    }

    /// The size of the text with which the archive has the promised length.
    fn room_within(&self, length: u64) -> Result<u64> {
        let whole = |size: u64| {
            let entry = text_entry(size, self.begun_at);
            let header = entry.central_header(Written { offset: self.offset, crc32: 0 });
            let directory = self.directory.length().saturating_add(header.len() as u64);
            let start = self.offset.saturating_add(entry.length());
            let end = zip::end(self.directory.entries().saturating_add(1), start, directory);
            start.saturating_add(directory).saturating_add(end.len() as u64)
        };
        let mut size = length.checked_sub(whole(0)).ok_or_else(no_room)?;
        // Large ones have larger heads.
        let above = whole(size).saturating_sub(length);
        size = size.checked_sub(above).ok_or_else(no_room)?;
        if whole(size) == length { Ok(size) } else { Err(no_room()) }
    }

    fn list(&mut self) -> Result<Bytes> {
        if let Some(piece) = self.directory.take()? {
            self.step = Step::List;
            return Ok(piece);
        }
        let (entries, length) = (self.directory.entries(), self.directory.length());
        Ok(zip::end(entries, self.offset, length).into())
    }
}

/// How long an archive with these contents is, if nothing happens meanwhile.
pub(super) fn length_of(contents: &[Content], begun_at: Timestamp) -> u64 {
    let mut missing = AllMissing::default();
    let mut entries = Vec::with_capacity(contents.len());
    for content in contents {
        match content {
            Content::File(_, entry) => entries.push(entry),
            Content::Missing(one) => missing.add(one.clone()),
        }
    }
    let text = text_entry(missing.text().len() as u64, begun_at);
    zip::length_of(entries.into_iter().chain((!missing.is_empty()).then_some(&text)))
}

fn text_entry(size: u64, at: Timestamp) -> Entry {
    Entry::new(missing::NAME.to_owned(), size, Moment::at(at, 0))
}

/// A text cut or filled up with empty lines to a size.
fn spread(text: String, size: u64) -> Body {
    let text = Bytes::from(text.into_bytes());
    let shown = usize::try_from(size).map_or(text.len(), |size| size.min(text.len()));
    let rest = size.saturating_sub(shown as u64);
    let first = stream::iter([Ok(text.slice(..shown))]);
    let lines = stream::unfold(rest, |left| async move {
        let bytes = usize::try_from(left.min(FILL_BYTES)).unwrap_or(0);
        (bytes > 0)
            .then(|| (Ok(Bytes::from(vec![b'\n'; bytes])), left.saturating_sub(bytes as u64)))
    });
    Box::pin(futures::StreamExt::chain(first, lines))
}

/// Empty lines in one piece.
const FILL_BYTES: u64 = 16 << 10;

fn changed(file: &Copying) -> Error {
    Error::internal(format!("{} changed while it was put into an archive", file.entry.name()))
}

fn no_room() -> Error {
    Error::internal("what is missing in an archive leaves too little room to say so")
}

#[cfg(test)]
mod tests;
