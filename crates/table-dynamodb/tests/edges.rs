//! What DynamoDB leaves to its callers: expired items under many hands, sums beyond 64 bits,
//! and requests that can be seen to be senseless only beside the item.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod support;

use std::collections::BTreeSet;

use futures::future::try_join_all;
use support::canned;
use table::conformance::Fixture;
use table::{
    Action, Clock as _, Condition, Error, Item, Key, Limit, Schema, Table as _, Transacted,
};
use table_dynamodb::{Config, DynamoTable, RetryPolicy};
use testkit::servers::{Dynoxide, Ministack};

/// A fixture on a new table of each server.
async fn fixtures() -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for server in [Dynoxide::shared().endpoint(), Ministack::shared().endpoint()] {
        let config = support::config(server, support::new_name());
        support::create(&config).await;
        fixtures.push(support::fixture(config).await);
    }
    fixtures
}

/// An item that expired a second ago, as it stands in the table.
async fn expired(f: &Fixture, item: Item) {
    f.put(item.with("ttl", f.clock.now_seconds() + 100)).await;
    f.clock.advance_seconds(101);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_updates_of_an_expired_item_start_it_afresh_once() {
    for f in fixtures().await {
        expired(&f, f.item("p", "s").with("old", 1).with("n", 1000)).await;
        let add = || Action::update(f.key("p", "s")).add("n", 1);
        try_join_all((0..16).map(|_| f.table.transact(vec![add()]))).await.unwrap();
        assert_eq!(f.get(&f.key("p", "s")).await, Some(f.item("p", "s").with("n", 16)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_draws_from_an_expired_counter_start_at_one() {
    for f in fixtures().await {
        expired(&f, f.item("p", "s").with("old", 1).with("n", 1000)).await;
        let key = f.key("p", "s");
        let drawn = try_join_all((0..16).map(|_| f.table.increment(&key, "n", 1))).await.unwrap();
        let drawn: BTreeSet<i64> = drawn.into_iter().collect();
        assert_eq!(drawn, (1..=16).collect());
        assert_eq!(f.get(&key).await, Some(f.item("p", "s").with("n", 16)));
    }
}

#[tokio::test]
async fn an_expired_item_among_others_is_started_afresh_with_them() {
    for f in fixtures().await {
        expired(&f, f.item("p", "s").with("old", 1)).await;
        f.put(f.item("p", "live").with("n", 1)).await;
        f.done(vec![
            Action::update(f.key("p", "s")).set("new", 1),
            Action::update(f.key("p", "live")).add("n", 1),
        ])
        .await;
        assert_eq!(f.get(&f.key("p", "s")).await, Some(f.item("p", "s").with("new", 1)));
        assert_eq!(f.get(&f.key("p", "live")).await.unwrap().i64("n"), Some(2));

        let refused = f
            .refused(vec![
                Action::update(f.key("p", "s")).set("new", 2).when(Condition::Absent),
                Action::update(f.key("p", "none")).set("n", 1).when(Condition::Present),
            ])
            .await;
        let refused: Vec<_> = refused.into_iter().map(|(action, ..)| action).collect();
        assert_eq!(refused, [0, 1]);
    }
}

#[tokio::test]
async fn a_sum_beyond_64_bits_is_refused_and_changes_nothing() {
    for f in fixtures().await {
        for (sk, found, by) in [("max", i64::MAX - 1, 2), ("min", i64::MIN + 1, -2)] {
            let item = f.item("p", sk).with("n", found);
            f.put(item.clone()).await;
            let error = f.table.increment(&item.key, "n", by).await.unwrap_err();
            assert!(matches!(error, Error::Invalid(_)), "{error}");
            let add = Action::update(item.key.clone()).add("n", by);
            let error = f.table.transact(vec![add]).await.unwrap_err();
            assert!(matches!(error, Error::Invalid(_)), "{error}");
            assert_eq!(f.get(&item.key).await, Some(item.clone()));
            let value = f.table.increment(&item.key, "n", by.signum()).await.unwrap();
            assert_eq!(value, found + by.signum());
        }
    }
}

#[tokio::test]
async fn refusals_come_before_senselessness() {
    for f in fixtures().await {
        f.put(f.item("p", "text").with("n", "text")).await;
        f.put(f.item("p", "large").with("x", "x".repeat(300_000))).await;
        let senseless = [
            Action::update(f.key("p", "text")).add("n", 1),
            Action::update(f.key("p", "large")).set("y", "y".repeat(200_000)),
            Action::update(f.key("p", "text")).set("text_sort", 1),
        ];
        for action in senseless {
            let refused = Action::put(f.item("p", "none")).when(Condition::Present);
            let refused = f.refused(vec![action.clone(), refused]).await;
            assert_eq!(refused, [(1, 0, None)], "{action:?}");
            let error = f.table.transact(vec![action]).await.unwrap_err();
            let limit = Limit::ItemBytes;
            assert!(
                matches!(error, Error::Invalid(_))
                    || matches!(error, Error::Limit { limit: found, .. } if found == limit),
                "{error}"
            );
        }
    }
}

/// A table on a server that answers everything but its description alike.
async fn canned_table(answer: canned::Answer) -> DynamoTable {
    let retry = RetryPolicy { attempts_max: 4, ..support::impatient() };
    let config = Config { retry, ..support::config(canned::serve(answer), "canned") };
    DynamoTable::open(config, Schema::new(vec![])).await.unwrap()
}

fn put() -> Vec<Action> {
    vec![Action::put(Item::new(Key::new("p", "s"))).when(Condition::Absent)]
}

#[tokio::test]
async fn a_cancellation_without_the_item_is_decided_by_reading_it() {
    let table = canned_table(|operation| match operation {
        "DescribeTable" => (200, canned::description("ACTIVE")),
        "TransactWriteItems" => (400, canned::error("TransactionCanceledException")),
        _ => (200, r#"{"Responses":{"canned":[{"PK":{"S":"p"},"SK":{"S":"s"}}]}}"#.to_owned()),
    })
    .await;
    let Transacted::Refused(refusals) = table.transact(put()).await.unwrap() else {
        panic!("not refused")
    };
    assert_eq!(refusals[0].found, Some(Item::new(Key::new("p", "s"))));
}

#[tokio::test]
async fn a_cancellation_that_nothing_explains_ends_as_contention() {
    let table = canned_table(|operation| match operation {
        "DescribeTable" => (200, canned::description("ACTIVE")),
        "TransactWriteItems" => (400, canned::error("TransactionCanceledException")),
        _ => (200, "{}".to_owned()),
    })
    .await;
    let outcome = table.transact(put()).await;
    assert!(matches!(outcome, Err(Error::Contention)), "{outcome:?}");
}

#[tokio::test]
async fn a_request_that_only_the_server_finds_senseless_is_invalid() {
    let table = canned_table(|operation| match operation {
        "DescribeTable" => (200, canned::description("ACTIVE")),
        "TransactWriteItems" | "UpdateItem" => (400, canned::error("ValidationException")),
        _ => (200, "{}".to_owned()),
    })
    .await;
    let outcome = table.transact(put()).await;
    assert!(matches!(outcome, Err(Error::Invalid(_))), "{outcome:?}");
    let outcome = table.increment(&Key::new("p", "s"), "n", 1).await;
    assert!(matches!(outcome, Err(Error::Invalid(_))), "{outcome:?}");
}

#[tokio::test]
async fn a_token_that_is_always_taken_ends_in_bounded_time() {
    let table = canned_table(|operation| match operation {
        "DescribeTable" => (200, canned::description("ACTIVE")),
        "TransactWriteItems" => (400, canned::error("IdempotentParameterMismatchException")),
        _ => (200, "{}".to_owned()),
    })
    .await;
    let outcome = table.transact(put()).await;
    assert!(matches!(outcome, Err(Error::Contention)), "{outcome:?}");
}
