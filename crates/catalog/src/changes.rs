//! The change feed: what happened, in order, from a cursor on.

use std::time::Duration;

use model::{Change, ChangeKind, Entity, Timestamp, UserId};
use table::{Action, Direction, Item, Key, TTL};

use crate::sharded::{Bucket, read_bucket};
use crate::{Catalog, Error, Result, keys, row};

/// How long changes are kept. Whoever was away longer starts from the lists.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Where a follower stands in the change feed; ordered as the changes are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeCursor(String);

impl ChangeCursor {
    /// A cursor from its text.
    ///
    /// # Errors
    /// [`Error::BadCursor`] if it cannot be one.
    pub fn from_text(text: &str) -> Result<Self> {
        let cursor = Self(text.replace('_', "#"));
        cursor.at().map(|_| cursor)
    }

    /// The cursor behind everything that happened up to this moment.
    pub fn after_all_at(at: Timestamp) -> Self {
        Self(format!("{at}#{:016x}", u64::MAX))
    }

    /// The cursor behind the change of a row.
    pub(crate) fn at_row(row: &Item) -> Self {
        Self(row.key.sk.clone())
    }

    /// The cursor as URL-safe text.
    pub fn to_text(&self) -> String {
        self.0.replace('#', "_")
    }

    fn at(&self) -> Result<Timestamp> {
        let (at, random) = self.0.split_once('#').ok_or(Error::BadCursor)?;
        let is_hex = random.len() == 16 && random.bytes().all(|b| b.is_ascii_hexdigit());
        let at: Timestamp = at.parse().map_err(|_| Error::BadCursor)?;
        // Only the spelling that is stored sorts right.
        if is_hex && self.0.starts_with(&at.to_string()) { Ok(at) } else { Err(Error::BadCursor) }
    }
}

impl Catalog {
    /// Changes after a cursor, oldest first, each with the cursor that stands behind it.
    ///
    /// Writers on several machines may commit in another order than their clocks say, so
    /// only what happened before `settled` is told; a follower that asks for what is older
    /// than the longest possible write misses nothing.
    ///
    /// # Errors
    /// [`Error::BadCursor`] if the cursor is older than what is kept: something may have
    /// been missed, and the follower must start from the lists.
    pub async fn list_changes(
        &self,
        after: Option<&ChangeCursor>,
        settled: Timestamp,
        limit: usize,
    ) -> Result<Vec<(ChangeCursor, Change)>> {
        let rows = self.read_changes(after, settled, limit).await?;
        let changes = rows.into_iter().map(|row| {
            let change = row::entity_of(&row)?;
            Ok((ChangeCursor::at_row(&row), change))
        });
        changes.collect()
    }

    /// The rows of these changes.
    pub(crate) async fn read_changes(
        &self,
        after: Option<&ChangeCursor>,
        settled: Timestamp,
        limit: usize,
    ) -> Result<Vec<Item>> {
        let oldest_kept = settled.before(KEPT);
        let from = match after.map(ChangeCursor::at).transpose()? {
            Some(at) if at < oldest_kept => return Err(Error::BadCursor),
            Some(at) => at,
            None => oldest_kept,
        };
        let end = ChangeCursor::after_all_at(settled);
        let mut changes = Vec::new();
        let mut day = from;
        while keys::day_of(day) <= keys::day_of(settled) && changes.len() < limit {
            let bucket = Bucket {
                index: None,
                partitions: (0..keys::SHARDS)
                    .map(|n| keys::changes(&keys::day_of(day), n))
                    .collect(),
                direction: Direction::Ascending,
                sort: |item: &Item| Some(item.key.sk.clone()),
            };
            let after = after.map(|cursor| cursor.0.as_str());
            let rows = read_bucket(&*self.table, &bucket, after, limit - changes.len()).await?;
            for item in rows {
                if item.key.sk > end.0 {
                    return Ok(changes);
                }
                changes.push(item);
            }
            day = day.after(DAY);
        }
        Ok(changes)
    }
}

/// The row that tells followers of a change; part of the change's own transaction.
pub(crate) fn record(
    at: Timestamp,
    kind: ChangeKind,
    entity: Entity,
    owner: UserId,
    version: Option<i64>,
) -> Result<Action> {
    Ok(Action::put(change_row(&Change { at, kind, entity, owner, version })?))
}

fn change_row(change: &Change) -> Result<Item> {
    let at = change.at;
    let random: u64 = rand::random();
    let shard = u8::try_from(random % u64::from(keys::SHARDS)).unwrap_or(0);
    let key = Key::new(keys::changes(&keys::day_of(at), shard), format!("{at}#{random:016x}"));
    let attributes = row::attributes_of(&key, change)?;
    Ok(Item::of(key, attributes).with(TTL, at.after(KEPT).as_seconds()))
}
