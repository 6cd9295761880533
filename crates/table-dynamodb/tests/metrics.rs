//! What operations cost and how long they take, as the metrics tell it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod support;

use std::collections::BTreeMap;

use metrics_util::debugging::{DebugValue, DebuggingRecorder};
use table::{Action, BatchEntry, Item, Key, Query, Scan, Table, TableExt as _};
use testkit::fault_proxy::{Fault, FaultProxy};
use testkit::servers::{Dynoxide, Ministack};

/// Counters, and numbers of measurements of histograms, by name and labels.
type Metrics = BTreeMap<String, u64>;

/// Runs the work on this thread and returns the metrics it left behind.
fn measure(work: impl Future<Output = ()>) -> Metrics {
    let recorder = DebuggingRecorder::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    metrics::with_local_recorder(&recorder, || runtime.block_on(work));
    let metrics = recorder.snapshotter().snapshot().into_vec();
    metrics
        .into_iter()
        .map(|(key, _, _, value)| {
            let labels = key.key().labels().map(|l| format!("{}={}", l.key(), l.value()));
            let name = format!("{} {}", key.key().name(), labels.collect::<Vec<_>>().join(" "));
            let value = match value {
                DebugValue::Counter(count) => count,
                DebugValue::Histogram(values) => values.len() as u64,
                DebugValue::Gauge(_) => panic!("{name} is a gauge"),
            };
            (name, value)
        })
        .collect()
}

fn units(metrics: &Metrics, operation: &str, kind: &str, target: &str) -> u64 {
    let name = format!(
        "ferrotype_table_capacity_units_total operation={operation} kind={kind} target={target}"
    );
    metrics.get(&name).copied().unwrap_or_else(|| panic!("no {name} in {metrics:#?}"))
}

async fn some_work(endpoint: String) {
    let config = support::config(endpoint, support::new_name());
    support::create(&config).await;
    let table = support::open(config).await;
    let key = Key::new("p", "s");
    let item = Item::new(key.clone()).with("text_partition", "t").with("text_sort", "u");
    table.put(item.clone()).await.unwrap();
    for _ in 0..3 {
        table.get(&key).await.unwrap();
        table.query(&Query::index("by_text", "t")).await.unwrap();
    }
    table.query(&Query::partition("p")).await.unwrap();
    table.scan(&Scan::all(10)).await.unwrap();
    table.batch_write(vec![BatchEntry::Put(item)]).await.unwrap();
    table.increment(&key, "n", 1).await.unwrap();
    let _ = table.transact(vec![Action::delete(key)]).await.unwrap();
}

#[test]
fn the_capacity_of_every_operation_is_counted_by_table_and_index() {
    let metrics = measure(some_work(Dynoxide::shared().endpoint()));
    assert_eq!(units(&metrics, "get", "read", "table"), 3);
    // Three eventually consistent reads cost one and a half; the half is carried over.
    assert_eq!(units(&metrics, "query", "read", "by_text"), 1);
    assert_eq!(units(&metrics, "query", "read", "table"), 1);
    assert_eq!(units(&metrics, "scan", "read", "table"), 1);
    assert_eq!(units(&metrics, "batch_write", "write", "table"), 1);
    assert!(units(&metrics, "increment", "write", "table") >= 1);
    // Transactions cost the table double.
    assert_eq!(units(&metrics, "transact", "write", "table"), 4);
    assert_eq!(units(&metrics, "transact", "write", "by_text"), 2);
}

#[test]
fn what_a_server_does_not_report_of_the_table_is_the_total_without_the_indexes() {
    let metrics = measure(some_work(Ministack::shared().endpoint()));
    assert_eq!(units(&metrics, "transact", "write", "table"), 4);
    assert_eq!(units(&metrics, "transact", "write", "by_text"), 2);
    assert_eq!(units(&metrics, "get", "read", "table"), 3);
}

#[test]
fn durations_and_retries_are_measured() {
    let metrics = measure(async {
        let config = support::config(Dynoxide::shared().endpoint(), support::new_name());
        support::create(&config).await;
        let proxy = FaultProxy::start(&Dynoxide::shared().endpoint());
        let endpoint = Some(proxy.endpoint());
        let table = support::open(table_dynamodb::Config { endpoint, ..config }).await;
        proxy.inject("GetItem", Fault::Throttling);
        table.get(&Key::new("p", "s")).await.unwrap();
    });
    let durations = "ferrotype_table_operation_seconds operation=get outcome=ok";
    assert_eq!(metrics[durations], 1);
    assert_eq!(metrics["ferrotype_table_retries_total operation=get reason=throttled"], 1);
}
