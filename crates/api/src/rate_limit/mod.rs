//! Limits against abuse, with the usual headers: requests of users and addresses are counted by
//! kind, and files on their way wait their turn instead of being counted.

mod limiter;
mod traffic;
mod transfer;

use std::net::IpAddr;
use std::time::Duration;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use model::UserId;
use serde_json::json;
use service::Caller;

pub(crate) use self::limiter::Decision;
use self::limiter::Limiter;
pub(crate) use self::traffic::Traffic;
use self::transfer::Gates;
pub(crate) use self::transfer::Place;
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
    transfers: Gates,
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
    /// Signing in and the like.
    SignIn,
    /// Files sent by nobody we know.
    Unproven,
}

impl Rates {
    pub(crate) fn new(limits: RateLimits) -> Self {
        let transfers = Gates::new(limits.transfers, limits.transfer_bytes);
        Self { limits, limiter: Limiter::new(KEYS_MAX), transfers }
    }

    fn check(&self, who: Who, class: Class, app: &App) -> Decision {
        self.limiter.check((who, class), self.limit(who, class), app.service.now())
    }

    fn peek(&self, who: Who, class: Class, app: &App) -> Decision {
        self.limiter.peek((who, class), self.limit(who, class), app.service.now())
    }

    fn limit(&self, who: Who, class: Class) -> u32 {
        match (class, who) {
            (Class::Pixels, _) => self.limits.pixels,
            (Class::SignIn, _) => self.limits.sign_in,
            (Class::Api, Who::User(_)) => self.limits.user,
            (Class::Api | Class::Unproven, _) => self.limits.address,
        }
    }
}

/// Before anything is asked of a store: counts by address. Of files on their way, only those of
/// nobody are counted, once that is known.
pub(crate) fn count_address(app: &App, client: Client, traffic: Traffic) -> Option<Decision> {
    let rates = app.rates.as_ref()?;
    let who = Who::Address(network(client.address));
    match traffic {
        Traffic::Free => None,
        Traffic::Api => Some(rates.check(who, Class::Api, app)),
        Traffic::Pixels => Some(rates.check(who, Class::Pixels, app)),
        Traffic::SignIn => Some(rates.check(who, Class::SignIn, app)),
        Traffic::Transfer(_) => {
            let decision = rates.peek(who, Class::Unproven, app);
            decision.refused_for.is_some().then_some(decision)
        }
    }
}

/// Once it is known who asks: counts by user, and tells the log who it is.
pub(crate) fn count_user(
    app: &App,
    client: Client,
    request: &Request,
    traffic: Traffic,
) -> Option<Decision> {
    let user = request.extensions().get::<Caller>().map(|caller| caller.user);
    if let Some(user) = user {
        tracing::Span::current().record("user", tracing::field::display(user));
    }
    let rates = app.rates.as_ref()?;
    match (traffic, user) {
        (Traffic::Api, Some(user)) => Some(rates.check(Who::User(user), Class::Api, app)),
        (Traffic::Pixels, Some(user)) => Some(rates.check(Who::User(user), Class::Pixels, app)),
        (Traffic::Transfer(_), None) if !is_signed(request) => {
            Some(rates.check(Who::Address(network(client.address)), Class::Unproven, app))
        }
        _ => None,
    }
}

/// A link that we have signed proves itself.
fn is_signed(request: &Request) -> bool {
    request.uri().path().starts_with("/storage/") && request.uri().query().is_some()
}

/// Lets a file on its way, when it is its turn.
pub(crate) fn enter<'a>(
    app: &'a App,
    client: Client,
    request: &Request,
    traffic: Traffic,
) -> impl Future<Output = Result<Option<Place>, ApiError>> + Send + use<'a> {
    let caller = request.extensions().get::<Caller>();
    let who = caller.map_or(Who::Address(network(client.address)), |caller| Who::User(caller.user));
    let bytes = announced_bytes(request.headers());
    // Not the request itself, whose body others must not wait for.
    async move {
        let (Some(rates), Traffic::Transfer(direction)) = (&app.rates, traffic) else {
            return Ok(None);
        };
        rates.transfers.enter(who, direction, bytes).await.map(Some)
    }
}

/// How many bytes will come, if that is said.
fn announced_bytes(headers: &HeaderMap) -> Option<u64> {
    let length = headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
    length.or((!headers.contains_key(header::TRANSFER_ENCODING)).then_some(0))
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
}
