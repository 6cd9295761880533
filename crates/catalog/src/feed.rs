//! The feed: all shared images, newest first.

use model::{Image, ImageId, Timestamp};
use table::{Direction, Item, Query, TableExt, Value};

use crate::schema::{GLOBAL, GLOBAL_SK};
use crate::sharded::{Bucket, read_bucket};
use crate::{Catalog, Cursor, Error, Listed, PageRequest, Result, keys, row};

impl Catalog {
    /// Shared images, newest first.
    pub async fn list_feed(&self, page: &PageRequest) -> Result<Listed<Image>> {
        let after = page.cursor.as_ref().map(position).transpose()?;
        let mut entries: Vec<Image> = Vec::new();
        for month in self.feed_months(after).await? {
            // One more than asked for tells whether there is a next page.
            let missing = page.limit + 1 - entries.len();
            let after = after.map(|(at, image)| keys::uploaded(at, image));
            let rows = self.read_feed_month(&month, after.as_deref(), missing).await?;
            for item in &rows {
                entries.push(row::entity_of(item)?);
            }
            if entries.len() > page.limit {
                break;
            }
        }
        let has_more = entries.len() > page.limit;
        entries.truncate(page.limit);
        let next = entries.last().filter(|_| has_more).and_then(cursor_behind);
        Ok(Listed { entries, next })
    }

    pub(crate) async fn read_feed_month(
        &self,
        month: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Item>> {
        let bucket = Bucket {
            index: Some(GLOBAL),
            partitions: (0..keys::SHARDS).map(|shard| keys::feed(month, shard)).collect(),
            direction: Direction::Descending,
            sort: |item: &Item| match item.attributes.value(GLOBAL_SK) {
                Some(Value::S(place)) => Some(place),
                _ => None,
            },
        };
        read_bucket(&*self.table, &bucket, after, limit).await
    }

    /// The months that have had shared images, newest first, from a position on.
    pub(crate) async fn feed_months(
        &self,
        after: Option<(Timestamp, ImageId)>,
    ) -> Result<Vec<String>> {
        let query = Query::partition(keys::FEED_MONTHS).descending();
        let query = match after {
            Some((at, _)) => query.range(table::SortRange::To(keys::month_of(at).into())),
            None => query,
        };
        let mut months = Vec::new();
        let mut start = None;
        loop {
            let query = query.clone().limit(table::QUERY_LIMIT_MAX).start(start);
            let page = self.table.query(&query).await?;
            months.extend(page.items.into_iter().map(|item| item.key.sk));
            start = page.next;
            if start.is_none() {
                return Ok(months);
            }
        }
    }

    /// Lists the month of an image that is about to appear in the feed. A listed month
    /// without images does no harm, so this need not be part of the transaction, where it
    /// would be one item that everybody writes.
    pub(crate) async fn open_feed_month(&self, at: Timestamp) -> Result<()> {
        let key = keys::feed_month(&keys::month_of(at));
        if self.table.get(&key).await?.is_none() {
            self.table.put(Item::new(key)).await?;
        }
        Ok(())
    }
}

fn cursor_behind(image: &Image) -> Option<Cursor> {
    let at = image.uploaded_at?;
    Some(Cursor::from_text(format!("{}-{}", at.as_millis(), image.id)))
}

fn position(cursor: &Cursor) -> Result<(Timestamp, ImageId)> {
    let (millis, image) = cursor.as_str().rsplit_once('-').ok_or(Error::BadCursor)?;
    let millis: i64 = millis.parse().map_err(|_| Error::BadCursor)?;
    let image = image.parse().map_err(|_| Error::BadCursor)?;
    Ok((Timestamp::from_millis(millis), image))
}
