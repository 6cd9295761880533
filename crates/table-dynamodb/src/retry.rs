//! Trying again: with jittered exponential back-off, and never without end.

use std::time::{Duration, Instant};

use table::{Error, Result};

use crate::RetryPolicy;
use crate::fault::Fault;
use crate::operation::Operation;

/// The attempts of one operation.
#[derive(Debug)]
pub(crate) struct Retry<'a> {
    policy: &'a RetryPolicy,
    table: &'a str,
    operation: Operation,
    started: Instant,
    attempts: u32,
    maybe_written: bool,
}

impl<'a> Retry<'a> {
    pub(crate) fn new(policy: &'a RetryPolicy, table: &'a str, operation: Operation) -> Self {
        let started = Instant::now();
        Self { policy, table, operation, started, attempts: 0, maybe_written: false }
    }

    /// Makes one attempt, bounded in time. The request goes to the heap here, because what the
    /// SDK makes of it is large.
    pub(crate) fn attempt<T, F>(
        &self,
        request: impl Future<Output = std::result::Result<T, F>>,
    ) -> impl Future<Output = std::result::Result<T, Fault>>
    where
        Fault: From<F>,
    {
        let left = self.policy.total_timeout.saturating_sub(self.started.elapsed());
        let timeout = left.min(self.policy.attempt_timeout);
        let request = Box::pin(request);
        async move {
            match tokio::time::timeout(timeout, request).await {
                Ok(answer) => answer.map_err(Fault::from),
                Err(_) => Err(Fault::Lost(format!("no answer within {timeout:?}"))),
            }
        }
    }

    /// Pauses after a fault that may pass.
    ///
    /// # Errors
    /// What to tell the caller, when the fault does not pass or the bounds are reached.
    pub(crate) async fn after(&mut self, fault: Fault) -> Result<()> {
        match self.again(fault).await {
            Ok(()) => Ok(()),
            Err(fault) => Err(self.error(fault)),
        }
    }

    /// The same, but gives the fault back.
    pub(crate) async fn again(&mut self, fault: Fault) -> std::result::Result<(), Fault> {
        self.attempts += 1;
        if self.operation.writes() && matches!(fault, Fault::Lost(_)) {
            self.maybe_written = true;
        }
        if !passes(&fault) {
            return Err(fault);
        }
        let pause = self.pause();
        let ends = self.started.elapsed() + pause;
        if self.attempts >= self.policy.attempts_max || ends >= self.policy.total_timeout {
            return Err(fault);
        }
        metrics::counter!(
            "ferrotype_table_retries_total",
            "operation" => self.operation.name(),
            "reason" => reason(&fault)
        )
        .increment(1);
        tracing::debug!(operation = self.operation.name(), ?fault, ?pause, "trying again");
        tokio::time::sleep(pause).await;
        Ok(())
    }

    /// Starts counting attempts anew, because something was achieved. The time goes on.
    pub(crate) fn made_progress(&mut self) {
        self.attempts = 0;
    }

    /// Part of what was asked has been written.
    pub(crate) fn has_written(&mut self) {
        self.maybe_written = true;
    }

    /// How many attempts have failed.
    pub(crate) fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Whether an attempt may have been carried out without our hearing of it.
    pub(crate) fn maybe_written(&self) -> bool {
        self.maybe_written
    }

    /// A random part of a bound that doubles with every attempt, so that writers who met
    /// once do not meet again.
    fn pause(&self) -> Duration {
        let doublings = self.attempts.saturating_sub(1).min(16);
        let bound = self.policy.backoff_first.saturating_mul(1 << doublings);
        bound.min(self.policy.backoff_max).mul_f64(rand::random_range(0.25..=1.0))
    }

    /// What the caller is told when `fault` ended it all.
    pub(crate) fn error(&self, fault: Fault) -> Error {
        let message = match fault {
            Fault::Conflict if !self.maybe_written => return Error::Contention,
            Fault::Conflict | Fault::InProgress => {
                "an attempt was lost and others kept changing the same items".to_owned()
            }
            Fault::Throttled(reason) => format!(
                "DynamoDB throttles table {:?} ({reason}); it has too little capacity for this load",
                self.table
            ),
            Fault::Unreachable(reason) => format!(
                "no connection to DynamoDB ({reason}); check the endpoint, the region and the network"
            ),
            Fault::Lost(reason) => format!("no usable answer from DynamoDB ({reason})"),
            Fault::NoTable => return Error::Misconfigured(missing_table(self.table)),
            Fault::Credentials(reason) => {
                return Error::Misconfigured(format!(
                    "DynamoDB does not accept the credentials ({reason}); check the AWS settings"
                ));
            }
            Fault::Denied(reason) => {
                return Error::Misconfigured(format!(
                    "not permitted on table {:?} ({reason}); see docs/operations/dynamodb.md for \
                     the permissions needed",
                    self.table
                ));
            }
            Fault::Rejected { code, message } => {
                return Error::invalid(format_args!("DynamoDB refused it, {code}: {message}"));
            }
            Fault::Final(error) => return error,
        };
        let message = format!("{message}; gave up after {} attempts", self.attempts);
        Error::Unavailable { message, maybe_written: self.maybe_written }
    }
}

/// What to do about a missing table.
pub(crate) fn missing_table(table: &str) -> String {
    format!("there is no table {table:?} with the indexes needed; run `ferrotype table create`")
}

fn passes(fault: &Fault) -> bool {
    match fault {
        Fault::Conflict
        | Fault::Throttled(_)
        | Fault::Unreachable(_)
        | Fault::Lost(_)
        | Fault::InProgress => true,
        Fault::NoTable
        | Fault::Credentials(_)
        | Fault::Denied(_)
        | Fault::Rejected { .. }
        | Fault::Final(_) => false,
    }
}

fn reason(fault: &Fault) -> &'static str {
    match fault {
        Fault::Conflict | Fault::InProgress => "conflict",
        Fault::Throttled(_) => "throttled",
        Fault::Unreachable(_) => "unreachable",
        _ => "lost",
    }
}
