//! Rate limits per address and per user, with the usual headers.

mod limiter;

use std::net::IpAddr;
use std::time::Duration;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use model::UserId;
use serde_json::json;
use service::Caller;

pub(crate) use self::limiter::Decision;
use self::limiter::Limiter;
use crate::app::App;
use crate::client::Client;
use crate::{ApiError, ErrorCode, RateLimits};

/// Some ten megabytes of addresses and users.
const KEYS_MAX: usize = 100_000;

/// Counts the requests of everybody.
#[derive(Debug)]
pub(crate) struct Rates {
    limits: RateLimits,
    limiter: Limiter<(Who, Class)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Who {
    Address(IpAddr),
    User(UserId),
}

/// What is counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Class {
    /// The API.
    Api,
    /// The bytes of images, of which a page shows many at once.
    Pixels,
}

impl Rates {
    pub(crate) fn new(limits: RateLimits) -> Self {
        Self { limits, limiter: Limiter::new(KEYS_MAX) }
    }

    fn check(&self, who: Who, class: Class, app: &App) -> Decision {
        let limit = match (class, who) {
            (Class::Pixels, _) => self.limits.pixels,
            (Class::Api, Who::User(_)) => self.limits.user,
            (Class::Api, Who::Address(_)) => self.limits.address,
        };
        self.limiter.check((who, class), limit, app.service.now())
    }
}

/// Before anything is asked of a store: counts by address.
pub(crate) fn count_address(app: &App, client: Client, path: &str) -> Option<Decision> {
    count(app, Who::Address(network(client.address)), path)
}

/// Once it is known who asks: counts by user, and tells the log who it is.
pub(crate) fn count_user(app: &App, request: &Request) -> Option<Decision> {
    let user = request.extensions().get::<Caller>()?.user;
    tracing::Span::current().record("user", tracing::field::display(user));
    count(app, Who::User(user), request.uri().path())
}

fn count(app: &App, who: Who, path: &str) -> Option<Decision> {
    Some(app.rates.as_ref()?.check(who, class_of(path)?, app))
}

/// What a path counts as; monitoring is not counted.
fn class_of(path: &str) -> Option<Class> {
    if path.starts_with("/health/") || path == "/metrics" {
        None
    } else if path.starts_with("/i/") || path.starts_with("/assets/") {
        Some(Class::Pixels)
    } else {
        Some(Class::Api)
    }
}

/// A home or a machine has a whole /64 of IPv6 addresses.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            let high = address.to_bits() >> 64 << 64;
            std::net::Ipv6Addr::from_bits(high).into()
        }
    }
}

impl Decision {
    /// The answer to a request that is not allowed.
    pub(crate) fn refusal(&self) -> Option<ApiError> {
        let wait = self.refused_for?;
        metrics::counter!("ferrotype_http_rate_limited_total").increment(1);
        let seconds = seconds_up(wait);
        let message = format!("too many requests; wait for {seconds} s");
        let error = ApiError::new(ErrorCode::RateLimited, message);
        Some(error.with_details(json!({ "retryAfterSeconds": seconds })).with_retry_after(wait))
    }

    /// Tells how much is left. What is there already was counted by user and says more.
    pub(crate) fn add_headers(self, headers: &mut HeaderMap) {
        let values = [
            ("ratelimit-limit", u64::from(self.limit)),
            ("ratelimit-remaining", u64::from(self.remaining)),
            ("ratelimit-reset", seconds_up(self.reset)),
        ];
        for (name, value) in values {
            headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from(value));
        }
    }
}

fn seconds_up(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv6_addresses_count_by_network() {
        let network = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
    }

    #[test]
    fn monitoring_is_not_counted_and_pixels_are_counted_apart() {
        assert_eq!(class_of("/health/ready"), None);
        assert_eq!(class_of("/i/01ARZ/thumb"), Some(Class::Pixels));
        assert_eq!(class_of("/api/v1/images"), Some(Class::Api));
    }
}
