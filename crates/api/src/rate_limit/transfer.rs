//! Files on their way: so many at once for each user, and so many bytes. Who comes later waits
//! in line instead of being refused, so that a client that sends a whole library needs no pauses
//! of its own and cannot crowd out anybody, its own gallery included.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::response::Response;
use http_body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Who;
use super::traffic::Direction;
use crate::{ApiError, ErrorCode};

/// How long a request waits for its turn.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// How many requests of somebody wait; whoever sends more does not wait for answers.
const WAITING_MAX: usize = 1024;
/// Users without a request on its way are forgotten when there are more entries than this.
const GATES_KEPT: usize = 1024;
/// When to come again.
const PAUSE: Duration = Duration::from_secs(2);
/// Bytes that a request counts for which does not say how many it has.
const UNKNOWN_BYTES: u64 = 8 << 20;
const KIB: u64 = 1 << 10;

/// The lines of all users.
#[derive(Debug)]
pub(super) struct Gates {
    places: usize,
    kib: u32,
    gates: Mutex<HashMap<(Who, Direction), Arc<Gate>>>,
}

/// The line of one user in one direction.
#[derive(Debug)]
struct Gate {
    places: Arc<Semaphore>,
    kib: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// The turn of a request; dropping it lets the next one in.
#[derive(Debug)]
pub(crate) struct Place {
    direction: Direction,
    _place: OwnedSemaphorePermit,
    _kib: OwnedSemaphorePermit,
    // Last: whoever holds a gate keeps it from being forgotten.
    _gate: Arc<Gate>,
}

impl Gates {
    /// Lines with so many places and bytes for each user.
    pub(super) fn new(places: usize, bytes: u64) -> Self {
        let kib = u32::try_from((bytes / KIB).max(1)).unwrap_or(u32::MAX);
        let places = places.clamp(1, Semaphore::MAX_PERMITS);
        Self { places, kib, gates: Mutex::default() }
    }

    /// Waits for a turn, first come, first served.
    pub(super) async fn enter(
        &self,
        who: Who,
        direction: Direction,
        bytes: Option<u64>,
    ) -> Result<Place, ApiError> {
        let gate = self.gate(who, direction);
        let _waiting = Waiting::begin(&gate).ok_or_else(too_many)?;
        let kib = bytes.unwrap_or(UNKNOWN_BYTES).div_ceil(KIB).clamp(1, u64::from(self.kib));
        let kib = u32::try_from(kib).unwrap_or(self.kib);
        let entering = async {
            // Always in this order, so that nobody who has a place waits for one who waits.
            let place = Arc::clone(&gate.places).acquire_owned().await;
            let kib = Arc::clone(&gate.kib).acquire_many_owned(kib).await;
            place.and_then(|place| Ok((place, kib?)))
        };
        let (place, kib) = match tokio::time::timeout(WAIT_MAX, entering).await {
            Ok(entered) => entered.map_err(|_| ApiError::plain(ErrorCode::Internal))?,
            Err(_) => return Err(too_slow()),
        };
        Ok(Place { direction, _place: place, _kib: kib, _gate: Arc::clone(&gate) })
    }

    fn gate(&self, who: Who, direction: Direction) -> Arc<Gate> {
        let mut gates = self.gates.lock().unwrap_or_else(PoisonError::into_inner);
        if gates.len() >= GATES_KEPT && !gates.contains_key(&(who, direction)) {
            gates.retain(|_, gate| Arc::strong_count(gate) > 1);
        }
        let gate = gates.entry((who, direction)).or_insert_with(|| {
            let kib = usize::try_from(self.kib).unwrap_or(Semaphore::MAX_PERMITS);
            Arc::new(Gate {
                places: Arc::new(Semaphore::new(self.places)),
                kib: Arc::new(Semaphore::new(kib.min(Semaphore::MAX_PERMITS))),
                waiting: AtomicUsize::new(0),
            })
        });
        Arc::clone(gate)
    }
}

fn too_many() -> ApiError {
    let message = "too many files are sent at once; send no more than some dozen at a time";
    ApiError::new(ErrorCode::RateLimited, message).with_retry_after(PAUSE)
}

fn too_slow() -> ApiError {
    let message = "other files of yours are still on their way; try again in a moment";
    ApiError::new(ErrorCode::Unavailable, message).with_retry_after(PAUSE)
}

/// Counts somebody who waits, however the waiting ends.
struct Waiting<'a>(&'a Gate);

impl<'a> Waiting<'a> {
    fn begin(gate: &'a Gate) -> Option<Self> {
        let waiting = Self(gate);
        let before = gate.waiting.fetch_add(1, Ordering::Relaxed);
        (before < WAITING_MAX).then_some(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Place {
    /// A file that was sent has come when it is answered; one that is fetched keeps its place
    /// until its last byte is gone.
    pub(crate) fn keep_for(self, response: Response) -> Response {
        match self.direction {
            Direction::Upload => response,
            Direction::Download => response.map(|body| Body::new(Held { body, _place: self })),
        }
    }
}

/// A body that has a place.
struct Held {
    body: Body,
    _place: Place,
}

impl http_body::Body for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use futures::poll;
    use model::{Timestamp, UserId};

    use super::*;

    fn user(n: u128) -> Who {
        Who::User(UserId::new(Timestamp::EPOCH, n))
    }

    #[tokio::test]
    async fn whoever_has_no_place_waits_in_line_and_hinders_nobody_else() {
        let gates = Gates::new(2, 1 << 20);
        let enter = |who| gates.enter(who, Direction::Upload, Some(1));
        let first = enter(user(1)).await.unwrap();
        let _second = enter(user(1)).await.unwrap();
        let mut third = Box::pin(enter(user(1)));
        assert!(poll!(&mut third).is_pending());
        let mut fourth = Box::pin(enter(user(1)));
        assert!(poll!(&mut fourth).is_pending());
        // Neither other people nor the other direction.
        let _other = enter(user(2)).await.unwrap();
        let _down = gates.enter(user(1), Direction::Download, Some(0)).await.unwrap();
        drop(first);
        assert!(poll!(&mut fourth).is_pending(), "first come, first served");
        let third = third.await.unwrap();
        assert!(poll!(&mut fourth).is_pending());
        drop(third);
        fourth.await.unwrap();
    }

    #[tokio::test]
    async fn bytes_count_too_and_a_large_file_is_not_shut_out() {
        let gates = Gates::new(10, 1 << 20);
        let enter = |bytes| gates.enter(user(1), Direction::Upload, Some(bytes));
        let large = enter(1 << 30).await.unwrap();
        let mut small = Box::pin(enter(1));
        assert!(poll!(&mut small).is_pending());
        drop(large);
        small.await.unwrap();
    }

    #[tokio::test]
    async fn those_who_wait_are_bounded_and_those_who_left_are_forgotten() {
        let gates = Gates::new(1, 1 << 20);
        let _held = gates.enter(user(0), Direction::Upload, Some(1)).await.unwrap();
        let mut waiting: Vec<_> = (0..WAITING_MAX)
            .map(|_| Box::pin(gates.enter(user(0), Direction::Upload, Some(1))))
            .collect();
        for one in &mut waiting {
            assert!(poll!(one).is_pending());
        }
        let refused = gates.enter(user(0), Direction::Upload, Some(1)).await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::RateLimited);
        for n in 1..5000 {
            drop(gates.enter(user(n), Direction::Upload, Some(1)).await.unwrap());
        }
        let kept = gates.gates.lock().unwrap();
        assert!(kept.len() <= GATES_KEPT + 1 && kept.contains_key(&(user(0), Direction::Upload)));
    }
}
