//! Putting one item and reading it back.

use super::Fixture;
use crate::{Attributes, Number, Value};

pub async fn an_absent_item_is_none(f: &Fixture) {
    assert_eq!(f.get(&f.key("nobody", "home")).await, None);
}

pub async fn get_returns_what_was_put(f: &Fixture) {
    let item = f.item("p", "s").with("title", "Iron").with("stars", 5);
    f.put(item.clone()).await;
    assert_eq!(f.get(&item.key).await, Some(item));
}

pub async fn put_replaces_the_whole_item(f: &Fixture) {
    f.put(f.item("p", "s").with("old", "yes").with("both", 1)).await;
    let new = f.item("p", "s").with("new", "yes").with("both", 2);
    f.put(new.clone()).await;
    assert_eq!(f.get(&new.key).await, Some(new));
}

pub async fn every_kind_of_value_reads_back(f: &Fixture) {
    let map = Attributes::from([
        ("inner".into(), Value::L(vec![1.into(), "two".into(), Value::Null])),
        ("empty map".into(), Value::M(Attributes::new())),
    ]);
    let item = f
        .item("p", "s")
        .with("text", "Ὀρφεύς 🎞 \u{0}\n")
        .with("empty text", "")
        .with("number", -17)
        .with("yes", true)
        .with("no", false)
        .with("bytes", vec![0_u8, 255, 10])
        .with("empty bytes", Vec::<u8>::new())
        .with("null", Value::Null)
        .with("empty list", Value::L(Vec::new()))
        .with("map", map);
    f.put(item.clone()).await;
    assert_eq!(f.get(&item.key).await, Some(item));
}

pub async fn numbers_read_back_exactly(f: &Fixture) {
    let floats = [0.1, -0.5, 1.0 / 3.0, 1e-130, 9.9e125, -1e20, 123_456_789.123_456_79];
    let numbers = [i64::MIN, i64::MAX, 0, -1, (1 << 53) + 1].map(Number::from);
    let all = numbers.into_iter().chain(floats.map(|float| Number::from_f64(float).unwrap()));
    let list: Vec<Value> = all.map(Value::N).collect();
    let item = f.item("p", "s").with("numbers", list);
    f.put(item.clone()).await;
    assert_eq!(f.get(&item.key).await, Some(item));
}

pub async fn keys_may_hold_any_unicode(f: &Fixture) {
    let names =
        ["ä", "日本", "👩‍👩‍👧", "a\u{0}b", "'; DROP TABLE item; --", " ", "\u{10FFFF}", "%_\\", "#"];
    for name in names {
        f.put(f.item(name, name).with("name", name)).await;
    }
    for name in names {
        let found = f.get(&f.key(name, name)).await.unwrap();
        assert_eq!(found.str("name"), Some(name));
    }
}

/// DynamoDB's expressions reserve many words; none may leak to callers.
pub async fn attribute_names_may_be_any_words(f: &Fixture) {
    let mut item = f.item("p", "s");
    for name in
        ["size", "name", "values", "ttl_", "a.b", "#n0", ":v0", "größe", "a b", "begins_with"]
    {
        item = item.with(name, name);
    }
    f.put(item.clone()).await;
    assert_eq!(f.get(&item.key).await, Some(item));
}

pub async fn delete_of_an_absent_item_succeeds(f: &Fixture) {
    let item = f.item("p", "s");
    f.put(item.clone()).await;
    f.delete(item.key.clone()).await;
    f.delete(item.key.clone()).await;
    assert_eq!(f.get(&item.key).await, None);
}
