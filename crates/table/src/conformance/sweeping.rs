//! Removing expired items, where the engine must do it itself.

use crate::{Action, Clock, Item, Key, ManualClock, Sweep, TTL, TableExt};

pub async fn the_sweeper_removes_exactly_the_expired(table: &dyn Sweep, clock: &ManualClock) {
    for n in 0..250 {
        let item = Item::new(Key::new("p", format!("{n:03}")));
        let ttl = clock.now_seconds() + if n % 2 == 0 { 100 } else { 1000 };
        table.put(item.with(TTL, ttl)).await.unwrap();
        table.put(Item::new(Key::new("forever", format!("{n:03}")))).await.unwrap();
    }
    assert_eq!(table.sweep_expired().await.unwrap(), 0);
    clock.advance_seconds(101);
    assert_eq!(table.sweep_expired().await.unwrap(), 125);
    assert_eq!(table.sweep_expired().await.unwrap(), 0);
    let page = table.query(&crate::Query::partition("p").limit(1000)).await.unwrap();
    assert_eq!(page.items.len(), 125);
    clock.advance_seconds(1000);
    assert_eq!(table.sweep_expired().await.unwrap(), 125);
    let page = table.query(&crate::Query::partition("forever").limit(1000)).await.unwrap();
    assert_eq!(page.items.len(), 250);
}

pub async fn the_sweeper_leaves_items_that_were_revived(table: &dyn Sweep, clock: &ManualClock) {
    let key = Key::new("p", "s");
    let now = clock.now_seconds();
    table.put(Item::new(key.clone()).with(TTL, now + 10)).await.unwrap();
    let outcome = table.transact(vec![Action::update(key.clone()).remove(TTL)]).await.unwrap();
    assert!(outcome.is_done());
    clock.advance_seconds(100);
    assert_eq!(table.sweep_expired().await.unwrap(), 0);
    assert!(table.get(&key).await.unwrap().is_some());
}
