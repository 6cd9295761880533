//! How many requests of whom are allowed, in bounded memory.
//!
//! The generic cell rate algorithm: all that is kept of somebody is the moment at which they
//! will have their whole allowance again. So what is past need not be kept at all, and a table
//! that is full can drop those who lose least by it. Crates that do this keep all keys until
//! they are told to look for old ones, or bring a table, a clock and random numbers of their own;
//! this is one page.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use model::Timestamp;

/// The span of time that limits are given for.
const MINUTE_MICROS: i64 = 60_000_000;
const SHARDS: usize = 16;

/// Counts requests by key.
#[derive(Debug)]
pub(crate) struct Limiter<K> {
    shards: Vec<Mutex<HashMap<K, i64>>>,
    hasher: RandomState,
    keys_max: usize,
}

/// Whether one more request is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    /// Requests that are allowed in a minute.
    pub(crate) limit: u32,
    /// Requests that are allowed now.
    pub(crate) remaining: u32,
    /// When all of them are allowed again.
    pub(crate) reset: Duration,
    /// When to try again, if this one is not allowed.
    pub(crate) refused_for: Option<Duration>,
}

impl<K: Eq + Hash + Copy> Limiter<K> {
    /// A limiter that remembers at most so many keys.
    pub(crate) fn new(keys_max: usize) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { shards, hasher: RandomState::new(), keys_max: keys_max.div_ceil(SHARDS).max(1) }
    }

    /// Counts a request of this key, and says whether it is allowed.
    pub(crate) fn check(&self, key: K, limit: u32, now: Timestamp) -> Decision {
        self.decide(key, limit, now, true)
    }

    /// Whether a request of this key would be allowed; counts nothing.
    pub(crate) fn peek(&self, key: K, limit: u32, now: Timestamp) -> Decision {
        self.decide(key, limit, now, false)
    }

    fn decide(&self, key: K, limit: u32, now: Timestamp, counts: bool) -> Decision {
        let limit = limit.max(1);
        let now = now.as_millis().saturating_mul(1000);
        let cost = (MINUTE_MICROS / i64::from(limit)).max(1);
        let shard = usize::try_from(self.hasher.hash_one(key)).unwrap_or_default() % SHARDS;
        let Some(shard) = self.shards.get(shard) else { return decide(limit, cost, now, now) };
        let mut whole_at = shard.lock().unwrap_or_else(PoisonError::into_inner);
        // What is further away than it can be was written before the clock was set back.
        let possible = |at: &i64| (now..=now + MINUTE_MICROS).contains(at);
        let before = whole_at.get(&key).copied().filter(possible).unwrap_or(now);
        let decision = decide(limit, cost, before, now);
        if counts && decision.refused_for.is_none() {
            if whole_at.len() >= self.keys_max && !whole_at.contains_key(&key) {
                make_room(&mut whole_at, self.keys_max, now);
            }
            whole_at.insert(key, before + cost);
        }
        decision
    }
}

/// `before` is when all requests are allowed again, without this one.
fn decide(limit: u32, cost: i64, before: i64, now: i64) -> Decision {
    let after = before + cost;
    let missing = after - now - MINUTE_MICROS;
    let refused = missing > 0;
    let whole_at = if refused { before } else { after };
    let left = (MINUTE_MICROS - (whole_at - now)).max(0) / cost;
    Decision {
        limit,
        remaining: if refused { 0 } else { u32::try_from(left).unwrap_or(limit).min(limit) },
        reset: micros(whole_at - now),
        refused_for: refused.then(|| micros(missing)),
    }
}

/// Forgets those who have their whole allowance, or will have it first.
fn make_room<K: Eq + Hash + Copy>(whole_at: &mut HashMap<K, i64>, keys_max: usize, now: i64) {
    whole_at.retain(|_, at| *at > now);
    if whole_at.len() >= keys_max
        && let Some(first) = whole_at.iter().min_by_key(|(_, at)| **at).map(|(key, _)| *key)
    {
        whole_at.remove(&first);
    }
}

fn micros(micros: i64) -> Duration {
    Duration::from_micros(u64::try_from(micros).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(1_754_040_262_159 + millis)
    }

    #[test]
    fn a_whole_minute_may_be_used_at_once_and_comes_back_evenly() {
        let limiter = Limiter::new(100);
        for left in (0..60).rev() {
            let decision = limiter.check("ada", 60, at(0));
            assert_eq!((decision.remaining, decision.refused_for), (left, None));
        }
        let refused = limiter.check("ada", 60, at(0));
        assert_eq!(refused.refused_for, Some(Duration::from_secs(1)));
        assert_eq!((refused.remaining, refused.reset), (0, Duration::from_secs(60)));
        assert_eq!(limiter.check("bob", 60, at(0)).remaining, 59, "others are not hindered");
        assert!(limiter.check("ada", 60, at(999)).refused_for.is_some());
        assert!(limiter.check("ada", 60, at(1000)).refused_for.is_none());
        assert!(limiter.check("ada", 60, at(1000)).refused_for.is_some());
        assert_eq!(limiter.check("ada", 60, at(120_000)).remaining, 59);
    }

    #[test]
    fn being_refused_costs_nothing() {
        let limiter = Limiter::new(100);
        assert!(limiter.check(1, 1, at(0)).refused_for.is_none());
        for _ in 0..100 {
            assert!(limiter.check(1, 1, at(10)).refused_for.is_some());
        }
        assert!(limiter.check(1, 1, at(60_000)).refused_for.is_none());
    }

    #[test]
    fn a_clock_that_was_set_back_does_no_lasting_harm() {
        let limiter = Limiter::new(100);
        limiter.check(1, 60, at(3_600_000));
        let decision = limiter.check(1, 60, at(0));
        assert!(decision.reset <= Duration::from_secs(60), "{decision:?}");
        assert!(limiter.check(1, 60, at(1000)).refused_for.is_none());
    }

    #[test]
    fn no_more_keys_are_kept_than_allowed() {
        let limiter = Limiter::new(160);
        for key in 0..10_000 {
            limiter.check(key, 10, at(0));
        }
        let kept: usize = limiter.shards.iter().map(|shard| shard.lock().unwrap().len()).sum();
        assert!(kept <= 160, "{kept}");
    }
}
