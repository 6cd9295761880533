//! Conditions on single writes.

use futures::future::join_all;

use super::Fixture;
use crate::{Action, Attributes, Condition, Item, Transacted, Value};

/// Whether a put of the item with this condition goes through.
async fn holds(f: &Fixture, found: Option<Item>, condition: Condition) -> bool {
    let key = f.key("condition", "it");
    match found {
        Some(item) => f.put(Item { key: key.clone(), ..item }).await,
        None => f.delete(key.clone()).await,
    }
    let action = Action::put(Item::new(key).with("written", true)).when(condition);
    f.table.transact(vec![action]).await.unwrap().is_done()
}

fn with(name: &str, value: impl Into<Value>) -> Option<Item> {
    Some(Item::new(crate::Key::new("-", "-")).with(name, value))
}

pub async fn absent_holds_only_without_an_item(f: &Fixture) {
    assert!(holds(f, None, Condition::Absent).await);
    assert!(!holds(f, with("a", 1), Condition::Absent).await);
}

pub async fn present_holds_only_with_an_item(f: &Fixture) {
    assert!(!holds(f, None, Condition::Present).await);
    assert!(holds(f, with("a", 1), Condition::Present).await);
}

pub async fn equals_compares_any_kind_of_value(f: &Fixture) {
    let map = Attributes::from([("x".into(), Value::int(1))]);
    let other_map = Attributes::from([("x".into(), Value::int(2))]);
    let pairs: [(Value, Value); 6] = [
        ("text".into(), "Text".into()),
        (1.into(), 2.into()),
        (true.into(), false.into()),
        (vec![1_u8].into(), vec![2_u8].into()),
        (vec![Value::int(1)].into(), vec![Value::int(1), Value::int(1)].into()),
        (map.into(), other_map.into()),
    ];
    for (value, other) in pairs {
        let equals = |value: &Value| Condition::equals("a", value.clone());
        assert!(holds(f, with("a", value.clone()), equals(&value)).await, "{value:?}");
        assert!(!holds(f, with("a", value.clone()), equals(&other)).await, "{value:?}");
    }
    assert!(!holds(f, with("a", "1"), Condition::equals("a", 1)).await, "text is no number");
    assert!(!holds(f, with("b", 1), Condition::equals("a", 1)).await);
    assert!(!holds(f, None, Condition::equals("a", 1)).await);
}

pub async fn at_least_and_at_most_include_the_bound(f: &Fixture) {
    for (found, least, most) in [(9, false, true), (10, true, true), (11, true, false)] {
        let at_least = Condition::at_least("n", 10);
        assert_eq!(holds(f, with("n", found), at_least).await, least, "{found}");
        let at_most = Condition::at_most("n", 10);
        assert_eq!(holds(f, with("n", found), at_most).await, most, "{found}");
    }
    assert!(!holds(f, with("n", "10"), Condition::at_least("n", 10)).await, "text is no number");
    assert!(!holds(f, with("m", 10), Condition::at_most("n", 10)).await);
    assert!(!holds(f, None, Condition::at_least("n", 0)).await);
}

pub async fn has_and_lacks_look_at_the_attribute(f: &Fixture) {
    let has = || Condition::Has("a".to_owned());
    let lacks = || Condition::Lacks("a".to_owned());
    assert!(holds(f, with("a", Value::Null), has()).await);
    assert!(!holds(f, with("a", Value::Null), lacks()).await);
    assert!(!holds(f, with("b", 1), has()).await);
    assert!(holds(f, with("b", 1), lacks()).await);
    assert!(!holds(f, None, has()).await);
    assert!(holds(f, None, lacks()).await);
}

pub async fn version_guards_against_lost_updates(f: &Fixture) {
    let key = f.key("p", "s");
    f.put(Item::new(key.clone()).with("version", 3).with("title", "old")).await;
    let rename = |title: &str| {
        Action::update(key.clone())
            .set("title", title)
            .set("version", 4)
            .when(Condition::version(3))
    };
    f.done(vec![rename("first")]).await;
    let refused = f.refused(vec![rename("second")]).await;
    let found = refused[0].2.as_ref().unwrap();
    assert_eq!((found.version(), found.str("title")), (4, Some("first")));
}

pub async fn all_conditions_must_hold(f: &Fixture) {
    let item = f.item("p", "s").with("a", 1).with("b", 2);
    f.put(item.clone()).await;
    let action = |b: i64| {
        Action::put(item.clone())
            .when(Condition::Present)
            .when(Condition::equals("a", 1))
            .when(Condition::equals("b", b))
    };
    f.done(vec![action(2)]).await;
    assert_eq!(f.refused(vec![action(3)]).await, [(0, 2, Some(item))]);
}

pub async fn a_refusal_names_the_condition_and_the_item_found(f: &Fixture) {
    let item = f.item("p", "s").with("a", 1);
    let action =
        Action::delete(item.key.clone()).when(Condition::Present).when(Condition::equals("a", 2));
    assert_eq!(f.refused(vec![action.clone()]).await, [(0, 0, None)]);
    f.put(item.clone()).await;
    assert_eq!(f.refused(vec![action]).await, [(0, 1, Some(item))]);
}

pub async fn conditions_guard_puts_updates_and_deletes(f: &Fixture) {
    let item = f.item("p", "s").with("a", 1);
    f.put(item.clone()).await;
    let guard = || Condition::equals("a", 2);
    let attempts = [
        Action::put(f.item("p", "s")).when(guard()),
        Action::update(item.key.clone()).set("b", 1).when(guard()),
        Action::delete(item.key.clone()).when(guard()),
        Action::check(item.key.clone()).when(guard()),
    ];
    for attempt in attempts {
        f.refused(vec![attempt]).await;
        assert_eq!(f.get(&item.key).await.as_ref(), Some(&item));
    }
    f.done(vec![Action::check(item.key.clone()).when(Condition::equals("a", 1))]).await;
    f.done(vec![Action::delete(item.key.clone()).when(Condition::equals("a", 1))]).await;
    assert_eq!(f.get(&item.key).await, None);
}

pub async fn one_of_many_racers_creates_the_item(f: &Fixture) {
    let racers = (0..16).map(|racer: i64| {
        let action = Action::put(f.item("race", "it").with("racer", racer));
        f.table.transact(vec![action.when(Condition::Absent)])
    });
    let outcomes: Vec<Transacted> =
        join_all(racers).await.into_iter().map(Result::unwrap).collect();
    let winners: Vec<usize> = (0..16).filter(|racer| outcomes[*racer].is_done()).collect();
    assert_eq!(winners.len(), 1);
    let stored = f.get(&f.key("race", "it")).await.unwrap();
    assert_eq!(stored.i64("racer"), Some(winners[0] as i64));
}
