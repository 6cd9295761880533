//! A connection's bytes: counted, and given up when the client stops taking them.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use metrics::Counter;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

use super::connection::Version;
use super::refusal::Refusal;
use crate::observe::{RECEIVED, SENT};

/// How HTTP/2 begins; `PRI` is no method of HTTP/1.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

pub(super) struct Wire {
    stream: TcpStream,
    /// What was read to learn the version, until it is read again.
    read_ahead: Vec<u8>,
    /// How long the client may take no byte of what it asked for.
    stall_time: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
    /// Whether the client has said something that was not answered.
    waits_for_answer: bool,
    /// An answer made without us, which is kept back.
    kept_back: Option<Refusal>,
    received: Counter,
    sent: Counter,
}

impl Wire {
    pub(super) fn new(stream: TcpStream, stall_time: Duration) -> Self {
        Self {
            stream,
            read_ahead: Vec::new(),
            stall_time,
            stalled: None,
            waits_for_answer: false,
            kept_back: None,
            received: metrics::counter!(RECEIVED),
            sent: metrics::counter!(SENT),
        }
    }

    /// Reads as much as it takes to know what is spoken.
    pub(super) async fn read_version(&mut self) -> io::Result<Version> {
        let mut buffer = [0; PREFACE.len()];
        loop {
            if !PREFACE.starts_with(&self.read_ahead) {
                return Ok(Version::Http1);
            }
            if self.read_ahead.len() == PREFACE.len() {
                return Ok(Version::Http2);
            }
            let missing = PREFACE.len() - self.read_ahead.len();
            let count = self.stream.read(buffer.get_mut(..missing).unwrap_or_default()).await?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.waits_for_answer = true;
            self.read_ahead.extend(buffer.iter().take(count));
        }
    }

    /// Says that the time is over, unless nothing was begun, and closes.
    pub(super) async fn end_idle(&mut self) {
        if self.waits_for_answer {
            self.refuse(Refusal::SlowHead).await;
        } else {
            self.close().await;
        }
    }

    /// Answers instead of what was kept back, if anything, and closes.
    pub(super) async fn refuse_by_status(&mut self) {
        match self.kept_back.take() {
            Some(refusal) => self.refuse(refusal).await,
            None => self.close().await,
        }
    }

    /// Says why there will be no answer, and closes.
    pub(super) async fn refuse(&mut self, refusal: Refusal) {
        let answer = refusal.to_bytes();
        let write = async { self.stream.write_all(&answer).await };
        // Whoever does not listen need not hear.
        let _ = tokio::time::timeout(self.stall_time, write).await;
        self.close().await;
    }

    /// Ends what we send, and takes some of what is still on its way: closing before would make
    /// the client lose our last words, such as why we do not want the photo that it is sending.
    pub(super) async fn close(&mut self) {
        const LINGER: Duration = Duration::from_secs(5);
        const BYTES_MAX: usize = 64 << 20;
        let rest = async {
            self.stream.shutdown().await?;
            let (mut buffer, mut taken) = (vec![0; 64 << 10], 0);
            while taken < BYTES_MAX {
                match self.stream.read(&mut buffer).await? {
                    0 => break,
                    count => taken += count,
                }
            }
            io::Result::Ok(())
        };
        let _ = tokio::time::timeout(LINGER, rest).await;
    }

    fn note_written(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Pending => self.wait_for_client(context),
            Poll::Ready(Ok(count)) => {
                self.stalled = None;
                self.waits_for_answer = false;
                self.sent.increment(count as u64);
                Poll::Ready(Ok(count))
            }
            failed => failed,
        }
    }

    /// Fails when the client has not taken a byte for too long.
    fn wait_for_client(&mut self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let time = self.stall_time;
        let alarm = || Box::pin(tokio::time::sleep_until(Instant::now() + time));
        ready!(self.stalled.get_or_insert_with(alarm).as_mut().poll(context));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client takes no bytes")))
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.read_ahead.is_empty() {
            let count = self.read_ahead.len().min(buffer.remaining());
            let rest = self.read_ahead.split_off(count);
            buffer.put_slice(&std::mem::replace(&mut self.read_ahead, rest));
            self.received.increment(count as u64);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let count = buffer.filled().len() - before;
        self.waits_for_answer |= count > 0;
        self.received.increment(count as u64);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if let Some(refusal) = self.kept_back.or_else(|| Refusal::of_bytes(bytes)) {
            self.kept_back = Some(refusal);
            return Poll::Ready(Ok(bytes.len()));
        }
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.note_written(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let first = slices.iter().find(|slice| !slice.is_empty());
        if self.kept_back.is_some() || first.is_some_and(|first| Refusal::of_bytes(first).is_some())
        {
            let first = first.map_or(&[][..], |first| first);
            return self.poll_write(context, first);
        }
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.note_written(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
