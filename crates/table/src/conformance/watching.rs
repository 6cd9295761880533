//! Stamps, of engines through which all writes go.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::{
    Action, BatchEntry, Clock, Condition, Item, Key, ManualClock, Stamp, Sweep, TTL, TableExt,
    Watch,
};

const WRITES: i64 = 300;

fn watch(table: &dyn Sweep) -> &Watch {
    table.watch().expect("this engine sees all writes")
}

pub async fn every_kind_of_write_ends_the_stamp_of_its_partition(
    table: Arc<dyn Sweep>,
    clock: ManualClock,
) {
    let key = |sk: &str| Key::new("p", sk);
    let item = Item::new(key("a"));
    for write in 0..8 {
        let stamp = watch(&*table).stamp("p").unwrap();
        assert!(watch(&*table).is_current(stamp));
        match write {
            0 => table.put(item.clone()).await.unwrap(),
            1 => {
                let update = Action::update(item.key.clone()).set("x", 1);
                assert!(table.transact(vec![update]).await.unwrap().is_done());
            }
            2 => assert_eq!(table.increment(&item.key, "n", 1).await.unwrap(), 1),
            3 => table.delete(item.key.clone()).await.unwrap(),
            4 => {
                let put = BatchEntry::Put(Item::new(key("b")));
                table.batch_write(vec![put]).await.unwrap();
            }
            5 => table.batch_write(vec![BatchEntry::Delete(key("b"))]).await.unwrap(),
            6 => {
                let elsewhere = Action::put(Item::new(Key::new("q", "s")));
                let ttl = clock.now_seconds() + 10;
                let here = Action::put(Item::new(key("c")).with(TTL, ttl));
                assert!(table.transact(vec![elsewhere, here]).await.unwrap().is_done());
            }
            _ => {
                clock.advance_seconds(11);
                assert_eq!(table.sweep_expired().await.unwrap(), 1);
            }
        }
        assert!(!watch(&*table).is_current(stamp), "write {write}");
    }
}

/// One keeps writing, others keep what they have read for as long as its stamp is current.
pub async fn what_is_kept_is_never_older_than_what_was_acknowledged(
    table: Arc<dyn Sweep>,
    _: ManualClock,
) {
    let key = Key::new("p", "counter");
    let acknowledged = Arc::new(AtomicI64::new(0));
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (table, key) = (Arc::clone(&table), key.clone());
            let acknowledged = Arc::clone(&acknowledged);
            tokio::spawn(async move {
                let (mut kept, mut newest) = (None, 0);
                while newest < WRITES {
                    let known = acknowledged.load(Ordering::SeqCst);
                    let value = match kept.filter(|(stamp, _)| watch(&*table).is_current(*stamp)) {
                        Some((_, value)) => value,
                        None => {
                            let stamp = watch(&*table).stamp(&key.pk);
                            let item = table.get(&key).await.unwrap();
                            let value = item.and_then(|item| item.i64("n")).unwrap_or(0);
                            kept = stamp.map(|stamp| (stamp, value));
                            value
                        }
                    };
                    assert!(value >= known, "{value} is older than {known}");
                    assert!(value >= newest, "{value} comes after {newest}");
                    newest = value;
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    for expected in 1..=WRITES {
        assert_eq!(table.increment(&key, "n", 1).await.unwrap(), expected);
        acknowledged.store(expected, Ordering::SeqCst);
        tokio::task::yield_now().await;
    }
    for reader in readers {
        reader.await.unwrap();
    }
    // Nobody writes any more, so what is kept now stays right.
    let stamp = watch(&*table).stamp(&key.pk).unwrap();
    assert!(table.get(&key).await.unwrap().is_some());
    assert!(watch(&*table).is_current(stamp));
}

/// Several write the same item, each if it is still what they have read, and something beside it.
/// Whose write was the only one since they looked knows what is there.
pub async fn who_wrote_alone_knows_what_is_there(table: Arc<dyn Sweep>, _: ManualClock) {
    let key = Key::new("p", "item");
    let (table, key) = (&*table, &key);
    table.put(Item::new(key.clone()).with("n", 0)).await.unwrap();
    let write = async |by: i64, value: i64, expected: i64| {
        let update =
            Action::update(key.clone()).set("n", value).when(Condition::equals("n", expected));
        let beside = Action::put(Item::new(Key::new("p", format!("beside {by}"))));
        table.transact(vec![update, beside]).await.unwrap().is_done()
    };
    let read = async || table.get(key).await.unwrap().and_then(|item| item.i64("n")).unwrap();

    let alone = watch(table).stamp(&key.pk).unwrap().after_one_write();
    assert!(write(0, 1, read().await).await);
    assert!(watch(table).is_current(alone), "nobody else has written");

    let (write, read) = (&write, &read);
    let writers = (1..=4).map(|by| async move {
        for round in 1..=WRITES / 4 {
            let stamp = watch(table).stamp(&key.pk).map(Stamp::after_one_write);
            let value = by * 1_000_000 + round;
            let is_written = write(by, value, read().await).await;
            let Some(stamp) = stamp.filter(|_| is_written) else { continue };
            if watch(table).is_current(stamp) {
                let found = read().await;
                // Nobody has written while it was read, either.
                assert!(!watch(table).is_current(stamp) || found == value);
            }
            tokio::task::yield_now().await;
        }
    });
    // And one who does not look first, and may share a commit with any of them.
    let heedless = async {
        for round in 1..=WRITES {
            let update = Action::update(key.clone()).set("n", -round);
            assert!(table.transact(vec![update]).await.unwrap().is_done());
        }
    };
    futures::future::join(futures::future::join_all(writers), heedless).await;
}
