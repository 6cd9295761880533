//! One file on its way: in one request, or begun, sent in pieces, resumed and begun again, until it
//! has arrived or cannot.

use std::io::{self, SeekFrom};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use futures::{Stream, stream};
use model::limits::SIDECAR_BYTES_MAX;
use reqwest::Body;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};

use super::ahead::{self, Ready, Start};
use super::client::{Begun, Labels, NewUpload, Refusal, Server, Standing};
use super::journal::{Journal, Step};
use super::patience::{Patience, patiently};
use super::pieces::Pieces;
use super::progress::{FileProgress, Progress};
use super::walk::{FileVersion, ImageFile};
use super::whole::Taken;

/// Sends files to one server.
pub(super) struct Sender {
    pub(super) server: Server,
    pub(super) journal: Journal,
    pub(super) progress: Progress,
    /// How long to go on without getting any further.
    pub(super) patience: Duration,
    /// Whether files are sent that have been sent before.
    pub(super) again: bool,
    /// What is said about every image.
    pub(super) labels: Labels,
    /// Why the server takes no new images any more.
    pub(super) full: OnceLock<String>,
    /// How much goes in one request.
    pub(super) pieces: Pieces,
}

/// What became of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// It is this new image.
    Uploaded(String),
    /// It is this image, which was there before.
    AlreadyThere(String),
    /// It was not taken.
    Refused {
        /// Why, for people.
        reason: String,
        /// Why, for programs.
        code: String,
    },
}

/// Why no file can be sent any more.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stop(pub(super) String);

const CHUNK_BYTES: usize = 256 << 10;
/// How the server says that what is beside a photo is no sidecar.
const BAD_SIDECAR: &str = "bad_sidecar";
/// How long nothing may move. When all bytes are sent, the server puts the image together.
const STALL_TIME: Duration = Duration::from_secs(120);
/// An upload that keeps vanishing is not begun more often.
const BEGINNINGS_MAX: u32 = 4;

/// What is known about a file on its way.
struct Way {
    /// Its checksum, as soon as it was needed.
    sha256: Option<String>,
    /// Where its pieces go.
    upload: Option<Upload>,
    /// What is beside it, until the server does not take that.
    sidecar: Option<Vec<u8>>,
    /// Whether it was too much for one request.
    in_pieces: bool,
}

impl Way {
    /// The bytes of a file and of what is beside it.
    fn form_bytes(&self, file: &ImageFile) -> u64 {
        let sidecar = self.sidecar.as_ref().map_or(0, Vec::len) as u64;
        file.version.size_bytes.saturating_add(sidecar)
    }
}

/// An upload in pieces.
struct Upload {
    id: String,
    /// How many bytes the server has, if that is known.
    offset: Option<u64>,
}

impl Sender {
    /// Sends a file and what is beside it, unless that has been done; and why that was not taken.
    pub(super) async fn send(
        &self,
        ready: Ready,
    ) -> (ImageFile, Result<Sent, Stop>, Option<Refusal>) {
        let Ready { file, start } = ready;
        let sent = self.send_from(&file, start).await;
        let beside = match &sent {
            Ok(Sent::Uploaded(image) | Sent::AlreadyThere(image)) => {
                self.send_sidecar(&file, image).await.err()
            }
            _ => None,
        };
        (file, sent, beside)
    }

    async fn send_sidecar(&self, file: &ImageFile, image: &str) -> Result<(), Refusal> {
        let Some(sidecar) = &file.sidecar else { return Ok(()) };
        let step = Step::Image(image.to_owned());
        if !self.again && self.journal.find(sidecar).as_ref() == Some(&step) {
            return Ok(());
        }
        let bytes = read_sidecar(sidecar).await?;
        let put = async || self.server.put_sidecar(image, bytes.clone()).await;
        patiently(self.patience, &self.progress, put).await?;
        self.note(sidecar, step);
        Ok(())
    }

    async fn send_from(&self, file: &ImageFile, start: Start) -> Result<Sent, Stop> {
        let way = match start {
            Start::Known(image) | Start::There(image) => {
                self.progress.file().set(file.version.size_bytes, 0);
                self.note_unless_known(file, &image);
                return Ok(Sent::AlreadyThere(image));
            }
            Start::Unreadable { reason } => {
                return Ok(Sent::Refused { reason, code: "unreadable".to_owned() });
            }
            Start::Begun(id) => {
                let upload = Some(Upload { id, offset: None });
                Way { sha256: None, upload, sidecar: None, in_pieces: false }
            }
            Start::New { sha256 } => {
                // What cannot be sent along is told when the photo is there.
                let sidecar = match &file.sidecar {
                    Some(sidecar) => read_sidecar(sidecar).await.ok(),
                    None => None,
                };
                Way { sha256: Some(sha256), upload: None, sidecar, in_pieces: false }
            }
        };
        let full = || "quota_images".to_owned();
        if let (None, Some(reason)) = (&way.upload, self.full.get()) {
            return Ok(Sent::Refused { reason: reason.clone(), code: full() });
        }
        let sent = match self.try_send(file, way).await {
            Ok(sent) => sent,
            Err(Refusal::All { reason }) => return Err(Stop(reason)),
            Err(Refusal::Full { reason }) => {
                let _ = self.full.set(reason.clone());
                return Ok(Sent::Refused { reason, code: full() });
            }
            Err(Refusal::File { reason, code }) => return Ok(Sent::Refused { reason, code }),
            Err(refusal) => {
                let code = refusal.code().to_owned();
                return Ok(Sent::Refused { reason: refusal.to_string(), code });
            }
        };
        if let Sent::Uploaded(image) | Sent::AlreadyThere(image) = &sent {
            self.note(file, Step::Image(image.clone()));
        }
        Ok(sent)
    }

    async fn try_send(&self, file: &ImageFile, mut way: Way) -> Result<Sent, Refusal> {
        let mut patience = Patience::new(self.patience);
        let mut progress = self.progress.file();
        let mut beginnings = 0;
        // The same for every attempt to begin, so that a lost answer costs no quota.
        let idempotency_key = format!("{:032x}", rand::random::<u128>());
        loop {
            let in_one = !way.in_pieces && self.pieces.take_form(way.form_bytes(file));
            // Another way is another request, which must not have the key of the first.
            let kind = if in_one { "whole" } else { "pieces" };
            let key = format!("{idempotency_key}-{beginnings}-{kind}");
            let step = match &mut way.upload {
                None if in_one => self.send_whole(file, &mut way, &key, &mut progress).await,
                None => self.begin(file, &mut way.sha256, &key).await,
                Some(upload) => self.go_on(file, upload, &mut progress).await,
            };
            match step {
                Ok(Next::Begun(id)) => way.upload = Some(Upload { id, offset: Some(0) }),
                Ok(Next::GotOn) => {}
                Ok(Next::Done(sent)) => {
                    progress.set(file.version.size_bytes, 0);
                    self.progress.go_on();
                    return Ok(sent);
                }
                // The photo is worth more than what is beside it.
                Err(Refusal::File { code, .. }) if way.sidecar.is_some() && code == BAD_SIDECAR => {
                    beginnings += 1;
                    way.sidecar = None;
                    progress.set(0, 0);
                    continue;
                }
                Err(Refusal::Gone { reason }) => {
                    beginnings += 1;
                    if beginnings >= BEGINNINGS_MAX {
                        return Err(Refusal::file(reason, "upload_gone"));
                    }
                    way.upload = None;
                    progress.set(0, 0);
                    continue;
                }
                Err(refusal) => {
                    patience.pause(refusal, &self.progress).await?;
                    continue;
                }
            }
            patience.renew();
            self.progress.go_on();
        }
    }

    /// Sends all of a file in one request.
    async fn send_whole(
        &self,
        file: &ImageFile,
        way: &mut Way,
        idempotency_key: &str,
        progress: &mut FileProgress<'_>,
    ) -> Result<Next, Refusal> {
        let sha256 = sum_of(file, &mut way.sha256).await?;
        let sidecar = way.sidecar.clone();
        let new = NewUpload { sidecar, ..self.new_upload(file, sha256, idempotency_key) };
        let open = open_same(file).await?;
        let counted = Arc::new(AtomicU64::new(0));
        let body = self.chunks(open, file.version.size_bytes, &counted);
        let taken = unless_stalled(self.server.send_whole(&new, body), &counted).await;
        let sent = counted.load(Ordering::Relaxed);
        match taken {
            Ok(taken) => {
                progress.set(file.version.size_bytes, sent);
                if let (Some(sidecar), Some(_)) = (&file.sidecar, &way.sidecar) {
                    self.note(sidecar, Step::Image(taken.image().to_owned()));
                }
                Ok(Next::Done(match taken {
                    Taken::Created(image) => Sent::Uploaded(image),
                    Taken::AlreadyThere(image) => Sent::AlreadyThere(image),
                }))
            }
            Err(refusal) => {
                progress.set(0, sent);
                if refusal == Refusal::TooLong && self.pieces.refuse_form(way.form_bytes(file)) {
                    way.in_pieces = true;
                    return Ok(Next::GotOn);
                }
                Err(refusal)
            }
        }
    }

    async fn begin(
        &self,
        file: &ImageFile,
        sha256: &mut Option<String>,
        idempotency_key: &str,
    ) -> Result<Next, Refusal> {
        // What has been refused for others need not be begun.
        if self.pieces.are_refused() {
            return Err(Refusal::TooLong);
        }
        let sha256 = sum_of(file, sha256).await?;
        let new = self.new_upload(file, sha256, idempotency_key);
        match self.server.begin(&new).await? {
            Begun::Known(image) => Ok(Next::Done(Sent::AlreadyThere(image))),
            Begun::Upload(id) => {
                self.note(file, Step::Upload(id.clone()));
                Ok(Next::Begun(id))
            }
        }
    }

    fn new_upload<'a>(
        &'a self,
        file: &'a ImageFile,
        sha256: &'a str,
        idempotency_key: &'a str,
    ) -> NewUpload<'a> {
        NewUpload {
            // The names that others know, not those that links lead to.
            filename: file.shown.file_name().and_then(|name| name.to_str()),
            size_bytes: file.version.size_bytes,
            sha256,
            modified_at: file.version.modified_at(),
            labels: &self.labels,
            sidecar: None,
            idempotency_key,
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
                let piece_bytes = self.pieces.next(size_bytes - offset);
                let answer = self.append(file, &upload.id, offset, piece_bytes, &counted).await;
                let sent = counted.load(Ordering::Relaxed);
                if let Err(refusal) = &answer {
                    progress.set(offset, sent);
                    // Whoever is told to wait before anything else has lost nothing, and asking
                    // again how things stand would be one request more.
                    let is_same = matches!(refusal, Refusal::Busy { .. });
                    upload.offset = is_same.then_some(offset);
                    if *refusal == Refusal::TooLong && self.pieces.refuse(piece_bytes) {
                        return Ok(Next::GotOn);
                    }
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
        piece_bytes: u64,
        counted: &Arc<AtomicU64>,
    ) -> Result<Standing, Refusal> {
        let mut open = open_same(file).await?;
        open.seek(SeekFrom::Start(offset)).await.map_err(|error| unreadable(&error))?;
        let body = Body::wrap_stream(self.chunks(open, piece_bytes, counted));
        unless_stalled(self.server.append(upload, offset, piece_bytes, body), counted).await
    }

    /// The next bytes of a file, which are counted and shown as they are taken.
    fn chunks(
        &self,
        open: File,
        size_bytes: u64,
        counted: &Arc<AtomicU64>,
    ) -> impl Stream<Item = io::Result<Bytes>> + Send + use<> {
        let show = self.progress.counter();
        let count = Arc::clone(counted);
        chunks(open, size_bytes, move |bytes| {
            count.fetch_add(bytes, Ordering::Relaxed);
            show(bytes);
        })
    }

    /// What is there already need not be asked about again.
    fn note_unless_known(&self, file: &ImageFile, image: &str) {
        let step = Step::Image(image.to_owned());
        if self.journal.find(file).as_ref() != Some(&step) {
            self.note(file, step);
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

/// The answer, unless nothing moves for too long.
async fn unless_stalled<T>(
    sending: impl Future<Output = Result<T, Refusal>>,
    counted: &AtomicU64,
) -> Result<T, Refusal> {
    tokio::select! {
        answer = sending => answer,
        () = stalled(counted) => Err(Refusal::passing(format!("nothing moved for {STALL_TIME:?}"))),
    }
}

/// Opens a file, if it is still what it was when it was found.
async fn open_same(file: &ImageFile) -> Result<File, Refusal> {
    let open = File::open(&file.path).await.map_err(|error| unreadable(&error))?;
    let metadata = open.metadata().await.map_err(|error| unreadable(&error))?;
    if FileVersion::of(&metadata) == file.version {
        return Ok(open);
    }
    Err(Refusal::file("it was changed while it was sent; run the command again", "changed"))
}

/// What stands in a sidecar, if it is not too long to be one.
async fn read_sidecar(sidecar: &ImageFile) -> Result<Vec<u8>, Refusal> {
    if sidecar.version.size_bytes > SIDECAR_BYTES_MAX {
        let reason = format!("a sidecar has at most {SIDECAR_BYTES_MAX} bytes");
        return Err(Refusal::file(reason, "body_too_large"));
    }
    tokio::fs::read(&sidecar.path).await.map_err(|error| unreadable(&error))
}

/// The checksum of a file, worked out once.
async fn sum_of<'a>(file: &ImageFile, sha256: &'a mut Option<String>) -> Result<&'a str, Refusal> {
    let sum = match sha256.take() {
        Some(sum) => sum,
        None => ahead::sha256(file).await.map_err(|error| unreadable(&error))?,
    };
    Ok(sha256.insert(sum))
}

fn unreadable(error: &io::Error) -> Refusal {
    Refusal::file(format!("it cannot be read: {error}"), "unreadable")
}
