//! Many rows at once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::try_join_all;
use table::{BATCH_WRITE_ENTRIES_MAX, BatchEntry, Item, Table as _};
use table_embedded::EmbeddedTable;

use crate::Outcome;

/// Tasks that load at a time: while one half waits for a commit, the other half is queued for the
/// next one.
const LOADERS: usize = 1024;

/// Stores the items, and says how long that took.
pub async fn bulk_load(table: &Arc<EmbeddedTable>, items: Vec<Item>) -> Outcome<Duration> {
    let share = items.len().div_ceil(LOADERS).max(1);
    let mut shares: Vec<Vec<Item>> = Vec::new();
    let mut items = items.into_iter();
    while items.len() > 0 {
        shares.push(items.by_ref().take(share).collect());
    }
    let started = Instant::now();
    let loaders = shares.into_iter().map(|share| tokio::spawn(write_all(Arc::clone(table), share)));
    for loaded in try_join_all(loaders).await? {
        loaded?;
    }
    Ok(started.elapsed())
}

async fn write_all(table: Arc<EmbeddedTable>, items: Vec<Item>) -> Outcome {
    let mut items = items.into_iter();
    while items.len() > 0 {
        let batch = items.by_ref().take(BATCH_WRITE_ENTRIES_MAX).map(BatchEntry::Put).collect();
        table.batch_write(batch).await?;
    }
    Ok(())
}
