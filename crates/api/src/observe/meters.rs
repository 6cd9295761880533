//! Metrics of requests, with their handles kept: finding one by its labels for every request would
//! cost more than many an answer.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use axum::http::StatusCode;
use metrics::{Counter, Gauge, Histogram};

pub(super) const REQUESTS: &str = "ferrotype_http_requests_total";
pub(super) const SECONDS: &str = "ferrotype_http_request_duration_seconds";
pub(super) const IN_FLIGHT: &str = "ferrotype_http_requests_in_flight";

/// Counts requests. To be made once the recorder is installed.
pub(crate) struct Meters {
    in_flight: Gauge,
    /// By route. There are few: only routes of ours have names here.
    routes: RwLock<HashMap<String, Vec<Answered>>>,
}

/// The handles for answers of one kind.
#[derive(Clone)]
struct Answered {
    method: &'static str,
    status: StatusCode,
    requests: Counter,
    seconds: Histogram,
}

impl Meters {
    pub(crate) fn new() -> Self {
        Self { in_flight: metrics::gauge!(IN_FLIGHT), routes: RwLock::default() }
    }

    /// A request begins; it is under way until what is returned is dropped.
    pub(super) fn begin(&self) -> InFlight<'_> {
        self.in_flight.increment(1);
        InFlight(&self.in_flight)
    }

    /// A request was answered.
    pub(super) fn count(
        &self,
        method: &'static str,
        route: &str,
        status: StatusCode,
        took: Duration,
    ) {
        let answered = self.find(method, route, status);
        let answered = answered.unwrap_or_else(|| self.add(method, route, status));
        answered.seconds.record(took);
        answered.requests.increment(1);
    }

    fn find(&self, method: &'static str, route: &str, status: StatusCode) -> Option<Answered> {
        let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        let is_it = |known: &&Answered| known.method == method && known.status == status;
        routes.get(route)?.iter().find(is_it).cloned()
    }

    fn add(&self, method: &'static str, route: &str, status: StatusCode) -> Answered {
        let labels = [("method", method.to_owned()), ("route", route.to_owned())];
        let seconds = metrics::histogram!(SECONDS, &labels);
        let [method_label, route_label] = labels;
        let status_label = ("status", status.as_str().to_owned());
        let requests = metrics::counter!(REQUESTS, &[method_label, route_label, status_label]);
        let answered = Answered { method, status, requests, seconds };
        let mut routes = self.routes.write().unwrap_or_else(PoisonError::into_inner);
        routes.entry(route.to_owned()).or_default().push(answered.clone());
        answered
    }
}

/// A request that is under way, however it ends.
pub(super) struct InFlight<'m>(&'m Gauge);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.decrement(1);
    }
}
