//! Whether a request's body was read to its end.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use axum::extract::Request;
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;

/// Tells whether bytes of a body are left.
pub(super) struct UnreadBody(Arc<AtomicBool>);

/// A body that says when it has ended.
pub(super) struct WatchedBody {
    body: Incoming,
    unread: Arc<AtomicBool>,
}

impl UnreadBody {
    pub(super) fn watch(request: Request<Incoming>) -> (Request<WatchedBody>, Self) {
        let unread = Arc::new(AtomicBool::new(!request.body().is_end_stream()));
        let watched = Arc::clone(&unread);
        (request.map(|body| WatchedBody { body, unread: watched }), Self(unread))
    }

    pub(super) fn is_unread(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Body for WatchedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.unread.store(false, Ordering::Relaxed);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
