//! Some images of a month, by where they stand in it.

use model::{Image, TimelineOrder, UserId};
use table::{QUERY_LIMIT_MAX, SortRange};

use super::TimelineMonth;
use super::build::{place_prefix, timeline_query};
use super::hour::{MARKED, start_of};
use crate::{Catalog, Result, keys, row};

impl Catalog {
    /// Images of a month from the `offset`th on, newest first, as the index shows them now. What
    /// is known of the month says where to begin.
    pub async fn list_timeline_images(
        &self,
        user: UserId,
        order: TimelineOrder,
        month: &TimelineMonth,
        offset: usize,
        count: usize,
    ) -> Result<Vec<Image>> {
        let Some((place, skipped)) = place_before(month, order, offset) else {
            return Ok(Vec::new());
        };
        let first = place_prefix(order, &month.month.to_string());
        let range = SortRange::Between(first.into(), place.into());
        let query = timeline_query(user, order).range(range).descending();
        let wanted = skipped.saturating_add(count);
        let (mut images, mut start) = (Vec::new(), None);
        loop {
            let missing = wanted.saturating_sub(images.len()).clamp(1, QUERY_LIMIT_MAX);
            let page = self.table.query(&query.clone().limit(missing).start(start)).await?;
            for item in &page.items {
                let image: Image = row::entity_of(item)?;
                images.extend(Some(image).filter(|image| image.moment(order).is_some()));
            }
            start = page.next;
            if start.is_none() || images.len() >= wanted {
                return Ok(images.into_iter().skip(skipped).take(count).collect());
            }
        }
    }
}

/// A place at or before the `offset`th image of a month, and how many images are between.
fn place_before(
    month: &TimelineMonth,
    order: TimelineOrder,
    mut offset: usize,
) -> Option<(String, usize)> {
    for hour in &month.hours {
        if offset >= hour.count() {
            offset -= hour.count();
            continue;
        }
        let mark = (offset / MARKED).checked_sub(1).and_then(|mark| hour.marks.get(mark));
        return Some(match mark {
            Some((at, image)) => {
                let place = place_prefix(order, &keys::position(*at, *image));
                (place, offset % MARKED)
            }
            // Behind everything of this hour.
            None => {
                (place_prefix(order, &format!("{}~", keys::hour_text(start_of(hour.hour)))), offset)
            }
        });
    }
    None
}
