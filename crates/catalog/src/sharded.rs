//! Lists whose newest part would be one hot partition: spread over a few partitions per
//! period, and merged again when read.

use table::{Direction, Item, Query, SortRange, Table};

use crate::Result;

/// The partitions of one period.
pub(crate) struct Bucket<F> {
    pub(crate) index: Option<&'static str>,
    pub(crate) partitions: Vec<String>,
    pub(crate) direction: Direction,
    /// The sort key of an item in these partitions.
    pub(crate) sort: F,
}

/// Up to `limit` items of a bucket that come after the sort key `after`, in order.
pub(crate) async fn read_bucket<F: Fn(&Item) -> Option<String>>(
    table: &dyn Table,
    bucket: &Bucket<F>,
    after: Option<&str>,
    limit: usize,
) -> Result<Vec<Item>> {
    let mut merged: Vec<(String, Item)> = Vec::new();
    for partition in &bucket.partitions {
        let items = read_partition(table, bucket, partition, after, limit).await?;
        merged.extend(items.into_iter().filter_map(|item| Some(((bucket.sort)(&item)?, item))));
    }
    merged.sort_by(|(a, _), (b, _)| a.cmp(b));
    if bucket.direction == Direction::Descending {
        merged.reverse();
    }
    merged.truncate(limit);
    Ok(merged.into_iter().map(|(_, item)| item).collect())
}

async fn read_partition<F: Fn(&Item) -> Option<String>>(
    table: &dyn Table,
    bucket: &Bucket<F>,
    partition: &str,
    after: Option<&str>,
    limit: usize,
) -> Result<Vec<Item>> {
    let range = match (after, bucket.direction) {
        (None, _) => SortRange::All,
        (Some(after), Direction::Ascending) => SortRange::From(after.into()),
        (Some(after), Direction::Descending) => SortRange::To(after.into()),
    };
    let query = Query {
        index: bucket.index,
        direction: bucket.direction,
        range,
        ..Query::partition(partition)
    };
    let is_after = |item: &Item| (bucket.sort)(item).as_deref() != after;
    let mut items = Vec::new();
    let mut start = None;
    loop {
        // One more than is missing, because the range includes `after` itself.
        let missing = (limit - items.len() + 1).min(table::QUERY_LIMIT_MAX);
        let page = table.query(&query.clone().limit(missing).start(start)).await?;
        items.extend(page.items.into_iter().filter(is_after));
        start = page.next;
        if start.is_none() || items.len() >= limit {
            items.truncate(limit);
            return Ok(items);
        }
    }
}
