//! Every fault of the proxy is visible to a plain HTTP client, and does to the server what it says.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod http;

use std::io::ErrorKind;
use std::time::Duration;

use http::Client;
use serde_json::{Value, json};
use testkit::fault_proxy::{Fault, FaultProxy};
use testkit::servers::Dynoxide;
use testkit::wait::wait_until;

const SOON: Duration = Duration::from_millis(200);
const MUCH_LATER: Duration = Duration::from_secs(3600);

#[test]
fn faults_that_answer_look_like_dynamodbs_and_reach_no_server() {
    let expected = [
        (Fault::Throttling, 400, "ThrottlingException"),
        (Fault::ThroughputExceeded, 400, "ProvisionedThroughputExceededException"),
        (Fault::TransactionConflict, 400, "TransactionConflictException"),
        (Fault::TransactionInProgress, 400, "TransactionInProgressException"),
        (Fault::InternalServerError, 500, "InternalServerError"),
        (Fault::ServiceUnavailable, 503, "ServiceUnavailableException"),
    ];
    let table = Table::create("answers");
    for (fault, status, name) in expected {
        table.proxy.inject("PutItem", fault);
        let answer = table.through_proxy.call("PutItem", &table.put("IMAGE#1")).unwrap();
        assert_eq!(answer.status, status, "{fault:?}");
        let kind = answer.json()["__type"].as_str().unwrap().to_owned();
        assert!(kind.ends_with(&format!("#{name}")), "{fault:?}: {kind}");
        assert!(answer.json()["message"].is_string());
    }
    assert_eq!(table.proxy.requests("PutItem"), expected.len());
    assert_eq!(table.proxy.forwarded("PutItem"), 0);
    assert!(!table.has("IMAGE#1"));
}

#[test]
fn a_conflict_in_a_transaction_names_the_action_that_met_it() {
    let table = Table::create("conflict");
    let actions: Vec<Value> = (1..=3)
        .map(|n| json!({"Put": {"TableName": "conflict", "Item": item(&format!("IMAGE#{n}"))}}))
        .collect();
    let request = json!({"TransactItems": actions, "ClientRequestToken": "token-1"});

    table.proxy.inject("TransactWriteItems", Fault::TransactionConflict);
    let answer = table.through_proxy.call("TransactWriteItems", &request).unwrap();

    assert_eq!(answer.status, 400);
    let body = answer.json();
    assert!(body["__type"].as_str().unwrap().ends_with("#TransactionCanceledException"));
    let codes: Vec<_> =
        body["CancellationReasons"].as_array().unwrap().iter().map(|r| &r["Code"]).collect();
    assert_eq!(codes, ["None", "None", "TransactionConflict"]);
    assert!(!table.has("IMAGE#1"));

    table.through_proxy.must("TransactWriteItems", &request);
    assert!(table.has("IMAGE#3"));
    assert_eq!(table.proxy.tokens("TransactWriteItems"), ["token-1", "token-1"]);
}

#[test]
fn part_of_a_batch_of_writes_is_applied_and_the_rest_comes_back() {
    let table = Table::create("batch-write");
    let write = |n: usize| json!({"PutRequest": {"Item": item(&format!("IMAGE#{n}"))}});
    let writes: Vec<Value> = (1..=5).map(write).collect();
    let request = json!({"RequestItems": {"batch-write": writes}});

    table.proxy.inject_all(
        "BatchWriteItem",
        [Fault::Unprocessed { forwarded: 2 }, Fault::Unprocessed { forwarded: 0 }],
    );
    let first = table.through_proxy.must("BatchWriteItem", &request);
    assert_eq!(first["UnprocessedItems"], json!({"batch-write": [write(3), write(4), write(5)]}));
    assert!(table.has("IMAGE#2"));
    assert!(!table.has("IMAGE#3"));

    let again = json!({"RequestItems": first["UnprocessedItems"]});
    let second = table.through_proxy.must("BatchWriteItem", &again);
    assert_eq!(second["UnprocessedItems"], first["UnprocessedItems"]);

    let third = table.through_proxy.must("BatchWriteItem", &again);
    assert_eq!(third["UnprocessedItems"], json!({}));
    assert!(table.has("IMAGE#5"));
}

#[test]
fn part_of_a_batch_of_keys_is_read_and_the_rest_comes_back() {
    let table = Table::create("batch-get");
    let keys: Vec<Value> = (1..=3).map(|n| item(&format!("IMAGE#{n}"))).collect();
    for key in &keys {
        table.direct.must("PutItem", &json!({"TableName": "batch-get", "Item": key}));
    }

    table.proxy.inject("BatchGetItem", Fault::Unprocessed { forwarded: 1 });
    let request = json!({"RequestItems": {"batch-get": {"Keys": keys, "ConsistentRead": true}}});
    let answer = table.through_proxy.must("BatchGetItem", &request);

    assert_eq!(answer["Responses"]["batch-get"], json!([keys[0]]));
    let rest = json!({"batch-get": {"Keys": [keys[1], keys[2]], "ConsistentRead": true}});
    assert_eq!(answer["UnprocessedKeys"], rest);
}

#[test]
fn a_connection_reset_before_forwarding_changes_nothing() {
    let table = Table::create("reset-before");
    table.proxy.inject("PutItem", Fault::ResetBefore);
    let error = table.through_proxy.call("PutItem", &table.put("IMAGE#1")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    assert_eq!(table.proxy.forwarded("PutItem"), 0);
    assert!(!table.has("IMAGE#1"));
}

#[test]
fn a_connection_reset_after_forwarding_leaves_the_write_applied() {
    let table = Table::create("reset-after");
    table.proxy.inject("PutItem", Fault::ResetAfter);
    let error = table.through_proxy.call("PutItem", &table.put("IMAGE#1")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    assert_eq!(table.proxy.forwarded("PutItem"), 1);
    assert!(table.has("IMAGE#1"));
}

#[test]
fn a_request_delayed_before_forwarding_arrives_after_its_client_gave_up() {
    let table = Table::create("delay-before");
    let delay = 15 * SOON;
    table.proxy.inject("PutItem", Fault::DelayBefore(delay));
    let error = table.impatient().call("PutItem", &table.put("IMAGE#1")).unwrap_err();
    assert!(is_timeout(error.kind()), "{error}");
    assert!(!table.has("IMAGE#1"));
    assert!(wait_until(Duration::from_secs(20), || table.has("IMAGE#1")));
}

#[test]
fn a_request_delayed_after_forwarding_is_applied_at_once() {
    let table = Table::create("delay-after");
    table.proxy.inject("PutItem", Fault::DelayAfter(MUCH_LATER));
    let error = table.impatient().call("PutItem", &table.put("IMAGE#1")).unwrap_err();
    assert!(is_timeout(error.kind()), "{error}");
    assert!(wait_until(Duration::from_secs(20), || table.has("IMAGE#1")));
}

#[test]
fn a_garbage_answer_is_not_json_and_the_write_is_applied() {
    let table = Table::create("garbage");
    table.proxy.inject("PutItem", Fault::Garbage);
    let answer = table.through_proxy.call("PutItem", &table.put("IMAGE#1")).unwrap();
    assert_eq!(answer.status, 200);
    assert!(serde_json::from_slice::<Value>(&answer.body).is_err());
    assert!(table.has("IMAGE#1"));
}

#[test]
#[should_panic(expected = "PutItem has no unprocessed entries")]
fn unprocessed_entries_are_for_batches_only() {
    let proxy = FaultProxy::start(&Dynoxide::shared().endpoint());
    proxy.inject("PutItem", Fault::Unprocessed { forwarded: 1 });
}

#[test]
fn a_delayed_request_does_not_outlive_the_proxy() {
    let table = Table::create("dropped");
    table.proxy.inject("PutItem", Fault::DelayBefore(MUCH_LATER));
    let error = table.impatient().call("PutItem", &table.put("IMAGE#1")).unwrap_err();
    assert!(is_timeout(error.kind()), "{error}");
    let Table { proxy, through_proxy, .. } = table;
    drop(proxy);
    let error = through_proxy.call("ListTables", &json!({})).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
}

/// A table of a real server, reached directly and through a proxy of its own.
struct Table {
    name: &'static str,
    proxy: FaultProxy,
    direct: Client,
    through_proxy: Client,
}

impl Table {
    fn create(name: &'static str) -> Self {
        let server = Dynoxide::shared();
        let proxy = FaultProxy::start(&server.endpoint());
        let direct = Client::new(&server.endpoint());
        direct.must(
            "CreateTable",
            &json!({
                "TableName": name,
                "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
            }),
        );
        let through_proxy = Client::new(&proxy.endpoint());
        Self { name, proxy, direct, through_proxy }
    }

    fn put(&self, key: &str) -> Value {
        json!({"TableName": self.name, "Item": item(key)})
    }

    fn has(&self, key: &str) -> bool {
        let request = json!({"TableName": self.name, "Key": item(key), "ConsistentRead": true});
        self.direct.must("GetItem", &request).get("Item").is_some()
    }

    fn impatient(&self) -> Client {
        Client::new(&self.proxy.endpoint()).with_timeout(SOON)
    }
}

fn item(key: &str) -> Value {
    json!({"PK": {"S": key}})
}

fn is_timeout(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
