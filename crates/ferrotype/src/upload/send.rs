//! One file on its way: begun, sent in pieces, resumed, begun again, until it has arrived or
//! cannot.

use std::io::{self, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use futures::{Stream, stream};
use reqwest::Body;
use sha2::{Digest, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};

use super::client::{Begun, NewUpload, Refusal, Server, Standing};
use super::journal::{Journal, Step};
use super::patience::Patience;
use super::progress::{FileProgress, Progress};
use super::walk::{FileVersion, ImageFile};

/// Sends files to one server.
pub(super) struct Sender {
    pub(super) server: Server,
    pub(super) journal: Journal,
    pub(super) progress: Progress,
    /// How long to go on without getting any further.
    pub(super) patience: Duration,
    /// Whether files are sent that have been sent before.
    pub(super) again: bool,
    /// Why the server takes no new images any more.
    pub(super) full: OnceLock<String>,
}

/// What became of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// It is this new image.
    Uploaded(String),
    /// It is this image, which was there before.
    AlreadyThere(String),
    /// It was not taken.
    Refused(String),
}

/// Why no file can be sent any more.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stop(pub(super) String);

/// Bytes of one request: what a cut connection can cost at most.
const PIECE_BYTES: u64 = 16 << 20;
const CHUNK_BYTES: usize = 256 << 10;
/// How long nothing may move. When all bytes are sent, the server puts the image together.
const STALL_TIME: Duration = Duration::from_secs(120);
/// An upload that keeps vanishing is not begun more often.
const BEGINNINGS_MAX: u32 = 4;

/// An upload on its way.
struct Upload {
    id: String,
    /// How many bytes the server has, if that is known.
    offset: Option<u64>,
}

impl Sender {
    /// Sends a file, unless that has been done.
    pub(super) async fn send(&self, file: &ImageFile) -> Result<Sent, Stop> {
        let upload = match self.journal.find(file) {
            Some(Step::Image(image)) if !self.again => {
                self.progress.file().set(file.version.size_bytes, 0);
                return Ok(Sent::AlreadyThere(image));
            }
            Some(Step::Upload(id)) => Some(Upload { id, offset: None }),
            _ => None,
        };
        if let (None, Some(reason)) = (&upload, self.full.get()) {
            return Ok(Sent::Refused(reason.clone()));
        }
        let sent = match self.try_send(file, upload).await {
            Ok(sent) => sent,
            Err(Refusal::All { reason }) => return Err(Stop(reason)),
            Err(Refusal::Full { reason }) => {
                let _ = self.full.set(reason.clone());
                return Ok(Sent::Refused(reason));
            }
            Err(refusal) => return Ok(Sent::Refused(refusal.to_string())),
        };
        if let Sent::Uploaded(image) | Sent::AlreadyThere(image) = &sent {
            self.note(file, Step::Image(image.clone()));
        }
        Ok(sent)
    }

    async fn try_send(
        &self,
        file: &ImageFile,
        mut upload: Option<Upload>,
    ) -> Result<Sent, Refusal> {
        let mut patience = Patience::new(self.patience);
        let mut progress = self.progress.file();
        let mut beginnings = 0;
        // The same for every attempt to begin, so that a lost answer costs no quota.
        let idempotency_key = format!("{:032x}", rand::random::<u128>());
        loop {
            let step = match &mut upload {
                None => self.begin(file, &format!("{idempotency_key}-{beginnings}")).await,
                Some(upload) => self.go_on(file, upload, &mut progress).await,
            };
            match step {
                Ok(Next::Begun(id)) => upload = Some(Upload { id, offset: Some(0) }),
                Ok(Next::GotOn) => {}
                Ok(Next::Done(sent)) => {
                    progress.set(file.version.size_bytes, 0);
                    return Ok(sent);
                }
                Err(Refusal::Busy { after }) => {
                    self.progress.message("(the server asks to wait)");
                    // Not all at the same moment.
                    tokio::time::sleep(after.mul_f64(1.0 + rand::random::<f64>())).await;
                    self.progress.message("");
                    continue;
                }
                Err(Refusal::Gone { reason }) => {
                    beginnings += 1;
                    if beginnings == BEGINNINGS_MAX {
                        return Err(Refusal::File { reason });
                    }
                    upload = None;
                    progress.set(0, 0);
                    continue;
                }
                Err(refusal) => {
                    self.progress.message("(waiting for the server)");
                    patience.pause(refusal).await?;
                    self.progress.message("");
                    continue;
                }
            }
            patience.renew();
        }
    }

    async fn begin(&self, file: &ImageFile, idempotency_key: &str) -> Result<Next, Refusal> {
        let path = file.path.clone();
        let hashed = tokio::task::spawn_blocking(move || sha256(&path)).await;
        let hashed = hashed.map_err(io::Error::other).and_then(|hashed| hashed);
        let sha256 = hashed.map_err(|error| unreadable(&error))?;
        // The names that others know, not those that links lead to.
        let filename = file.shown.file_name().and_then(|name| name.to_str());
        let size_bytes = file.version.size_bytes;
        let new = NewUpload { filename, size_bytes, sha256: &sha256, idempotency_key };
        match self.server.begin(&new).await? {
            Begun::Known(image) => Ok(Next::Done(Sent::AlreadyThere(image))),
            Begun::Upload(id) => {
                self.note(file, Step::Upload(id.clone()));
                Ok(Next::Begun(id))
            }
        }
    }

    /// Asks how far the upload has come if that is not known, and sends the next piece.
    async fn go_on(
        &self,
        file: &ImageFile,
        upload: &mut Upload,
        progress: &mut FileProgress<'_>,
    ) -> Result<Next, Refusal> {
        let size_bytes = file.version.size_bytes;
        let (standing, sent) = match upload.offset.take() {
            None => (self.server.standing(&upload.id).await?, 0),
            Some(offset) if offset < size_bytes => {
                let counted = Arc::new(AtomicU64::new(0));
                let answer = self.append(file, &upload.id, offset, &counted).await;
                let sent = counted.load(Ordering::Relaxed);
                if let Err(refusal) = &answer {
                    progress.set(offset, sent);
                    // Whoever is told to wait before anything else has lost nothing, and asking
                    // again how things stand would be one request more.
                    let is_same = matches!(refusal, Refusal::Busy { .. });
                    upload.offset = is_same.then_some(offset);
                }
                (answer?, sent)
            }
            // All is there, but the upload was not completed; asking lets the server do so.
            Some(_) => {
                let reason = "the server has all bytes but not the image".to_owned();
                return Err(Refusal::passing(reason));
            }
        };
        match standing {
            // Another id than the upload's: the owner had these bytes before.
            Standing::Complete(image) if image == upload.id => {
                progress.set(size_bytes, sent);
                Ok(Next::Done(Sent::Uploaded(image)))
            }
            Standing::Complete(image) => {
                progress.set(size_bytes, sent);
                Ok(Next::Done(Sent::AlreadyThere(image)))
            }
            Standing::At(offset) if offset > size_bytes => {
                Err(Refusal::Gone { reason: format!("the server has {offset} bytes of it") })
            }
            Standing::At(offset) => {
                progress.set(offset, sent);
                upload.offset = Some(offset);
                Ok(Next::GotOn)
            }
        }
    }

    async fn append(
        &self,
        file: &ImageFile,
        upload: &str,
        offset: u64,
        counted: &Arc<AtomicU64>,
    ) -> Result<Standing, Refusal> {
        let mut open = File::open(&file.path).await.map_err(|error| unreadable(&error))?;
        let metadata = open.metadata().await.map_err(|error| unreadable(&error))?;
        if FileVersion::of(&metadata) != file.version {
            let reason = "it was changed while it was sent; run the command again".to_owned();
            return Err(Refusal::File { reason });
        }
        open.seek(SeekFrom::Start(offset)).await.map_err(|error| unreadable(&error))?;
        let piece_bytes = PIECE_BYTES.min(file.version.size_bytes.saturating_sub(offset));
        let show = self.progress.counter();
        let count = Arc::clone(counted);
        let body = chunks(open, piece_bytes, move |bytes| {
            count.fetch_add(bytes, Ordering::Relaxed);
            show(bytes);
        });
        let sending = self.server.append(upload, offset, piece_bytes, Body::wrap_stream(body));
        tokio::select! {
            answer = sending => answer,
            () = stalled(counted) => {
                Err(Refusal::passing(format!("nothing moved for {STALL_TIME:?}")))
            }
        }
    }

    /// What is not noted is only sent again, so that is no reason to fail.
    fn note(&self, file: &ImageFile, step: Step) {
        if let Err(error) = self.journal.note(file, step) {
            self.progress.warn(&format!("the state file cannot be written: {error}"));
        }
    }
}

/// What a step has led to.
enum Next {
    Begun(String),
    GotOn,
    Done(Sent),
}

/// The next bytes of a file; `count` is told as they are taken.
fn chunks(
    file: File,
    size_bytes: u64,
    count: impl Fn(u64) + Send + 'static,
) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    stream::try_unfold((file, size_bytes, count), |(mut file, left, count)| async move {
        if left == 0 {
            return Ok(None);
        }
        let wanted = left.min(CHUNK_BYTES as u64);
        let mut chunk = Vec::with_capacity(CHUNK_BYTES);
        let read = (&mut file).take(wanted).read_to_end(&mut chunk).await? as u64;
        if read < wanted {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
        }
        count(read);
        Ok(Some((Bytes::from(chunk), (file, left - read, count))))
    })
}

/// Returns when nothing has been counted for too long.
async fn stalled(counted: &AtomicU64) {
    let mut before = counted.load(Ordering::Relaxed);
    loop {
        tokio::time::sleep(STALL_TIME).await;
        let now = counted.load(Ordering::Relaxed);
        if now == before {
            return;
        }
        before = now;
    }
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = io::Read::read(&mut file, &mut buffer)?;
        let Some(bytes) = buffer.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
        hash.update(bytes);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn unreadable(error: &io::Error) -> Refusal {
    Refusal::File { reason: format!("it cannot be read: {error}") }
}
