//! Results in the order in which they were taken.
//!
//! Words and facts stand in indexes by upload. So of a condition that is met by few all are looked
//! up and put in order; otherwise the images themselves are gone through, one's own in the index
//! that has them by when they were taken.

use std::collections::BTreeSet;

use model::{Image, ImageId, TimelineOrder, UserId};
use table::Key;

use super::candidates::Candidates;
use super::condition::Condition;
use super::conditions::Scope;
use super::position::{From, Position};
use super::stream::Place;
use super::truth::Truth;
use crate::schema::CONTAINER;
use crate::{Catalog, Result, keys};

impl Candidates {
    /// Decides by how many images meet each condition. These are about everything, whatever was
    /// shown before, since their order is another one.
    pub(super) async fn plan_by_taken(
        catalog: &Catalog,
        scope: &Scope<'_>,
        mut conditions: Vec<Condition>,
        from: &From,
    ) -> Result<Self> {
        if let Some(known) = Self::close(catalog, &mut conditions).await? {
            let places = places_of(catalog, scope.user, &known).await?;
            let rest = places.into_iter().filter(|place| from.covers(place)).collect();
            return Ok(Self::known(rest, from));
        }
        catalog.require_timeline(scope.user).await?;
        let partition = keys::user_partition(scope.user);
        let own = Place { index: CONTAINER, partition, prefix: keys::TAKEN.to_owned() };
        Ok(Self::skipping(vec![scope.sight_with(catalog, own, from).await?], from))
    }
}

/// Where some images stand that can be seen at all.
async fn places_of(
    catalog: &Catalog,
    user: UserId,
    known: &BTreeSet<Position>,
) -> Result<BTreeSet<Position>> {
    let ids = known.iter().map(Position::image).collect::<Result<Vec<ImageId>>>()?;
    let images = catalog.find_images(&ids).await?;
    Ok(images.iter().filter_map(|image| place_of(image, user)).collect())
}

/// Where an image stands for somebody. When those of others were taken is not told to everybody,
/// and the order must not tell either.
fn place_of(image: &Image, user: UserId) -> Option<Position> {
    let order = match image.owner == user {
        true => TimelineOrder::Taken,
        false => TimelineOrder::Uploaded,
    };
    Position::at_start_of(&keys::position(image.place_in_time(order)?, image.id))
}

/// Whether an image stands where an index has shown it. An own one that is shared, or in an album,
/// is shown by its upload, too.
pub(super) fn stands_there(truth: &Truth, user: UserId) -> bool {
    let place = truth.image.as_ref().and_then(|image| place_of(image, user));
    place.as_ref() == Some(&truth.position)
}

impl Catalog {
    /// Makes sure that every image of a user stands in the index by when it was taken.
    async fn require_timeline(&self, user: UserId) -> Result<()> {
        let ready: Key = keys::timeline_ready(user);
        if self.table.get(&ready).await?.is_some() {
            return Ok(());
        }
        self.prepare_timeline(user).await
    }
}
