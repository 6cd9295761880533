//! The accept loop, and its end.

use std::future::Future;
use std::io;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// How serving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drained {
    /// Every request that had begun was answered.
    Wholly,
    /// The grace period ended first; what still runs ends with the process.
    CutOff,
}

/// Answers requests until `stop` ends; then takes no new ones, and gives those that have
/// begun `grace` to finish.
///
/// # Errors
/// When the listener can no longer accept connections.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()> + Send + 'static,
    grace: Duration,
) -> io::Result<Drained> {
    let (stopping, stopped) = oneshot::channel();
    let announce = async move {
        stop.await;
        let _ = stopping.send(());
    };
    let serving = axum::serve(listener, router).with_graceful_shutdown(announce);
    let cut_off = async move {
        // An error means that serving ended before it was asked to; it tells why itself.
        if stopped.await.is_err() {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(grace).await;
    };
    tokio::select! {
        served = serving.into_future() => served.map(|()| Drained::Wholly),
        () = cut_off => Ok(Drained::CutOff),
    }
}
