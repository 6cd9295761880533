//! Timelines of libraries that are older than timelines are.

use std::collections::BTreeMap;

use model::{Image, ImageId, TimelineOrder, UserId};
use table::{Action, Condition, Item, QUERY_LIMIT_MAX, Query, TableExt};

use super::hour::hour_of;
use super::sums::{Counts, Spot};
use crate::retry::{Attempt, until_settled};
use crate::schema::{CONTAINER_SK, OWNER};
use crate::{Catalog, Result, images, keys, row};

impl Catalog {
    /// Makes sure that every image of a user has its places, and that all hours are counted. Has
    /// nothing to do but once for each user, and may be repeated or cut short.
    pub async fn prepare_timeline(&self, user: UserId) -> Result<()> {
        let query = Query::index(OWNER, keys::user_partition(user)).prefix(keys::UPLOADED);
        let mut hours: BTreeMap<i32, Counts> = BTreeMap::new();
        let mut start = None;
        loop {
            let query = query.clone().limit(QUERY_LIMIT_MAX).start(start);
            let page = self.table.query(&query).await?;
            for item in &page.items {
                let image: Image = row::entity_of(item)?;
                self.place(item, &image).await?;
                for order in TimelineOrder::ALL {
                    if let Some(spot) = Spot::of(&image, order) {
                        let counts = hours.entry(hour_of(spot.at)).or_default();
                        counts.add(user, order, spot.at, spot.sums());
                    }
                }
            }
            start = page.next;
            if start.is_none() {
                break;
            }
        }
        for counts in hours.into_values() {
            // What somebody has begun to count is completed when it is found to be wrong.
            let when_new = |action: Action| match keys::is_hour(action.key()) {
                true => action.when(Condition::Absent),
                false => action,
            };
            let actions = counts.actions().into_iter().map(when_new).collect();
            let _ = self.table.transact(actions).await?;
        }
        Ok(self.table.put(Item::new(keys::timeline_ready(user))).await?)
    }

    /// Gives an image its place by when it was taken, if it has none.
    async fn place(&self, item: &Item, image: &Image) -> Result<()> {
        if item.str(CONTAINER_SK).is_some() || image.moment(TimelineOrder::Taken).is_none() {
            return Ok(());
        }
        until_settled!(self.try_place(image.id).await)
    }

    async fn try_place(&self, image: ImageId) -> Result<Attempt<()>> {
        let Some(image) = self.find_image(image).await? else { return Ok(Attempt::Settled(())) };
        let key = keys::image(image.id);
        let places = images::taken_place(&image);
        if places.is_empty() {
            return Ok(Attempt::Settled(()));
        }
        let update = Action::update(key).when(Condition::version(image.version));
        let update =
            places.into_iter().fold(update, |update, (name, value)| update.set(name, value));
        let done = self.table.transact(vec![update]).await?.is_done();
        Ok(if done { Attempt::Settled(()) } else { Attempt::Raced })
    }
}
