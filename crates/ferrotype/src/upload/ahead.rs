//! What is found out about files before it is their turn: their checksums, on a few threads, and
//! whether the server has them, hundreds with one question.

use std::io::{self, Read};
use std::path::Path;

use futures::{StreamExt, stream};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use super::client::Refusal;
use super::journal::Step;
use super::known::SUMS_MAX;
use super::patience::patiently;
use super::send::{Sender, Stop};
use super::walk::ImageFile;

/// A file whose turn it is.
pub(super) struct Ready {
    pub(super) file: ImageFile,
    pub(super) start: Start,
}

/// Where to begin with a file.
pub(super) enum Start {
    /// An earlier run has sent it, as this image.
    Known(String),
    /// The server has its bytes, as this image.
    There(String),
    /// An earlier run has begun this upload.
    Begun(String),
    /// The server does not have it.
    New { sha256: String },
    /// It cannot be read.
    Unreadable { reason: String },
}

/// What is known about a file so far.
enum Looked {
    Decided(Start),
    Sum(String),
}

/// Files are not read further ahead than these bytes before the server is asked about them: the
/// first ones are to be on their way soon.
const AHEAD_BYTES: u64 = 512 << 20;
/// How many files may wait for their turn.
pub(super) const READY_MAX: usize = 2 * SUMS_MAX;
const THREADS_MAX: usize = 4;

/// Finds out about all files, in their order.
///
/// # Errors
/// When the server cannot be asked any more.
pub(super) async fn look_ahead(
    sender: &Sender,
    files: Vec<ImageFile>,
    ready: mpsc::Sender<Ready>,
) -> Result<(), Stop> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    let looking = stream::iter(files).map(|file| async move {
        let looked = look(sender, &file).await;
        (file, looked)
    });
    let mut looking = std::pin::pin!(looking.buffered(threads));
    loop {
        let mut batch = Vec::new();
        let (mut asked, mut bytes) = (0, 0);
        while asked < SUMS_MAX && bytes < AHEAD_BYTES && batch.len() < READY_MAX {
            let Some((file, looked)) = looking.next().await else { break };
            if matches!(looked, Looked::Sum(_)) {
                asked += 1;
                bytes += file.version.size_bytes;
            }
            batch.push((file, looked));
        }
        if batch.is_empty() {
            return Ok(());
        }
        for one in ask(sender, batch).await? {
            // Nobody takes files any more when all has ended.
            if ready.send(one).await.is_err() {
                return Ok(());
            }
        }
    }
}

async fn look(sender: &Sender, file: &ImageFile) -> Looked {
    match sender.journal.find(file) {
        Some(Step::Image(image)) if !sender.again => return Looked::Decided(Start::Known(image)),
        Some(Step::Upload(id)) => return Looked::Decided(Start::Begun(id)),
        _ => {}
    }
    match sha256(file).await {
        Ok(sum) => Looked::Sum(sum),
        Err(error) => {
            let reason = format!("it cannot be read: {error}");
            Looked::Decided(Start::Unreadable { reason })
        }
    }
}

/// Asks the server about all of a batch whose sums are known.
async fn ask(sender: &Sender, batch: Vec<(ImageFile, Looked)>) -> Result<Vec<Ready>, Stop> {
    let sums: Vec<&str> = batch.iter().filter_map(|(_, looked)| looked.sum()).collect();
    let found = match sums.is_empty() {
        true => Vec::new(),
        false => {
            let ask = async || sender.server.find_known(&sums).await;
            let found = patiently(sender.patience, &sender.progress, ask).await;
            found.map_err(|refusal: Refusal| Stop(refusal.to_string()))?
        }
    };
    let mut found = found.into_iter();
    let decide = |(file, looked)| {
        let start = match looked {
            Looked::Decided(start) => start,
            Looked::Sum(sha256) => match found.next().flatten() {
                Some(image) => Start::There(image),
                None => Start::New { sha256 },
            },
        };
        Ready { file, start }
    };
    Ok(batch.into_iter().map(decide).collect())
}

impl Looked {
    fn sum(&self) -> Option<&str> {
        match self {
            Self::Sum(sum) => Some(sum),
            Self::Decided(_) => None,
        }
    }
}

/// The checksum of a file, worked out where it blocks nobody.
pub(super) async fn sha256(file: &ImageFile) -> io::Result<String> {
    let path = file.path.clone();
    tokio::task::spawn_blocking(move || sum(&path)).await.map_err(io::Error::other)?
}

fn sum(path: &Path) -> io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(BUFFER_BYTES);
    let mut hash = Sha256::new();
    let mut buffer = vec![0; length.clamp(1, BUFFER_BYTES)];
    loop {
        let read = file.read(&mut buffer)?;
        let Some(bytes) = buffer.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
        hash.update(bytes);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

const BUFFER_BYTES: usize = 1 << 20;
