//! Many items in one call.

use super::Fixture;
use crate::{BatchEntry, Error, Item, Key, Limit};

fn numbered(f: &Fixture, count: usize) -> Vec<Item> {
    (0..count).map(|n| f.item("batch", &format!("{n:04}")).with("n", n as i64)).collect()
}

async fn write(f: &Fixture, items: &[Item]) {
    for chunk in items.chunks(25) {
        let entries = chunk.iter().cloned().map(BatchEntry::Put).collect();
        f.table.batch_write(entries).await.unwrap();
    }
}

pub async fn batch_get_keeps_the_order_of_its_keys(f: &Fixture) {
    let items = numbered(f, 5);
    write(f, &items).await;
    let keys = [
        items[3].key.clone(),
        f.key("batch", "absent"),
        items[0].key.clone(),
        items[4].key.clone(),
    ];
    let found = f.table.batch_get(&keys).await.unwrap();
    let expected =
        vec![Some(items[3].clone()), None, Some(items[0].clone()), Some(items[4].clone())];
    assert_eq!(found, expected);
}

pub async fn batch_get_takes_a_hundred_keys_and_no_more(f: &Fixture) {
    let items = numbered(f, 101);
    write(f, &items).await;
    let keys: Vec<Key> = items.iter().map(|item| item.key.clone()).collect();
    let found = f.table.batch_get(&keys[..100]).await.unwrap();
    assert_eq!(found.into_iter().flatten().collect::<Vec<_>>(), items[..100]);
    for wrong in [&keys[..], &[]] {
        let error = f.table.batch_get(wrong).await.unwrap_err();
        assert!(matches!(error, Error::Limit { limit: Limit::BatchGetKeys, .. }), "{error}");
    }
}

/// Sixty items of 350 KB are 21 MB, more than DynamoDB answers at once.
pub async fn batch_get_returns_large_items_whole(f: &Fixture) {
    let large = "x".repeat(350 * 1024);
    let keys: Vec<Key> = (0..60).map(|n| f.key("large", &format!("{n:02}"))).collect();
    for key in &keys {
        f.put(Item::new(key.clone()).with("large", large.as_str())).await;
    }
    let found = f.table.batch_get(&keys).await.unwrap();
    for (key, item) in keys.iter().zip(found) {
        let item = item.unwrap();
        assert_eq!(item.key, *key);
        assert_eq!(item.str("large").map(str::len), Some(large.len()));
    }
}

pub async fn batch_get_refuses_a_key_twice(f: &Fixture) {
    let key = f.key("batch", "twice");
    let error = f.table.batch_get(&[key.clone(), key]).await.unwrap_err();
    assert!(matches!(error, Error::Invalid(_)), "{error}");
}

pub async fn batch_write_puts_and_deletes(f: &Fixture) {
    let items = numbered(f, 3);
    f.put(items[0].clone()).await;
    let entries = vec![
        BatchEntry::Delete(items[0].key.clone()),
        BatchEntry::Put(items[1].clone()),
        BatchEntry::Put(items[2].clone()),
        BatchEntry::Delete(f.key("batch", "absent")),
    ];
    f.table.batch_write(entries).await.unwrap();
    assert_eq!(f.query_all(&f.query_partition("batch")).await, items[1..]);
}

pub async fn batch_write_takes_twenty_five_entries_and_no_more(f: &Fixture) {
    let entries: Vec<BatchEntry> = numbered(f, 26).into_iter().map(BatchEntry::Put).collect();
    f.table.batch_write(entries[..25].to_vec()).await.unwrap();
    assert_eq!(f.query_all(&f.query_partition("batch")).await.len(), 25);
    for wrong in [entries, Vec::new()] {
        let error = f.table.batch_write(wrong).await.unwrap_err();
        assert!(matches!(error, Error::Limit { limit: Limit::BatchWriteEntries, .. }), "{error}");
    }
}

pub async fn batch_write_refuses_a_key_twice(f: &Fixture) {
    let item = f.item("batch", "twice");
    let entries = vec![BatchEntry::Put(item.clone()), BatchEntry::Delete(item.key.clone())];
    let error = f.table.batch_write(entries).await.unwrap_err();
    assert!(matches!(error, Error::Invalid(_)), "{error}");
    assert_eq!(f.get(&item.key).await, None);
}

pub async fn batch_write_with_one_bad_entry_writes_nothing(f: &Fixture) {
    let good = f.item("batch", "good");
    let bad = f.item("batch", "bad").with("huge", "x".repeat(400 * 1024));
    let entries = vec![BatchEntry::Put(good.clone()), BatchEntry::Put(bad)];
    let error = f.table.batch_write(entries).await.unwrap_err();
    assert!(matches!(error, Error::Limit { limit: Limit::ItemBytes, .. }), "{error}");
    assert_eq!(f.get(&good.key).await, None);
}
