//! All images of a caller in the order of time, and some of them at a time.

use std::collections::HashSet;
use std::sync::Arc;

use catalog::{Timeline, TimelineMonth};
use model::{Image, ImageId, Month, TimelineOrder, UserId};
use quick_cache::sync::Cache;
use tokio::sync::Mutex;

use crate::{Caller, Error, Result, Scope, Service};

/// Timelines that are kept in memory: about a byte for each image.
const KEPT_MAX: usize = 64;
/// Images asked for at once.
const CHUNK_MAX: usize = 256;
/// How often images are asked for anew that do not fit what is known of their month.
const TRIES: usize = 3;

/// What is known of timelines. Only one at a time finds out what has changed of each.
pub(crate) struct KeptTimelines(Cache<(UserId, TimelineOrder), Slot>);

type Slot = Arc<Mutex<Option<Arc<Timeline>>>>;

impl KeptTimelines {
    pub(crate) fn new() -> Self {
        Self(Cache::new(KEPT_MAX))
    }

    fn slot(&self, user: UserId, order: TimelineOrder) -> Slot {
        let made = self.0.get_or_insert_with(&(user, order), || {
            Ok::<Slot, std::convert::Infallible>(Slot::default())
        });
        made.unwrap_or_default()
    }
}

/// Some images of a month.
#[derive(Clone, Debug)]
pub struct TimelineChunk {
    /// The state of the month that they belong to; none if they fit no state, because images come
    /// and go faster than they are read.
    pub tag: Option<u64>,
    /// The images, newest first.
    pub images: Vec<Image>,
    /// Which of them are the caller's favourites.
    pub favourites: HashSet<ImageId>,
}

impl Service {
    /// How many of the caller's images stand in which hour, and their shapes.
    ///
    /// # Errors
    /// When the caller's key does not allow it.
    pub async fn load_timeline(
        &self,
        caller: &Caller,
        order: TimelineOrder,
    ) -> Result<Arc<Timeline>> {
        caller.require(Scope::Read)?;
        let (service, user) = (self.clone(), caller.user);
        // What was read for somebody who does not wait any longer is of use to who comes next.
        let loading = async move { service.current_timeline(user, order).await };
        tokio::spawn(loading).await.map_err(Error::internal)?
    }

    async fn current_timeline(&self, user: UserId, order: TimelineOrder) -> Result<Arc<Timeline>> {
        let slot = self.timelines().slot(user, order);
        let mut known = slot.lock().await;
        let found = self.catalog().load_timeline(user, order, known.as_ref()).await?;
        let timeline = match found {
            Some(timeline) => timeline,
            None => {
                self.catalog().prepare_timeline(user).await?;
                let found = self.catalog().load_timeline(user, order, None).await?;
                found.ok_or_else(|| Error::internal("a timeline that was prepared is not there"))?
            }
        };
        *known = Some(Arc::clone(&timeline));
        Ok(timeline)
    }

    /// Some of the caller's images of a month, from the `offset`th on, newest first.
    ///
    /// # Errors
    /// When there are too many at once.
    pub async fn load_timeline_chunk(
        &self,
        caller: &Caller,
        order: TimelineOrder,
        month: Month,
        offset: usize,
        count: usize,
    ) -> Result<TimelineChunk> {
        if !(1..=CHUNK_MAX).contains(&count) {
            let message = format!("from 1 to {CHUNK_MAX} at once, not {count}");
            return Err(Error::invalid("count", message));
        }
        let (mut tag, mut images) = (None, Vec::new());
        for _ in 0..TRIES {
            let timeline = self.load_timeline(caller, order).await?;
            let Some(known) = timeline.month(month) else { break };
            let found = self.catalog();
            images = found.list_timeline_images(caller.user, order, known, offset, count).await?;
            if fits(known, offset, count, &images) {
                tag = Some(known.tag());
                break;
            }
        }
        let ids: Vec<ImageId> = images.iter().map(|image| image.id).collect();
        let favourites = self.catalog().find_favourites(caller.user, &ids).await?;
        Ok(TimelineChunk { tag, images, favourites })
    }
}

/// Whether these are the images that a month has there, as far as shapes tell.
fn fits(month: &TimelineMonth, offset: usize, count: usize, images: &[Image]) -> bool {
    let shapes = month.hours.iter().flat_map(|hour| &hour.shapes);
    let found = images.iter().map(|image| image.shape().byte());
    shapes.skip(offset).take(count).copied().eq(found)
}
