//! Files and folders on their way to a running server: it is asked which it has, hundreds at a time;
//! photos then go in one request each, and larger files by its protocol for uploads that can be
//! resumed (tus). Nothing here opens a store: this is a program like any other to the server.

mod address;
mod ahead;
mod albums;
mod client;
mod journal;
mod key;
mod kinds;
mod known;
mod patience;
mod pieces;
mod processed;
mod progress;
mod report;
mod send;
mod sidecars;
mod walk;
mod whole;

use std::fs::File;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use futures::StreamExt;
use futures::stream;
use model::{TakenAt, Visibility};
use tokio::sync::mpsc;

pub use self::address::ServerAddress;
use self::ahead::{READY_MAX, Ready};
use self::albums::Filling;
use self::client::{Labels, Server};
use self::journal::Journal;
pub use self::key::Key;
use self::patience::patiently;
use self::pieces::Pieces;
use self::progress::Progress;
use self::report::Report;
use self::send::{Sender, Sent, Stop};
use self::walk::Search;
use crate::failure::Failure;
use crate::output::say;
use crate::signals::Signals;

/// What to send where.
pub struct Options {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// The server.
    pub server: ServerAddress,
    /// What proves us to it.
    pub key: Key,
    /// Files sent at once.
    pub parallel: usize,
    /// How long to go on while the server does not answer.
    pub patience: Duration,
    /// Where it is noted what has been sent; else where such things are kept.
    pub state: Option<PathBuf>,
    /// Whether files are sent that have been sent before.
    pub again: bool,
    /// Whether to wait until the images have been processed.
    pub wait: bool,
    /// Whether to say nothing but what failed.
    pub quiet: bool,
    /// The album that all of them are put into, by name or id.
    pub album: Option<String>,
    /// Tags of what is new.
    pub tags: Vec<String>,
    /// Who may see what is new.
    pub visibility: Option<Visibility>,
    /// When what is new was taken; else as each file says.
    pub taken: Option<TakenAt>,
    /// Where to write what became of every file, for programs.
    pub report: Option<PathBuf>,
}

/// Sends everything; fails if anything could not be sent.
pub async fn upload(options: Options) -> Result<(), Failure> {
    let mut signals = Signals::listen()?;
    let quiet = options.quiet;
    let mut report = Report::default();
    // Before anything is sent: whoever asks for a report wants to have it.
    let written = options.report.as_ref().map(|path| {
        let created = File::create(path);
        created
            .map_err(|error| Failure::Unsuitable(format!("--report {}: {error}", path.display())))
    });
    let written = written.transpose()?;
    let interrupted = tokio::select! {
        done = run(options, &mut report) => {
            done?;
            None
        }
        name = signals.next() => Some(name),
    };
    if let Some(name) = interrupted {
        report.stop(&format!("interrupted by {name}; run the same command again to go on"));
    }
    if !quiet {
        for line in report.left_out() {
            say!("{line}");
        }
        say!("{report}");
    }
    if let Some(mut file) = written
        && let Err(error) = report.write(&mut file)
    {
        eprintln!("warning: the report cannot be written: {error}");
    }
    report.into_result()
}

async fn run(options: Options, report: &mut Report) -> Result<(), Failure> {
    let Options { paths, parallel, patience, .. } = options;
    if options.server.is_in_the_clear() {
        eprintln!("warning: the key goes to {} without TLS", options.server);
    }
    let address = options.server.to_string();
    let server = Server::new(options.server, options.key).map_err(Failure::Start)?;
    let found = tokio::task::spawn_blocking(move || walk::search(&paths)).await;
    let Search { images, skipped, failed, .. } =
        found.map_err(|error| Failure::Start(format!("looking for images: {error}")))?;

    let size_bytes = images.iter().map(|image| image.version.size_bytes).sum();
    let progress = Progress::new(size_bytes, options.quiet);
    for (path, kind) in skipped {
        progress.line("skipped", &path, &format!(": {}", kind.reason()));
        report.skip(path, kind);
    }
    for (path, reason, code) in failed {
        progress.line("failed", &path, &format!(": {reason}"));
        report.fail(&path, reason, code.to_owned());
    }
    if images.is_empty() {
        return Ok(());
    }
    report.begin(images.iter().map(|image| image.shown.clone()));

    let begun = begin(&server, &progress, options.album.as_deref(), patience).await;
    let (me, album) = match begun {
        Ok(begun) => begun,
        Err(refusal) => {
            progress.finish();
            report.stop(&refusal.to_string());
            return Ok(());
        }
    };
    let state = options.state.or_else(journal::default_path).ok_or_else(|| {
        Failure::Unsuitable("there is no home folder; name a file with --state".to_owned())
    })?;
    let journal = Journal::open(&state, &address, &me).map_err(Failure::Unsuitable)?;
    let again = options.again;
    let visibility = options.visibility.map(|visibility| match visibility {
        Visibility::Private => "private",
        Visibility::Shared => "shared",
    });
    let labels = Labels { tags: options.tags, visibility, taken: options.taken };
    let (full, pieces) = (OnceLock::new(), Pieces::new());
    let sender = Sender { server, journal, progress, patience, again, labels, full, pieces };
    let (ready, waiting) = mpsc::channel(READY_MAX);
    if let Err(Stop(reason)) = {
        let looking = ahead::look_ahead(&sender, images, ready);
        let sending = send_all(&sender, waiting, parallel, album, report);
        tokio::pin!(sending);
        tokio::select! {
            looked = looking => {
                sending.await;
                looked
            }
            // It ends first only if nothing more is to be sent.
            () = &mut sending => Ok(()),
        }
    } {
        report.stop(&reason);
    }
    if options.wait {
        processed::wait(&sender, report).await;
    }
    sender.progress.finish();
    Ok(())
}

/// Whose key it is, and where the images go. This also finds out about a wrong key or a wrong
/// address before anything is sent.
async fn begin(
    server: &Server,
    progress: &Progress,
    album: Option<&str>,
    patience: Duration,
) -> Result<(String, Option<Filling>), client::Refusal> {
    let me = patiently(patience, progress, async || server.find_me().await).await?;
    let album = match album {
        Some(named) => Some(Filling::open(server, named, patience, progress).await?),
        None => None,
    };
    Ok((me.id, album))
}

/// Sends images, so many at once, until all are sent or none can be any more.
async fn send_all(
    sender: &Sender,
    waiting: mpsc::Receiver<Ready>,
    parallel: usize,
    mut album: Option<Filling>,
    report: &mut Report,
) {
    let Sender { server, progress, patience, .. } = sender;
    let next = |mut waiting: mpsc::Receiver<Ready>| async move {
        let ready = waiting.recv().await?;
        Some((ready, waiting))
    };
    let sending = stream::unfold(waiting, next).map(|ready| sender.send(ready));
    let mut sending = std::pin::pin!(sending.buffer_unordered(parallel));
    while let Some((file, sent, beside)) = sending.next().await {
        let shown = &file.shown;
        let image = match sent {
            Ok(Sent::Uploaded(id)) => {
                progress.line("uploaded", shown, &format!(" ({id})"));
                report.upload(shown, id.clone());
                id
            }
            Ok(Sent::AlreadyThere(id)) => {
                progress.line("already there", shown, &format!(" ({id})"));
                report.know(shown, id.clone());
                id
            }
            Ok(Sent::Refused { reason, code }) => {
                progress.line("failed", shown, &format!(": {reason}"));
                report.fail(shown, reason, code);
                continue;
            }
            // What others have on its way is kept by the server for the next run.
            Err(Stop(reason)) => {
                return report.stop(&reason);
            }
        };
        if let Some(refusal) = beside {
            let sidecar = file.sidecar.as_ref().map_or(shown, |sidecar| &sidecar.shown);
            progress.line("failed", sidecar, &format!(": {refusal}"));
            report.fail(sidecar, refusal.to_string(), refusal.code().to_owned());
        }
        if let Some(filling) = &mut album
            && let Err(refusal) = filling.add(image, server, *patience, progress).await
        {
            return report.stop(&format!("the album: {refusal}"));
        }
    }
    if let Some(mut filling) = album
        && let Err(refusal) = filling.flush(server, *patience, progress).await
    {
        report.stop(&format!("the album: {refusal}"));
    }
}
