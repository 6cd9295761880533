//! Limits, each with an error that names it, and nothing written.

use super::Fixture;
use crate::{Action, Condition, Error, ITEM_BYTES_MAX, Item, Key, Limit, Query, Value};

async fn refusal(f: &Fixture, item: Item) -> Error {
    let key = item.key.clone();
    let error = f.table.transact(vec![Action::put(item)]).await.unwrap_err();
    if key.validate().is_ok() {
        assert_eq!(f.get(&key).await, None);
    }
    error
}

fn is_limit(error: &Error, expected: Limit) -> bool {
    matches!(error, Error::Limit { limit, .. } if *limit == expected)
}

pub async fn key_lengths_are_limited(f: &Fixture) {
    // Limits count bytes, not characters: each é has two.
    let filler = 2048 - f.partition("").len();
    let pk =
        |bytes: usize| f.partition(&format!("{}{}", "é".repeat(bytes / 2), "x".repeat(bytes % 2)));
    let longest = Item::new(Key::new(pk(filler), "é".repeat(512)));
    f.put(longest.clone()).await;
    assert_eq!(f.get(&longest.key).await, Some(longest));
    let error = refusal(f, Item::new(Key::new(pk(filler + 1), "s"))).await;
    assert!(is_limit(&error, Limit::PartitionKeyBytes), "{error}");
    let error = refusal(f, f.item("p", &"x".repeat(1025))).await;
    assert!(is_limit(&error, Limit::SortKeyBytes), "{error}");
    let error = f.table.get(&Key::new(pk(filler + 1), "s")).await.unwrap_err();
    assert!(is_limit(&error, Limit::PartitionKeyBytes), "{error}");
    let error = f.table.query(&Query::partition(pk(filler + 1))).await.unwrap_err();
    assert!(is_limit(&error, Limit::PartitionKeyBytes), "{error}");
}

pub async fn empty_keys_are_refused(f: &Fixture) {
    for key in [Key::new("", "s"), Key::new(f.partition("p"), "")] {
        let error = f.table.get(&key).await.unwrap_err();
        assert!(matches!(error, Error::Invalid(_)), "{error}");
        let error = refusal(f, Item::new(key)).await;
        assert!(matches!(error, Error::Invalid(_)), "{error}");
    }
}

pub async fn an_item_of_400_kilobytes_fits_and_no_more(f: &Fixture) {
    let room = ITEM_BYTES_MAX - f.item("p", "s").with("x", "").size_bytes();
    let full = f.item("p", "s").with("x", "x".repeat(room));
    f.put(full.clone()).await;
    assert_eq!(f.get(&full.key).await, Some(full.clone()));
    f.delete(full.key.clone()).await;
    let error = refusal(f, f.item("p", "s").with("x", "x".repeat(room + 1))).await;
    assert!(is_limit(&error, Limit::ItemBytes), "{error}");
}

pub async fn index_attributes_must_be_fit_for_a_key(f: &Fixture) {
    let error = refusal(f, f.text_item("p", "s", &"x".repeat(1025))).await;
    assert!(is_limit(&error, Limit::SortKeyBytes), "{error}");
    let long = f.item("p", "s").with("text_partition", "x".repeat(2049));
    assert!(is_limit(&refusal(f, long).await, Limit::PartitionKeyBytes));
    let misfits = [
        f.text_item("p", "s", ""),
        f.item("p", "s").with("text_sort", 1),
        f.item("p", "s").with("text_partition", true),
        f.number_item("p", "s", "1"),
    ];
    for misfit in misfits {
        let error = refusal(f, misfit).await;
        assert!(matches!(error, Error::Invalid(_)), "{error}");
    }
}

pub async fn nesting_is_limited(f: &Fixture) {
    let nested = |levels: usize| (1..levels).fold(Value::int(1), |inner, _| Value::L(vec![inner]));
    f.put(f.item("p", "deep").with("v", nested(32))).await;
    let error = refusal(f, f.item("p", "s").with("v", nested(33))).await;
    assert!(is_limit(&error, Limit::NestingDepth), "{error}");
}

pub async fn attribute_names_are_limited(f: &Fixture) {
    f.put(f.item("p", "longest").with("x".repeat(255), 1)).await;
    let error = refusal(f, f.item("p", "s").with("x".repeat(256), 1)).await;
    assert!(is_limit(&error, Limit::AttributeNameBytes), "{error}");
    for name in ["PK", "SK", ""] {
        let error = refusal(f, f.item("p", "s").with(name, "x")).await;
        assert!(matches!(error, Error::Invalid(_)), "{error}");
    }
}

pub async fn page_limits_are_limited(f: &Fixture) {
    for limit in [0, 1001] {
        let error = f.table.query(&f.query_partition("p").limit(limit)).await.unwrap_err();
        assert!(is_limit(&error, Limit::QueryLimit), "{error}");
        let error = f.table.scan(&crate::Scan::all(limit)).await.unwrap_err();
        assert!(is_limit(&error, Limit::QueryLimit), "{error}");
    }
    assert_eq!(f.query(&f.query_partition("p").limit(1000)).await.items, []);
}

/// DynamoDB limits the length of expressions; as many of the longest kind must fit.
pub async fn fifty_changes_and_twenty_conditions_are_taken_and_no_more(f: &Fixture) {
    let name = |n: usize| format!("{n:03}{}", "x".repeat(252));
    let with = |changes: usize, conditions: usize| {
        let update =
            (0..changes).fold(Action::update(f.key("p", "s")), |update, n| update.add(name(n), 1));
        (0..conditions).fold(update, |update, n| update.when(Condition::Lacks(name(n))))
    };
    f.done(vec![with(50, 20)]).await;
    let error = f.table.transact(vec![with(51, 1)]).await.unwrap_err();
    assert!(is_limit(&error, Limit::UpdateChanges), "{error}");
    let error = f.table.transact(vec![with(1, 21)]).await.unwrap_err();
    assert!(is_limit(&error, Limit::ActionConditions), "{error}");
}
