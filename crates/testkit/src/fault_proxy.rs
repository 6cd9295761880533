//! A reverse proxy on loopback that stands between a client and a real server and does to chosen
//! requests what networks and DynamoDB do on bad days.
//!
//! The servers of [`crate::servers`] never throttle, never report a transaction conflict and never
//! break a connection. A test puts this proxy before one of them and scripts the faults: queued per
//! operation, by a function, or at random from a seed. What no fault is meant for passes unchanged.
//! The proxy counts what it saw and what it forwarded, so a test can tell "tried three times" from
//! "applied three times".
//!
//! The operation of a request is the last part of its `X-Amz-Target` header (`PutItem`), or its
//! HTTP method if it has none (`PUT`, for S3).

mod answer;
mod batch;
mod script;
mod serve;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use tokio::sync::oneshot;

use script::Script;

/// What happens to one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// 400 `ThrottlingException`; not forwarded.
    Throttling,
    /// 400 `ProvisionedThroughputExceededException`; not forwarded.
    ThroughputExceeded,
    /// 400 `TransactionCanceledException` whose last action met a `TransactionConflict`, or
    /// `TransactionConflictException` if the request is no transaction; not forwarded.
    TransactionConflict,
    /// 400 `TransactionInProgressException`; not forwarded.
    TransactionInProgress,
    /// 500 `InternalServerError`; not forwarded.
    InternalServerError,
    /// 503; not forwarded.
    ServiceUnavailable,
    /// `BatchGetItem` and `BatchWriteItem`: this many keys or writes are forwarded, the others come
    /// back as unprocessed. Nothing happens to other operations and to smaller batches.
    Unprocessed {
        /// How many entries of the batch reach the server.
        forwarded: usize,
    },
    /// The connection is reset; not forwarded.
    ResetBefore,
    /// Forwarded, and the connection is reset instead of an answer.
    ResetAfter,
    /// Forwarded after the delay, even if the client has given up by then.
    DelayBefore(Duration),
    /// Forwarded at once, answered after the delay.
    DelayAfter(Duration),
    /// Forwarded, and answered with 200 and a body that is not JSON.
    Garbage,
}

/// A request that waits for the decision whether a fault shall meet it.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// What the request asks for, such as `PutItem`.
    pub operation: &'a str,
    /// The how manieth request of its operation it is, from 1.
    pub nth: usize,
    /// The how manieth request of all it is, from 1.
    pub nth_of_all: usize,
}

/// A running proxy; stopped with all its connections when dropped.
#[derive(Debug)]
pub struct FaultProxy {
    address: SocketAddr,
    script: Arc<Mutex<Script>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl FaultProxy {
    /// Starts a proxy before a server, given as `http://127.0.0.1:40001`. It runs on a thread of
    /// its own, so it works beside any runtime.
    ///
    /// # Panics
    /// If the address of the server is not of this form.
    pub fn start(upstream: &str) -> Self {
        let upstream: SocketAddr = upstream
            .strip_prefix("http://")
            .map(|authority| authority.trim_end_matches('/'))
            .and_then(|authority| authority.parse().ok())
            .unwrap_or_else(|| panic!("{upstream} is not of the form http://127.0.0.1:40001"));
        let script = Arc::new(Mutex::new(Script::default()));
        let (stop, stopped) = oneshot::channel();
        let (listener, address) = serve::listen();
        let thread = std::thread::spawn({
            let script = script.clone();
            move || serve::run(listener, upstream, script, stopped)
        });
        Self { address, script, stop: Some(stop), thread: Some(thread) }
    }

    /// Its address, to give to the client instead of the server's.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Lets the fault meet the next request of the operation that no queued fault is meant for yet.
    ///
    /// # Panics
    /// If the fault cannot happen to the operation.
    pub fn inject(&self, operation: &str, fault: Fault) {
        self.inject_all(operation, [fault]);
    }

    /// Queues faults for the next requests of the operation, one each, in order.
    ///
    /// # Panics
    /// If a fault cannot happen to the operation.
    pub fn inject_all(&self, operation: &str, faults: impl IntoIterator<Item = Fault>) {
        for fault in faults {
            assert!(
                !matches!(fault, Fault::Unprocessed { .. }) || batch::is_batch(operation),
                "{operation} has no unprocessed entries"
            );
            self.script().enqueue(operation, fault);
        }
    }

    /// Asks the function about every request that no queued fault is meant for, from now on.
    pub fn decide_by(&self, decide: impl FnMut(Call<'_>) -> Option<Fault> + Send + 'static) {
        self.script().decide_by(Box::new(decide));
    }

    /// Lets one of the faults, chosen by the seed, meet this share of requests, from now on.
    ///
    /// # Panics
    /// If the share is not between 0 and 1, or there are no faults.
    pub fn inject_at_random(&self, seed: u64, share: f64, faults: Vec<Fault>) {
        assert!((0.0..=1.0).contains(&share), "{share} is not between 0 and 1");
        assert!(!faults.is_empty(), "no faults to choose from");
        let mut random = StdRng::seed_from_u64(seed);
        self.decide_by(move |_| {
            random.random_bool(share).then(|| faults.choose(&mut random).copied()).flatten()
        });
    }

    /// Forgets all faults that are still to come; counts stay.
    pub fn clear_faults(&self) {
        self.script().clear_faults();
    }

    /// How many queued faults no request has met yet.
    pub fn faults_left(&self) -> usize {
        self.script().faults_left()
    }

    /// How many requests of the operation arrived.
    pub fn requests(&self, operation: &str) -> usize {
        self.script().tally(operation).requests
    }

    /// How many requests of the operation the server answered, whether the client heard or not.
    pub fn forwarded(&self, operation: &str) -> usize {
        self.script().tally(operation).forwarded
    }

    /// The `ClientRequestToken` of every request of the operation that had one, in order.
    pub fn tokens(&self, operation: &str) -> Vec<String> {
        self.script().tally(operation).tokens
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().expect("a function given to decide_by panicked")
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
