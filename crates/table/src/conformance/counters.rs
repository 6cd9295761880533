//! Counting under concurrency.

use std::collections::BTreeSet;

use futures::future::join_all;

use super::Fixture;
use crate::{Action, Condition, Error, Item, Transacted};

const WRITERS: usize = 16;
const ROUNDS: usize = 8;

pub async fn sixteen_writers_count_exactly(f: &Fixture) {
    let key = f.key("counter", "exact");
    let writers = (0..WRITERS).map(|_| async {
        for _ in 0..ROUNDS {
            add_until_done(f, Action::update(key.clone()).add("n", 1)).await;
        }
    });
    join_all(writers).await;
    let total = i64::try_from(WRITERS * ROUNDS).unwrap();
    assert_eq!(f.get(&key).await.unwrap().i64("n"), Some(total));
}

/// A contended transaction has written nothing and may be tried again.
async fn add_until_done(f: &Fixture, action: Action) {
    for _ in 0..100 {
        match f.table.transact(vec![action.clone()]).await {
            Ok(outcome) => return assert_eq!(outcome, Transacted::Done),
            Err(Error::Contention) => {}
            Err(error) => panic!("{error}"),
        }
    }
    panic!("contention without end");
}

pub async fn sixteen_writers_get_different_numbers(f: &Fixture) {
    let key = f.key("counter", "ids");
    let writers = (0..WRITERS).map(|_| async {
        let mut numbers = Vec::new();
        for _ in 0..ROUNDS {
            numbers.push(f.table.increment(&key, "n", 1).await.unwrap());
        }
        assert!(numbers.is_sorted(), "{numbers:?}");
        numbers
    });
    let numbers: Vec<i64> = join_all(writers).await.into_iter().flatten().collect();
    let distinct: BTreeSet<i64> = numbers.iter().copied().collect();
    assert_eq!(distinct.len(), WRITERS * ROUNDS);
    assert_eq!(distinct.first(), Some(&1));
}

pub async fn a_limit_is_never_overdrawn(f: &Fixture) {
    let key = f.key("counter", "quota");
    f.put(Item::new(key.clone()).with("left", 10)).await;
    let takers = (0..64).map(|_| async {
        let take = Action::update(key.clone()).add("left", -1).when(Condition::at_least("left", 1));
        for _ in 0..100 {
            match f.table.transact(vec![take.clone()]).await {
                Ok(outcome) => return outcome.is_done(),
                Err(Error::Contention) => {}
                Err(error) => panic!("{error}"),
            }
        }
        panic!("contention without end");
    });
    let taken = join_all(takers).await.into_iter().filter(|taken| *taken).count();
    assert_eq!(taken, 10);
    assert_eq!(f.get(&key).await.unwrap().i64("left"), Some(0));
}

pub async fn increment_keeps_other_attributes(f: &Fixture) {
    let key = f.key("counter", "kept");
    f.put(Item::new(key.clone()).with("name", "persons").with("n", 41)).await;
    assert_eq!(f.table.increment(&key, "n", 1).await.unwrap(), 42);
    assert_eq!(f.table.increment(&key, "n", 8).await.unwrap(), 50);
    let expected = Item::new(key.clone()).with("name", "persons").with("n", 50);
    assert_eq!(f.get(&key).await, Some(expected));
}
