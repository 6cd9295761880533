//! Files and folders on their way to a running server, by its protocol for uploads that can be
//! resumed (tus). Nothing here opens a store: this is a program like any other to the server.

mod address;
mod client;
mod journal;
mod key;
mod patience;
mod processed;
mod progress;
mod report;
mod send;
mod walk;

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use futures::StreamExt;
use futures::stream;

pub use self::address::ServerAddress;
use self::client::Server;
use self::journal::Journal;
pub use self::key::Key;
use self::patience::Patience;
use self::progress::Progress;
use self::report::Report;
use self::send::{Sender, Sent, Stop};
use self::walk::{ImageFile, Search};
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
}

/// Sends everything; fails if anything could not be sent.
pub async fn upload(options: Options) -> Result<(), Failure> {
    let mut signals = Signals::listen()?;
    let quiet = options.quiet;
    let mut report = Report::default();
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
        say!("{report}");
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
    for path in &skipped {
        progress.line("skipped", path, ": not an image");
    }
    report.skipped = skipped.len();
    for (path, reason) in failed {
        progress.line("failed", &path, &format!(": {reason}"));
        report.fail(&path, reason);
    }
    if images.is_empty() {
        return Ok(());
    }
    report.begin(images.len());

    let me = match ask_who(&server, patience).await {
        Ok(me) => me,
        Err(Stop(reason)) => {
            progress.finish();
            report.stop(&reason);
            return Ok(());
        }
    };
    let state = options.state.or_else(journal::default_path).ok_or_else(|| {
        Failure::Unsuitable("there is no home folder; name a file with --state".to_owned())
    })?;
    let journal = Journal::open(&state, &address, &me).map_err(Failure::Unsuitable)?;
    let again = options.again;
    let full = OnceLock::new();
    let sender = Sender { server, journal, progress, patience, again, full };
    send_all(&sender, &images, parallel, report).await;
    if options.wait {
        processed::wait(&sender, report).await;
    }
    sender.progress.finish();
    Ok(())
}

/// Whose key it is. This also finds out about a wrong key or a wrong address before anything is
/// sent.
async fn ask_who(server: &Server, patience: Duration) -> Result<String, Stop> {
    let mut patience = Patience::new(patience);
    loop {
        match server.find_me().await {
            Ok(me) => return Ok(me.id),
            Err(client::Refusal::Busy { after }) => tokio::time::sleep(after).await,
            Err(refusal) => {
                patience.pause(refusal).await.map_err(|refusal| Stop(refusal.to_string()))?;
            }
        }
    }
}

/// Sends images, so many at once, until all are sent or none can be any more.
async fn send_all(sender: &Sender, images: &[ImageFile], parallel: usize, report: &mut Report) {
    let sending =
        stream::iter(images).map(|image| async move { (image, sender.send(image).await) });
    let mut sending = std::pin::pin!(sending.buffer_unordered(parallel));
    while let Some((image, sent)) = sending.next().await {
        let shown = &image.shown;
        match sent {
            Ok(Sent::Uploaded(id)) => {
                sender.progress.line("uploaded", shown, &format!(" ({id})"));
                report.upload(shown, id);
            }
            Ok(Sent::AlreadyThere(id)) => {
                sender.progress.line("already there", shown, &format!(" ({id})"));
                report.know(shown, id);
            }
            Ok(Sent::Refused(reason)) => {
                sender.progress.line("failed", shown, &format!(": {reason}"));
                report.fail(shown, reason);
            }
            // What others have on its way is kept by the server for the next run.
            Err(Stop(reason)) => return report.stop(&reason),
        }
    }
}
