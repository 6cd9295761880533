//! Changing some attributes of an item.

use super::Fixture;
use crate::{Action, Error, ITEM_BYTES_MAX, Limit, Value};

pub async fn update_changes_only_what_it_names(f: &Fixture) {
    f.put(f.item("p", "s").with("keep", "k").with("change", 1).with("drop", true)).await;
    let update = Action::update(f.key("p", "s")).set("change", "now text").remove("drop");
    f.done(vec![update.set("new", 2).add("count", 3)]).await;
    let expected = f
        .item("p", "s")
        .with("keep", "k")
        .with("change", "now text")
        .with("new", 2)
        .with("count", 3);
    assert_eq!(f.get(&f.key("p", "s")).await, Some(expected));
}

pub async fn update_creates_an_absent_item(f: &Fixture) {
    f.done(vec![Action::update(f.key("p", "s")).set("a", 1)]).await;
    assert_eq!(f.get(&f.key("p", "s")).await, Some(f.item("p", "s").with("a", 1)));
}

/// A newer version of the program may have written attributes this one does not know.
pub async fn unknown_attributes_survive(f: &Fixture) {
    let future = Value::L(vec!["from".into(), Value::M([("the".into(), "future".into())].into())]);
    let item = f.text_item("p", "s", "a").with("futureAttribute", future.clone());
    f.put(item).await;
    f.done(vec![Action::update(f.key("p", "s")).set("title", "x").set("text_sort", "b")]).await;
    let found = f.get(&f.key("p", "s")).await.unwrap();
    assert_eq!(found.get("futureAttribute"), Some(&future));
}

pub async fn set_replaces_and_remove_of_nothing_succeeds(f: &Fixture) {
    let key = f.key("p", "s");
    f.put(f.item("p", "s").with("map", Value::M([("a".into(), 1.into())].into()))).await;
    let new_map = Value::M([("b".into(), 2.into())].into());
    let update = Action::update(key.clone()).set("map", new_map.clone()).remove("nothing");
    f.done(vec![update]).await;
    assert_eq!(f.get(&key).await, Some(f.item("p", "s").with("map", new_map)));
}

pub async fn add_counts_from_nothing_and_down(f: &Fixture) {
    let key = f.key("p", "s");
    for (by, expected) in [(5, 5), (-7, -2), (0, -2), (1 << 40, (1 << 40) - 2)] {
        f.done(vec![Action::update(key.clone()).add("n", by)]).await;
        assert_eq!(f.get(&key).await.unwrap().i64("n"), Some(expected));
    }
}

pub async fn add_to_a_text_is_refused_and_changes_nothing(f: &Fixture) {
    let item = f.item("p", "s").with("n", "text");
    f.put(item.clone()).await;
    let other = f.item("p", "other");
    let add = Action::update(item.key.clone()).add("n", 1).set("other", 2);
    for actions in [vec![add.clone()], vec![Action::put(other.clone()), add]] {
        let error = f.table.transact(actions).await.unwrap_err();
        assert!(matches!(error, Error::Invalid(_)), "{error}");
    }
    let error = f.table.increment(&item.key, "n", 1).await.unwrap_err();
    assert!(matches!(error, Error::Invalid(_)), "{error}");
    assert_eq!(f.get(&item.key).await, Some(item));
    assert_eq!(f.get(&other.key).await, None);
}

pub async fn an_update_that_grows_the_item_too_large_is_refused(f: &Fixture) {
    let item = f.item("p", "s").with("large", "x".repeat(ITEM_BYTES_MAX - 1000));
    f.put(item.clone()).await;
    let grow = |bytes: usize| Action::update(item.key.clone()).set("more", "y".repeat(bytes));
    for actions in [vec![grow(2000)], vec![Action::put(f.item("p", "other")), grow(2000)]] {
        let error = f.table.transact(actions).await.unwrap_err();
        assert!(matches!(error, Error::Limit { limit: Limit::ItemBytes, .. }), "{error}");
    }
    assert_eq!(f.get(&item.key).await, Some(item.clone()));
    assert_eq!(f.get(&f.key("p", "other")).await, None);
    f.done(vec![grow(500)]).await;
}

pub async fn senseless_updates_are_refused(f: &Fixture) {
    let update = || Action::update(f.key("p", "s"));
    let senseless = [
        update(),
        update().set("a", 1).remove("a"),
        update().set("a", 1).add("a", 1),
        update().set("PK", "x"),
        update().remove("SK"),
        update().set("", 1),
        update().set("ttl", "tomorrow"),
        update().set("text_sort", 1),
        update().set("number_sort", "1"),
        update().set("text_partition", ""),
        Action::check(f.key("p", "s")),
    ];
    for action in senseless {
        let error = f.table.transact(vec![action.clone()]).await.unwrap_err();
        assert!(matches!(error, Error::Invalid(_)), "{action:?}: {error}");
    }
    assert_eq!(f.get(&f.key("p", "s")).await, None);
}
