//! A month from what the index shows, as far as it has changed.

use std::collections::BTreeMap;
use std::time::Duration;

use model::{ImageId, Month, Shape, TimelineOrder, Timestamp, UserId};
use serde::Deserialize;
use table::{Item, QUERY_LIMIT_MAX, Query};

use super::TimelineMonth;
use super::hour::{Hour, hour_of, start_of};
use super::sums::{Spot, Sums};
use crate::entries::image_of;
use crate::schema::{CONTAINER, OWNER};
use crate::{Catalog, Error, Result, keys, row};

/// How often an index is asked that does not show what was counted, and the first pause; each is
/// four times as long as the one before.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(4);

impl Catalog {
    /// A month as it is now. What was made of it before is used again, hour by hour.
    pub(super) async fn build_month(
        &self,
        user: UserId,
        order: TimelineOrder,
        month: Month,
        before: Option<&TimelineMonth>,
    ) -> Result<TimelineMonth> {
        let mut pause = PAUSE;
        let mut tried = 0;
        loop {
            let counted = self.counted_hours(user, order, month).await?;
            let (made, read) = self.try_build(user, order, month, before, &counted).await?;
            let unsaved = before.map_or(0, |before| before.unsaved).saturating_add(read);
            let wrong = differences(&counted, &made);
            tried += 1;
            if wrong.is_empty() || tried == TRIES {
                self.repair_hours(user, order, &wrong).await?;
                return Ok(TimelineMonth::of(month, made.into_values().collect(), unsaved));
            }
            // Somebody has changed it meanwhile, or the index lags behind.
            tokio::time::sleep(pause).await;
            pause *= 4;
        }
    }

    /// What is counted of each hour of a month.
    async fn counted_hours(
        &self,
        user: UserId,
        order: TimelineOrder,
        month: Month,
    ) -> Result<BTreeMap<i32, Sums>> {
        let partition = keys::timeline_hours(user, month);
        let rows = self.load_partition(Query::partition(partition).prefix(keys::HOURS)).await?;
        let counted = rows.iter().filter_map(|row| {
            let at = keys::start_of_hour(month, &row.key.sk)?;
            Some((hour_of(at), Sums::of_row(row, order)))
        });
        Ok(counted.filter(|(_, sums)| !sums.is_zero()).collect())
    }

    /// All hours, and how many images were read for them.
    async fn try_build(
        &self,
        user: UserId,
        order: TimelineOrder,
        month: Month,
        before: Option<&TimelineMonth>,
        counted: &BTreeMap<i32, Sums>,
    ) -> Result<(BTreeMap<i32, Hour>, usize)> {
        let (mut made, mut changed) = (BTreeMap::new(), Vec::new());
        for (hour, sums) in counted {
            let same = before.and_then(|before| before.hour(*hour));
            match same.filter(|same| same.sums() == *sums) {
                Some(same) => drop(made.insert(*hour, same.clone())),
                None => changed.push((*hour, sums.count)),
            }
        }
        let all: i64 = counted.values().map(|sums| sums.count).sum();
        let others: i64 = changed.iter().map(|(_, count)| *count).sum();
        let mut read = 0;
        // Many hours one by one take longer than the whole month at once.
        if others.saturating_mul(2) >= all {
            let spots = self.read_spots(user, order, &month.to_string()).await?;
            read = spots.len();
            made = spots
                .chunk_by(|one, next| hour_of(one.at) == hour_of(next.at))
                .filter_map(|spots| spots.first().map(|first| (hour_of(first.at), spots)))
                .map(|(hour, spots)| (hour, Hour::of(hour, spots)))
                .collect();
        } else {
            for (hour, _) in changed {
                let prefix = keys::hour_text(start_of(hour));
                let spots = self.read_spots(user, order, &prefix).await?;
                read += spots.len();
                made.insert(hour, Hour::of(hour, &spots));
            }
        }
        Ok((made, read))
    }

    /// Where images stand whose moments begin with this text, newest first.
    async fn read_spots(
        &self,
        user: UserId,
        order: TimelineOrder,
        prefix: &str,
    ) -> Result<Vec<Spot>> {
        let query = timeline_query(user, order).prefix(place_prefix(order, prefix)).descending();
        let (mut spots, mut start) = (Vec::new(), None);
        loop {
            let query = query.clone().limit(QUERY_LIMIT_MAX).start(start);
            let page = self.table.query(&query).await?;
            for item in &page.items {
                spots.extend(spot_of(item, order)?);
            }
            start = page.next;
            if start.is_none() {
                return Ok(spots);
            }
        }
    }
}

/// Hours that the index shows otherwise than they are counted: as counted, and as shown.
fn differences(counted: &BTreeMap<i32, Sums>, made: &BTreeMap<i32, Hour>) -> Vec<Difference> {
    let hours = counted.keys().chain(made.keys().filter(|hour| !counted.contains_key(*hour)));
    let difference = |hour: &i32| Difference {
        hour: *hour,
        counted: counted.get(hour).copied().unwrap_or_default(),
        shown: made.get(hour).map(Hour::sums).unwrap_or_default(),
    };
    hours.map(difference).filter(|found| found.counted != found.shown).collect()
}

/// An hour of which the index shows something else than was counted.
pub(super) struct Difference {
    pub(super) hour: i32,
    pub(super) counted: Sums,
    pub(super) shown: Sums,
}

/// The images of a user in an order, in the index that has it.
pub(super) fn timeline_query(user: UserId, order: TimelineOrder) -> Query {
    let index = match order {
        TimelineOrder::Uploaded => OWNER,
        TimelineOrder::Taken => CONTAINER,
    };
    Query::index(index, keys::user_partition(user))
}

pub(super) fn place_prefix(order: TimelineOrder, time: &str) -> String {
    let prefix = match order {
        TimelineOrder::Uploaded => keys::UPLOADED,
        TimelineOrder::Taken => keys::TAKEN,
    };
    format!("{prefix}{time}")
}

/// The little of an image that a timeline needs.
#[derive(Deserialize)]
struct Placed {
    #[serde(rename = "GSI1SK")]
    uploaded: Option<String>,
    #[serde(rename = "GSI2SK")]
    taken: Option<String>,
    facts: Option<Sides>,
    ttl: Option<i64>,
}

#[derive(Deserialize)]
struct Sides {
    width: u32,
    height: u32,
}

/// Where a row stands; nothing, if it is no part of a timeline.
fn spot_of(item: &Item, order: TimelineOrder) -> Result<Option<Spot>> {
    let placed: Placed = row::entity_of(item)?;
    let place = match order {
        TimelineOrder::Uploaded => placed.uploaded,
        TimelineOrder::Taken => placed.taken,
    };
    if placed.ttl.is_some() {
        return Ok(None);
    }
    let image: ImageId = image_of(&item.key)?;
    let at = place.as_deref().and_then(time_of);
    let at = at.ok_or_else(|| Error::bad_row(&item.key, "it has no time in its place"))?;
    let shape = placed.facts.map_or(Shape::UNKNOWN, |sides| Shape::of(sides.width, sides.height));
    Ok(Some(Spot { at, image, shape }))
}

/// The time in a place such as `UPLOADED#<time>#<image>`.
fn time_of(place: &str) -> Option<Timestamp> {
    place.split('#').nth(1)?.parse().ok()
}
