//! Bad days: what networks and an overloaded DynamoDB do, and what becomes of it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod support;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::{join_all, try_join_all};
use table::{
    Action, BatchEntry, Clock as _, Condition, Error, Item, Key, Query, Scan, SystemClock, Table,
    TableExt as _, Transacted,
};
use table_dynamodb::{Config, DynamoTable, RetryPolicy};
use testkit::fault_proxy::{Fault, FaultProxy};
use testkit::seed::seed_from_env_or_random;
use testkit::servers::{Dynoxide, Ministack};

/// A table that is reached through a proxy.
struct Bench {
    table: Arc<DynamoTable>,
    /// The same table without faults, to see what is there.
    direct: Arc<DynamoTable>,
    proxy: FaultProxy,
}

impl Bench {
    async fn new() -> Self {
        Self::with(support::impatient()).await
    }

    async fn with(retry: RetryPolicy) -> Self {
        Self::on(&Dynoxide::shared().endpoint(), retry).await
    }

    async fn on(server: &str, retry: RetryPolicy) -> Self {
        let config = support::config(server, support::new_name());
        support::create(&config).await;
        let direct = support::open(config.clone()).await;
        let proxy = FaultProxy::start(server);
        let through = Config { endpoint: Some(proxy.endpoint()), retry, ..config };
        Self { table: support::open(through).await, direct, proxy }
    }

    /// Lets the fault meet every request of the operation from now on.
    fn always(&self, operation: &'static str, fault: Fault) {
        self.proxy.decide_by(move |call| (call.operation == operation).then_some(fault));
    }

    async fn counter(&self) -> i64 {
        let item = self.direct.get(&key("counter")).await.unwrap();
        item.map_or(0, |item| item.i64("n").unwrap())
    }
}

fn key(sk: &str) -> Key {
    Key::new("p", sk)
}

fn add_one() -> Vec<Action> {
    vec![Action::update(key("counter")).add("n", 1)]
}

/// Faults after which the server has not done what it was asked.
const NOT_DONE: [Fault; 5] = [
    Fault::Throttling,
    Fault::ThroughputExceeded,
    Fault::InternalServerError,
    Fault::ServiceUnavailable,
    Fault::ResetBefore,
];
/// Faults after which it has, and we were not told.
const DONE_UNHEARD: [Fault; 3] =
    [Fault::ResetAfter, Fault::Garbage, Fault::DelayAfter(Duration::from_millis(2500))];

#[tokio::test]
async fn every_operation_survives_every_passing_fault() {
    let bench = Bench::new().await;
    let table = &bench.table;
    for fault in NOT_DONE.into_iter().chain([Fault::ResetAfter, Fault::Garbage]) {
        for operation in OPERATIONS {
            bench.proxy.inject_all(operation, [fault, fault]);
        }
        table.put(Item::new(key("a")).with("x", 1)).await.unwrap();
        assert!(table.get(&key("a")).await.unwrap().is_some());
        assert!(table.batch_get(&[key("a")]).await.unwrap()[0].is_some());
        assert_eq!(table.query(&Query::partition("p")).await.unwrap().items[0].key, key("a"));
        assert!(!table.scan(&Scan::all(10)).await.unwrap().items.is_empty());
        table.batch_write(vec![BatchEntry::Put(Item::new(key("b")))]).await.unwrap();
        assert!(table.increment(&key("c"), "n", 1).await.unwrap() > 0);
        assert_eq!(bench.proxy.faults_left(), 0, "{fault:?}");
    }
}

const OPERATIONS: [&str; 7] = [
    "GetItem",
    "BatchGetItem",
    "Query",
    "Scan",
    "TransactWriteItems",
    "BatchWriteItem",
    "UpdateItem",
];

#[tokio::test]
async fn endless_throttling_ends_as_unavailable_after_the_last_attempt() {
    let bench = Bench::new().await;
    bench.proxy.decide_by(|_| Some(Fault::Throttling));
    let table = &bench.table;
    let put = vec![BatchEntry::Put(Item::new(key("a")))];
    let outcomes = [
        ("GetItem", table.get(&key("a")).await.map(drop)),
        ("BatchGetItem", table.batch_get(&[key("a")]).await.map(drop)),
        ("Query", table.query(&Query::partition("p")).await.map(drop)),
        ("Scan", table.scan(&Scan::all(10)).await.map(drop)),
        ("TransactWriteItems", table.transact(add_one()).await.map(drop)),
        ("BatchWriteItem", table.batch_write(put).await),
        ("UpdateItem", table.increment(&key("c"), "n", 1).await.map(drop)),
    ];
    for (operation, outcome) in outcomes {
        assert!(
            matches!(outcome, Err(Error::Unavailable { maybe_written: false, .. })),
            "{operation}: {outcome:?}"
        );
        assert_eq!(bench.proxy.requests(operation), 5, "{operation}");
    }
}

#[tokio::test]
async fn a_conflict_passes_and_the_token_stays() {
    let bench = Bench::new().await;
    let faults = [Fault::TransactionConflict, Fault::TransactionConflict];
    bench.proxy.inject_all("TransactWriteItems", faults);
    assert_eq!(bench.table.transact(add_one()).await.unwrap(), Transacted::Done);
    let tokens = bench.proxy.tokens("TransactWriteItems");
    assert_eq!(tokens.len(), 3);
    assert!(tokens.iter().all(|token| *token == tokens[0]));
    assert_eq!(bench.counter().await, 1);
}

#[tokio::test]
async fn endless_conflicts_end_as_contention() {
    let bench = Bench::new().await;
    bench.proxy.decide_by(|_| Some(Fault::TransactionConflict));
    let outcome = bench.table.transact(add_one()).await;
    assert!(matches!(outcome, Err(Error::Contention)), "{outcome:?}");
    assert_eq!(bench.proxy.requests("TransactWriteItems"), 5);
    let outcome = bench.table.increment(&key("c"), "n", 1).await;
    assert!(matches!(outcome, Err(Error::Contention)), "{outcome:?}");
    assert_eq!(bench.counter().await, 0);
}

#[tokio::test]
async fn a_transaction_still_in_progress_is_waited_for() {
    let bench = Bench::new().await;
    let faults = [Fault::ResetAfter, Fault::TransactionInProgress];
    bench.proxy.inject_all("TransactWriteItems", faults);
    assert_eq!(bench.table.transact(add_one()).await.unwrap(), Transacted::Done);
    assert_eq!(bench.counter().await, 1);
}

#[tokio::test]
async fn an_unheard_transaction_is_not_applied_twice() {
    for server in [Dynoxide::shared().endpoint(), Ministack::shared().endpoint()] {
        for fault in DONE_UNHEARD {
            let bench = Bench::on(&server, support::impatient()).await;
            bench.proxy.inject("TransactWriteItems", fault);
            let mut actions = add_one();
            actions.push(Action::put(Item::new(key("a")).with("x", 1).with("y", 2)));
            assert_eq!(bench.table.transact(actions).await.unwrap(), Transacted::Done, "{fault:?}");
            assert_eq!(bench.proxy.forwarded("TransactWriteItems"), 2, "{fault:?}");
            assert_eq!(bench.counter().await, 1, "{fault:?}");
        }
    }
}

#[tokio::test]
async fn an_unheard_creation_is_not_refused_by_its_own_result() {
    let bench = Bench::new().await;
    bench.proxy.inject("TransactWriteItems", Fault::ResetAfter);
    let outcome = bench.table.put_when(Item::new(key("a")), Condition::Absent).await;
    assert_eq!(outcome.unwrap(), Transacted::Done);
}

#[tokio::test]
async fn a_transaction_that_is_never_heard_of_says_so_and_is_applied_once() {
    let bench = Bench::new().await;
    bench.always("TransactWriteItems", Fault::ResetAfter);
    let outcome = bench.table.transact(add_one()).await;
    assert!(matches!(outcome, Err(Error::Unavailable { maybe_written: true, .. })), "{outcome:?}");
    assert_eq!(bench.proxy.forwarded("TransactWriteItems"), 5);
    assert_eq!(bench.counter().await, 1);
}

#[tokio::test]
async fn a_check_alone_never_writes() {
    let bench = Bench::new().await;
    let check = || vec![Action::check(key("a")).when(Condition::Absent)];
    assert_eq!(bench.table.transact(check()).await.unwrap(), Transacted::Done);
    bench.proxy.decide_by(|_| Some(Fault::ResetAfter));
    let outcome = bench.table.transact(check()).await;
    assert!(matches!(outcome, Err(Error::Unavailable { maybe_written: false, .. })), "{outcome:?}");
}

#[tokio::test]
async fn a_lost_attempt_makes_even_a_conflict_uncertain() {
    let bench = Bench::new().await;
    bench.proxy.inject("TransactWriteItems", Fault::ResetBefore);
    bench.always("TransactWriteItems", Fault::TransactionConflict);
    let outcome = bench.table.transact(add_one()).await;
    assert!(matches!(outcome, Err(Error::Unavailable { maybe_written: true, .. })), "{outcome:?}");
}

#[tokio::test]
async fn a_lost_attempt_is_never_followed_by_a_different_one() {
    let bench = Bench::new().await;
    let expired = Item::new(key("counter")).with("n", 7).with("ttl", SystemClock.now_seconds() - 9);
    bench.direct.put(expired).await.unwrap();

    bench.proxy.inject("TransactWriteItems", Fault::ResetBefore);
    let outcome = bench.table.transact(add_one()).await;
    assert!(matches!(outcome, Err(Error::Unavailable { maybe_written: true, .. })), "{outcome:?}");
    assert_eq!(bench.table.transact(add_one()).await.unwrap(), Transacted::Done);
    assert_eq!(bench.counter().await, 1, "the expired counter started afresh");
    let tokens: BTreeSet<_> = bench.proxy.tokens("TransactWriteItems").into_iter().collect();
    assert_eq!(tokens.len(), 3, "lost, then refused for expiry, then afresh");
}

#[tokio::test]
async fn unprocessed_parts_of_a_batch_are_asked_for_again() {
    let bench = Bench::new().await;
    let entries =
        |count: usize| (0..count).map(|n| BatchEntry::Put(Item::new(key(&n.to_string()))));
    let faults = [20, 0, 1, 3].map(|forwarded| Fault::Unprocessed { forwarded });
    bench.proxy.inject_all("BatchWriteItem", faults);
    bench.table.batch_write(entries(25).collect()).await.unwrap();
    assert_eq!(bench.proxy.requests("BatchWriteItem"), 5);

    bench.proxy.inject_all("BatchGetItem", faults);
    let keys: Vec<Key> = (0..25).map(|n: usize| key(&n.to_string())).collect();
    let found = bench.table.batch_get(&keys).await.unwrap();
    let found: Vec<Key> = found.into_iter().map(|item| item.unwrap().key).collect();
    assert_eq!(found, keys);
    assert_eq!(bench.proxy.requests("BatchGetItem"), 5);
}

#[tokio::test]
async fn a_batch_that_is_never_processed_ends_as_unavailable() {
    let bench = Bench::new().await;
    bench.proxy.decide_by(|_| Some(Fault::Unprocessed { forwarded: 0 }));
    let put = |sk| BatchEntry::Put(Item::new(key(sk)));
    let outcome = bench.table.batch_get(&[key("a")]).await;
    assert!(matches!(outcome, Err(Error::Unavailable { maybe_written: false, .. })));
    assert_eq!(bench.proxy.requests("BatchGetItem"), 5);
    let outcome = bench.table.batch_write(vec![put("a")]).await;
    assert!(matches!(outcome, Err(Error::Unavailable { maybe_written: false, .. })));

    bench.proxy.inject("BatchWriteItem", Fault::Unprocessed { forwarded: 1 });
    let outcome = bench.table.batch_write(vec![put("a"), put("b")]).await;
    assert!(matches!(outcome, Err(Error::Unavailable { maybe_written: true, .. })));
}

#[tokio::test]
async fn a_silent_server_costs_no_more_than_the_total_time() {
    let total_timeout = Duration::from_millis(1500);
    let retry = RetryPolicy {
        attempts_max: 1000,
        attempt_timeout: Duration::from_millis(400),
        total_timeout,
        ..support::impatient()
    };
    let bench = Bench::with(retry).await;
    bench.proxy.decide_by(|_| Some(Fault::DelayAfter(Duration::from_secs(60))));
    let started = Instant::now();
    let outcome = bench.table.get(&key("a")).await;
    assert!(matches!(outcome, Err(Error::Unavailable { maybe_written: false, .. })));
    let outcome = bench.table.transact(add_one()).await;
    assert!(matches!(outcome, Err(Error::Unavailable { maybe_written: true, .. })));
    let took = started.elapsed();
    assert!(took >= Duration::from_millis(800), "gave up after {took:?}");
    assert!(took < 2 * total_timeout + Duration::from_secs(1), "took {took:?}");
    assert_eq!(bench.counter().await, 1);
}

#[tokio::test]
async fn endless_server_errors_are_bounded_by_time_as_well_as_by_attempts() {
    let total_timeout = Duration::from_millis(300);
    let retry = RetryPolicy { attempts_max: u32::MAX, total_timeout, ..support::impatient() };
    let bench = Bench::with(retry).await;
    bench.proxy.decide_by(|_| Some(Fault::InternalServerError));
    let started = Instant::now();
    assert!(bench.table.get(&key("a")).await.is_err());
    assert!(started.elapsed() < total_timeout + Duration::from_secs(1));
    assert!(bench.proxy.requests("GetItem") > 1);
}

#[tokio::test]
async fn a_server_that_is_gone_has_written_nothing() {
    let server = Dynoxide::start();
    let config = support::config(server.endpoint(), support::new_name());
    support::create(&config).await;
    let table = support::open(Config { retry: support::impatient(), ..config }).await;
    drop(server);
    // The connection that was open may take one request with it; the next finds none.
    assert!(table.get(&key("a")).await.is_err());
    let outcome = table.transact(add_one()).await;
    assert!(matches!(outcome, Err(Error::Unavailable { maybe_written: false, .. })), "{outcome:?}");
}

/// Enough attempts for any luck, so that the only question is how often a change is applied.
fn patient() -> RetryPolicy {
    RetryPolicy {
        attempts_max: 100,
        attempt_timeout: Duration::from_millis(500),
        total_timeout: Duration::from_secs(60),
        ..support::impatient()
    }
}

fn everything() -> Vec<Fault> {
    let mut faults = NOT_DONE.to_vec();
    faults.extend([
        Fault::TransactionConflict,
        Fault::ResetAfter,
        Fault::ResetAfter,
        Fault::ResetAfter,
        Fault::Garbage,
        Fault::DelayAfter(Duration::from_millis(700)),
        Fault::DelayBefore(Duration::from_millis(700)),
    ]);
    faults
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_writers_on_bad_days_count_exactly() {
    const WRITERS: i64 = 16;
    const WRITES: i64 = 15;
    let seed = seed_from_env_or_random("many_writers_on_bad_days_count_exactly");
    let bench = Bench::with(patient()).await;
    bench.proxy.inject_at_random(seed, 0.3, everything());
    let writers = (0..WRITERS).map(|writer| {
        let table = bench.table.clone();
        async move {
            for n in 0..WRITES {
                let own = Item::new(key(&format!("w{writer}-{n}")));
                let mut actions = add_one();
                actions.push(Action::put(own).when(Condition::Absent));
                assert_eq!(table.transact(actions).await?, Transacted::Done);
            }
            Ok::<_, Error>(())
        }
    });
    try_join_all(writers).await.unwrap();
    assert_eq!(bench.counter().await, WRITERS * WRITES);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_drawn_on_bad_days_are_all_different() {
    let seed = seed_from_env_or_random("numbers_drawn_on_bad_days_are_all_different");
    let bench = Bench::with(patient()).await;
    bench.proxy.inject_at_random(seed, 0.3, everything());
    let draws = join_all((0..16).map(|_| {
        let table = bench.table.clone();
        async move {
            let mut drawn = Vec::new();
            for _ in 0..10 {
                drawn.push(table.increment(&key("counter"), "n", 1).await.unwrap());
            }
            drawn
        }
    }))
    .await;
    let drawn: Vec<i64> = draws.into_iter().flatten().collect();
    let different: BTreeSet<_> = drawn.iter().copied().collect();
    assert_eq!(different.len(), drawn.len());
    assert!(bench.counter().await >= *different.last().unwrap());
}
