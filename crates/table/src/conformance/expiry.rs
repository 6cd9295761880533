//! Items with a `ttl`.

use super::Fixture;
use crate::{Action, Clock, Condition, Item, SortValue, TTL, Value};

fn expiring(f: &Fixture, item: Item, seconds: i64) -> Item {
    item.with(TTL, f.clock.now_seconds() + seconds)
}

pub async fn expired_items_are_never_returned(f: &Fixture) {
    let gone = f.text_item("p", "gone", "a").with("number_partition", f.partition("p"));
    let gone = expiring(f, gone.with("number_sort", 1), 100);
    let stays = f.text_item("p", "stays", "b").with("number_partition", f.partition("p"));
    let stays = expiring(f, stays.with("number_sort", 2), 1000);
    f.put(gone.clone()).await;
    f.put(stays.clone()).await;
    f.expect_sort_keys(&f.query_text("p"), &["gone", "stays"]).await;

    f.clock.advance_seconds(101);

    assert_eq!(f.get(&gone.key).await, None);
    let found = f.table.batch_get(&[gone.key.clone(), stays.key.clone()]).await.unwrap();
    assert_eq!(found, [None, Some(stays)]);
    for query in [f.query_partition("p"), f.query_text("p"), f.query_number("p")] {
        f.expect_sort_keys(&query, &["stays"]).await;
    }
    assert!(f.scan_all(100).await.iter().all(|item| item.key != gone.key));
}

pub async fn an_item_lives_through_its_last_second(f: &Fixture) {
    let item = expiring(f, f.item("p", "s"), 100);
    f.put(item.clone()).await;
    f.clock.advance_seconds(100);
    assert_eq!(f.get(&item.key).await, Some(item.clone()));
    f.clock.advance_seconds(1);
    assert_eq!(f.get(&item.key).await, None);
}

pub async fn conditions_take_expired_items_for_absent(f: &Fixture) {
    let item = expiring(f, f.item("p", "s").with("a", 1), 100);
    f.put(item.clone()).await;
    let key = || item.key.clone();
    f.clock.advance_seconds(101);

    let guards = [Condition::Present, Condition::equals("a", 1), Condition::Has("a".into())];
    for guard in guards {
        assert_eq!(f.refused(vec![Action::check(key()).when(guard.clone())]).await, [(0, 0, None)]);
        let delete = vec![Action::delete(key()).when(guard.clone())];
        assert_eq!(f.refused(delete).await, [(0, 0, None)]);
        let update = vec![Action::update(key()).set("b", 1).when(guard)];
        assert_eq!(f.refused(update).await, [(0, 0, None)]);
    }
    f.done(vec![
        Action::check(key()).when(Condition::Absent).when(Condition::Lacks("a".into())),
        Action::put(f.item("p", "other")),
    ])
    .await;
    f.done(vec![Action::put(f.item("p", "s").with("b", 2)).when(Condition::Absent)]).await;
    assert_eq!(f.get(&key()).await, Some(f.item("p", "s").with("b", 2)));
}

pub async fn an_update_of_an_expired_item_starts_afresh(f: &Fixture) {
    for (sk, guard) in [("plain", None), ("guarded", Some(Condition::Absent))] {
        let item = expiring(f, f.item("p", sk).with("old", 1).with("n", 5), 100);
        f.put(item.clone()).await;
        f.clock.advance_seconds(101);
        let mut update = Action::update(item.key.clone()).add("n", 1).set("new", true);
        update.conditions.extend(guard);
        f.done(vec![update]).await;
        let expected = f.item("p", sk).with("n", 1).with("new", true);
        assert_eq!(f.get(&item.key).await, Some(expected));
    }
    let counter = expiring(f, f.item("p", "counter").with("n", 5), 100);
    f.put(counter.clone()).await;
    f.clock.advance_seconds(101);
    assert_eq!(f.table.increment(&counter.key, "n", 1).await.unwrap(), 1);
    assert_eq!(f.get(&counter.key).await, Some(f.item("p", "counter").with("n", 1)));
}

pub async fn an_end_set_alone_leaves_all_else_as_it_is(f: &Fixture) {
    let ends = f.clock.now_seconds() + 100;
    let living = f.text_item("p", "living", "a").with("n", 5).with("list", vec![Value::from(1)]);
    let later = expiring(f, f.text_item("p", "later", "b").with("n", 6), 1_000);
    let expired = expiring(f, f.text_item("p", "expired", "c").with("n", 7), 10);
    let all = [&living, &later, &expired];
    for item in all {
        f.put(item.clone()).await;
    }
    f.clock.advance_seconds(11);
    let absent = f.key("p", "absent");
    let keys = all.map(|item| item.key.clone()).into_iter().chain([absent.clone()]);
    // One that is decided by what is there goes with them.
    let guard = Action::check(f.key("p", "nobody")).when(Condition::Absent);
    f.done(keys.map(|key| Action::update(key).set(TTL, ends)).chain([guard]).collect()).await;
    assert_eq!(f.get(&living.key).await, Some(living.clone().with(TTL, ends)));
    assert_eq!(f.get(&later.key).await, Some(later.clone().with(TTL, ends)));
    // What has expired is no more, so only the end is there, as for what never was.
    assert_eq!(f.get(&expired.key).await, Some(Item::new(expired.key.clone()).with(TTL, ends)));
    assert_eq!(f.get(&absent).await, Some(Item::new(absent.clone()).with(TTL, ends)));
    f.expect_sort_keys(&f.query_text("p"), &["living", "later"]).await;
    f.clock.advance_seconds(90);
    for key in all.map(|item| &item.key).into_iter().chain([&absent]) {
        assert_eq!(f.get(key).await, None, "{key:?}");
    }
}

pub async fn pages_are_full_in_spite_of_expired_items(f: &Fixture) {
    for n in 0..30 {
        let item = f.text_item("p", &format!("{n:02}"), &format!("{n:02}"));
        let item = if n % 3 == 0 { item } else { expiring(f, item, 100) };
        f.put(item).await;
    }
    f.clock.advance_seconds(101);
    let living: Vec<String> = (0..30).step_by(3).map(|n| format!("{n:02}")).collect();
    let refs: Vec<&str> = living.iter().map(String::as_str).collect();
    f.expect_sort_keys(&f.query_text("p"), &refs).await;
    for query in [f.query_partition("p"), f.query_text("p"), f.query_text("p").descending()] {
        let page = f.query(&query.clone().limit(5)).await;
        assert_eq!(page.items.len(), 5);
        let rest = f.query(&query.limit(5).start(page.next)).await;
        assert_eq!((rest.items.len(), rest.next), (5, None));
    }
}

pub async fn places_are_those_of_all_living_items_and_some_expired_ones(f: &Fixture) {
    let all: Vec<String> = (0..30).map(|n| format!("{n:02}")).collect();
    for (n, place) in all.iter().enumerate() {
        let item = f.text_item("p", place, place);
        f.put(if n % 3 == 0 { item } else { expiring(f, item, 100) }).await;
    }
    f.clock.advance_seconds(101);
    let mut found = Vec::new();
    let mut start = None;
    loop {
        let query = f.query_text("p").limit(7).start(start);
        let Some(page) = f.table.query_places(&query).await.unwrap() else { return };
        assert!(page.places.len() == 7 || page.next.is_none(), "{page:?}");
        found.extend(page.places);
        start = page.next;
        if start.is_none() {
            break;
        }
    }
    let all: Vec<SortValue> = all.into_iter().map(SortValue::S).collect();
    let found_of_all: Vec<&SortValue> = all.iter().filter(|place| found.contains(place)).collect();
    assert_eq!(found.iter().collect::<Vec<_>>(), found_of_all, "in order, and each once");
    assert!(all.iter().step_by(3).all(|place| found.contains(place)), "{found:?}");
}

pub async fn without_ttl_an_item_stays(f: &Fixture) {
    let item = expiring(f, f.item("p", "s"), 100);
    f.put(item.clone()).await;
    f.done(vec![Action::update(item.key.clone()).remove(TTL)]).await;
    f.clock.advance_seconds(1_000_000);
    assert_eq!(f.get(&item.key).await, Some(f.item("p", "s")));
}
