//! What is to happen to which request, and what has happened so far.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use super::{Call, Fault};

/// How many tokens of an operation are remembered.
const TOKENS_MAX: usize = 10_000;

type Decide = Box<dyn FnMut(Call<'_>) -> Option<Fault> + Send>;

#[derive(Default)]
pub(super) struct Script {
    queues: HashMap<String, VecDeque<Fault>>,
    decide: Option<Decide>,
    tallies: HashMap<String, Tally>,
    requests_of_all: usize,
}

/// What happened to the requests of one operation.
#[derive(Debug, Default, Clone)]
pub(super) struct Tally {
    pub(super) requests: usize,
    pub(super) forwarded: usize,
    pub(super) tokens: Vec<String>,
}

impl Script {
    pub(super) fn enqueue(&mut self, operation: &str, fault: Fault) {
        self.queues.entry(operation.to_owned()).or_default().push_back(fault);
    }

    pub(super) fn decide_by(&mut self, decide: Decide) {
        self.decide = Some(decide);
    }

    pub(super) fn clear_faults(&mut self) {
        self.queues.clear();
        self.decide = None;
    }

    pub(super) fn faults_left(&self) -> usize {
        self.queues.values().map(VecDeque::len).sum()
    }

    /// Counts an arrived request and decides what meets it.
    pub(super) fn arrived(&mut self, operation: &str, token: Option<String>) -> Option<Fault> {
        self.requests_of_all += 1;
        let tally = self.tallies.entry(operation.to_owned()).or_default();
        tally.requests += 1;
        if tally.tokens.len() < TOKENS_MAX {
            tally.tokens.extend(token);
        }
        let call = Call { operation, nth: tally.requests, nth_of_all: self.requests_of_all };
        let queued = self.queues.get_mut(operation).and_then(VecDeque::pop_front);
        queued.or_else(|| self.decide.as_mut().and_then(|decide| decide(call)))
    }

    /// Counts a request that the server has answered.
    pub(super) fn forwarded(&mut self, operation: &str) {
        self.tallies.entry(operation.to_owned()).or_default().forwarded += 1;
    }

    pub(super) fn tally(&self, operation: &str) -> Tally {
        self.tallies.get(operation).cloned().unwrap_or_default()
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script")
            .field("queues", &self.queues)
            .field("tallies", &self.tallies)
            .finish_non_exhaustive()
    }
}
