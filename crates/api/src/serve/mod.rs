//! The accept loop, and its end.

mod connection;
mod refusal;
mod unread;
mod wire;

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::RequestLimits;

/// How serving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drained {
    /// Every request that had begun was answered.
    Wholly,
    /// The grace period ended first; what was still running was cut off.
    CutOff,
}

/// Tells answers that would go on for ever that the server stops. In the extensions of every
/// request.
#[derive(Clone, Debug)]
pub(crate) struct Stopping(watch::Receiver<()>);

impl Stopping {
    /// Ends when the server stops.
    pub(crate) async fn wait(&mut self) {
        // Nothing is ever sent; the channel ends.
        let _ = self.0.changed().await;
    }
}

/// Answers requests until `stop` ends; then takes no new ones, and gives those that have
/// begun `grace` to finish.
///
/// # Errors
/// When the listener can no longer accept connections.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: RequestLimits,
    stop: impl Future<Output = ()> + Send,
    grace: Duration,
) -> io::Result<Drained> {
    let (stopping, stopped) = watch::channel(());
    let mut connections = JoinSet::new();
    let serving = accept(listener, router, Arc::new(limits), stopped, &mut connections);
    tokio::select! {
        failed = serving => return Err(failed),
        () = stop => {}
    }
    // Connections learn of the end by the channel's.
    drop(stopping);
    let drained = async { while connections.join_next().await.is_some() {} };
    match tokio::time::timeout(grace, drained).await {
        Ok(()) => Ok(Drained::Wholly),
        Err(_) => Ok(Drained::CutOff),
    }
}

/// Takes connections for as long as there is room, and returns why it cannot any more.
async fn accept(
    listener: TcpListener,
    router: Router,
    limits: Arc<RequestLimits>,
    stopped: watch::Receiver<()>,
    connections: &mut JoinSet<()>,
) -> io::Error {
    let room = Arc::new(Semaphore::new(limits.connections));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else {
            return io::Error::other("no more connections are taken");
        };
        let (stream, peer) = tokio::select! {
            accepted = accept_one(&listener) => match accepted {
                Ok(accepted) => accepted,
                Err(error) => return error,
            },
            // Those that have ended are let go, while nobody comes.
            Some(_) = connections.join_next() => continue,
        };
        let connection =
            connection::run(stream, peer, router.clone(), Arc::clone(&limits), stopped.clone());
        connections.spawn(async move {
            connection.await;
            drop(place);
        });
    }
}

/// The next connection. What is wrong with one that was never made is not our failure, and a
/// lack of file handles passes.
async fn accept_one(listener: &TcpListener) -> io::Result<(TcpStream, std::net::SocketAddr)> {
    const PAUSE: Duration = Duration::from_millis(100);
    loop {
        match listener.accept().await {
            Ok(accepted) => return Ok(accepted),
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) if is_lack_of_handles(&error) => {
                tracing::error!(%error, "cannot accept connections now");
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) => return Err(error),
        }
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

fn is_lack_of_handles(error: &io::Error) -> bool {
    const ENFILE: i32 = 23;
    const EMFILE: i32 = 24;
    const ENOBUFS: i32 = 105;
    matches!(error.raw_os_error(), Some(ENFILE | EMFILE | ENOBUFS))
        || error.kind() == io::ErrorKind::OutOfMemory
}
