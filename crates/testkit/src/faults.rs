//! Failing the Nth call to a store, for every N, before or after it has acted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// It does nothing.
    Before,
    /// It does what it should, and the answer is lost.
    After,
}

/// Calls of one scenario that cannot have so many.
const CALLS_MAX: usize = 500;

/// Decides which call fails. Shared by all that stand between a scenario and its stores.
#[derive(Debug)]
pub struct Faults {
    when: When,
    /// Which call is to fail.
    nth: usize,
    /// Calls until the failure; 0 when it is not armed or has happened.
    countdown: AtomicUsize,
    has_failed: AtomicBool,
}

impl Faults {
    fn new(when: When, nth: usize) -> Arc<Self> {
        let countdown = AtomicUsize::new(0);
        Arc::new(Self { when, nth, countdown, has_failed: AtomicBool::new(false) })
    }

    /// Counts from now on.
    pub fn arm(&self) {
        self.countdown.store(self.nth, Ordering::SeqCst);
    }

    /// Lets everything pass.
    pub fn disarm(&self) {
        self.countdown.store(0, Ordering::SeqCst);
    }

    /// Does a call, unless it is the one to fail.
    pub async fn call<T, E>(
        &self,
        call: impl Future<Output = Result<T, E>>,
        error: impl FnOnce(When) -> E,
    ) -> Result<T, E> {
        let before = self
            .countdown
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if before != Ok(1) {
            return call.await;
        }
        self.has_failed.store(true, Ordering::SeqCst);
        if self.when == When::After {
            let _ = call.await;
        }
        Err(error(self.when))
    }
}

/// Runs a scenario for every N until it has fewer than N calls. A scenario arms the failure just
/// before the step it is about, and disarms it before it looks what has become of it.
///
/// # Panics
/// If the scenario makes no calls to fail, or too many.
pub async fn at_every_call(scenario: impl AsyncFn(Arc<Faults>)) {
    for when in [When::Before, When::After] {
        let mut nth = 1;
        loop {
            let faults = Faults::new(when, nth);
            scenario(Arc::clone(&faults)).await;
            if !faults.has_failed.load(Ordering::SeqCst) {
                break;
            }
            nth += 1;
            assert!(nth < CALLS_MAX, "a scenario of endless calls");
        }
        assert!(nth > 2, "the scenario made hardly any calls");
    }
}
