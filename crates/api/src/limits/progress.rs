use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use http_body::{Frame, SizeHint};
use tokio::time::{Instant, Sleep};

/// A body that must keep coming: in each span of time, so many bytes at least. Only time in
/// which somebody waits for it counts, so that a reader that takes its time harms nobody.
pub(crate) struct ProgressBody {
    inner: Body,
    span: Duration,
    bytes_min: u64,
    bytes_in_span: u64,
    waiting_since: Option<Instant>,
    waited: Duration,
    alarm: Pin<Box<Sleep>>,
}

/// A body that did not arrive in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlowBody;

impl ProgressBody {
    pub(crate) fn new(inner: Body, span: Duration, bytes_min: u64) -> Self {
        let alarm = Box::pin(tokio::time::sleep(span));
        Self {
            inner,
            span,
            bytes_min,
            bytes_in_span: 0,
            waiting_since: None,
            waited: Duration::ZERO,
            alarm,
        }
    }

    /// Counts what has come. A span ends with its bytes, or with its time.
    fn arrived(&mut self, bytes: usize) {
        if let Some(since) = self.waiting_since.take() {
            self.waited += since.elapsed();
        }
        self.bytes_in_span += bytes as u64;
        if self.bytes_in_span >= self.bytes_min {
            (self.bytes_in_span, self.waited) = (0, Duration::ZERO);
        }
    }

    fn is_overdue(&mut self, context: &mut Context<'_>) -> bool {
        if self.waiting_since.is_none() {
            let now = Instant::now();
            self.waiting_since = Some(now);
            self.alarm.as_mut().reset(now + self.span.saturating_sub(self.waited));
        }
        self.alarm.as_mut().poll(context).is_ready()
    }
}

impl http_body::Body for ProgressBody {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        match Pin::new(&mut self.inner).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                self.arrived(frame.data_ref().map_or(0, Bytes::len));
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(Some(Err(error))) => Poll::Ready(Some(Err(error.into()))),
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending if self.is_overdue(context) => Poll::Ready(Some(Err(Box::new(SlowBody)))),
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl std::error::Error for SlowBody {}

impl fmt::Display for SlowBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the body did not arrive in time")
    }
}
