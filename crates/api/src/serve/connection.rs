//! One connection, from its first byte to its last.

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use axum::response::Response;
use axum::routing::future::RouteFuture;
use axum::{BoxError, Router};
use bytes::Bytes;
use http_body::Body as HttpBody;
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tower::Service;

use super::Stopping;
use super::unread::UnreadBody;
use super::wire::Wire;
use crate::RequestLimits;
use crate::client::Peer;
use crate::observe::CONNECTIONS;

/// Requests of one HTTP/2 connection at once.
const STREAMS_MAX: u32 = 200;

/// Answers all requests of a connection.
pub(super) async fn run(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    limits: Arc<RequestLimits>,
    stopped: watch::Receiver<()>,
) {
    let _open = Open::begin();
    // Answers are written whole; waiting for more would only delay them.
    let _ = stream.set_nodelay(true);
    let mut wire = Wire::new(stream, limits.stall_time);
    let mut stop = stopped;
    let version = tokio::select! {
        version = tokio::time::timeout(limits.head_time, wire.read_version()) => version,
        // Nothing has begun yet.
        _ = stop.changed() => return,
    };
    let stopping = Stopping(stop.clone());
    let requests = Requests { router, peer, stopping, running: Arc::default() };
    match version {
        Ok(Ok(Version::Http1)) => run_http1(wire, requests, &limits, stop).await,
        Ok(Ok(Version::Http2)) => run_http2(wire, requests, &limits, stop).await,
        Ok(Err(_)) => {}
        Err(_) => wire.end_idle().await,
    }
}

/// What a connection begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// HTTP/1.0 or 1.1.
    Http1,
    /// HTTP/2 without TLS, by its preface.
    Http2,
}

async fn run_http1(
    wire: Wire,
    requests: Requests,
    limits: &RequestLimits,
    mut stop: watch::Receiver<()>,
) {
    let service = service_fn(move |request| requests.answer_in_turn(request));
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_buf_size(limits.head_bytes.max(8192))
        .max_headers(limits.headers)
        .serve_connection(TokioIo::new(wire), service);
    let ended = tokio::select! {
        ended = poll_fn(|context| connection.poll_without_shutdown(context)) => ended,
        _ = stop.changed() => {
            Pin::new(&mut connection).graceful_shutdown();
            poll_fn(|context| connection.poll_without_shutdown(context)).await
        }
    };
    let mut wire = connection.into_parts().io.into_inner();
    match ended {
        Err(error) if error.is_timeout() => wire.end_idle().await,
        Err(error) if error.is_parse() => wire.refuse_by_status().await,
        Ok(()) | Err(_) => wire.close().await,
    }
}

async fn run_http2(
    wire: Wire,
    requests: Requests,
    limits: &RequestLimits,
    mut stop: watch::Receiver<()>,
) {
    let running = Arc::clone(&requests.running);
    let service = service_fn(move |request| requests.answer(request));
    let head_bytes = u32::try_from(limits.head_bytes).unwrap_or(u32::MAX);
    let connection = http2::Builder::new(TokioExecutor::new())
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS_MAX)
        .max_header_list_size(head_bytes)
        .keep_alive_interval(limits.head_time)
        .keep_alive_timeout(limits.stall_time)
        .serve_connection(TokioIo::new(wire), service);
    let mut connection = pin!(connection);
    tokio::select! {
        _ = &mut connection => return,
        () = idle(&running, limits.head_time) => {}
        _ = stop.changed() => {}
    }
    connection.as_mut().graceful_shutdown();
    // What goes wrong with one connection is its client's affair.
    let _ = connection.await;
}

/// Ends when nothing was asked for so long.
async fn idle(running: &AtomicUsize, time: Duration) {
    let mut quiet = 0;
    // HTTP/1 has the same limit; here it is only looked at now and then, which is near enough.
    while quiet < 4 {
        tokio::time::sleep(time / 2).await;
        quiet = if running.load(Ordering::Relaxed) == 0 { quiet + 1 } else { 0 };
    }
}

/// Answers single requests.
#[derive(Clone)]
struct Requests {
    router: Router,
    peer: SocketAddr,
    stopping: Stopping,
    running: Arc<AtomicUsize>,
}

impl Requests {
    /// Answers a request of HTTP/1. If its body is not wanted to the end, no other request can
    /// follow on the connection, and the client is told so.
    fn answer_in_turn(&self, request: Request<Incoming>) -> Answer {
        let (request, rest) = UnreadBody::watch(request);
        Answer { rest: Some(rest), ..self.answer(request) }
    }

    fn answer<B>(&self, request: Request<B>) -> Answer
    where
        B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
    {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(Peer(self.peer));
        request.extensions_mut().insert(self.stopping.clone());
        let running = Running::begin(Arc::clone(&self.running));
        Answer { future: self.router.clone().call(request), rest: None, _running: running }
    }
}

/// An answer under way.
struct Answer {
    future: RouteFuture<Infallible>,
    /// What may be left of the request, if that ends the connection.
    rest: Option<UnreadBody>,
    _running: Running,
}

impl Future for Answer {
    type Output = Result<Response, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut response = ready!(Pin::new(&mut self.future).poll(context))?;
        if self.rest.as_ref().is_some_and(UnreadBody::is_unread) {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        Poll::Ready(Ok(response))
    }
}

struct Running(Arc<AtomicUsize>);

impl Running {
    fn begin(running: Arc<AtomicUsize>) -> Self {
        running.fetch_add(1, Ordering::Relaxed);
        Self(running)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts a connection while it is open, however it ends.
struct Open;

impl Open {
    fn begin() -> Self {
        metrics::gauge!(CONNECTIONS).increment(1);
        Self
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        metrics::gauge!(CONNECTIONS).decrement(1);
    }
}
