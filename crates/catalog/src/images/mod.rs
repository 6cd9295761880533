//! Images, from reservation to removal.

mod edit;
mod list;
mod load;
mod process;
mod purge;
mod resume;
mod trash;
mod unread;
mod upload;

use model::{
    ChangeKind, Entity, Image, ImageId, ImageStatus, TimelineOrder, Timestamp, UserId, Visibility,
};
use table::{Action, Attributes, Condition, Item};

pub use edit::{EditedImage, ImageEdit};
pub use process::{Finished, Processed, Retried};
pub use purge::Begun;
pub use resume::{Appended, UploadPart, UploadParts};
pub use unread::UnreadImage;
pub use upload::{Committed, Received, Released, Reservation, Reserved, Restated};

use crate::gone_words::Left;
use crate::schema::{CONTAINER_PK, CONTAINER_SK, GLOBAL_PK, GLOBAL_SK, OWNER_PK, OWNER_SK};
use crate::{Result, changes, keys, row};

/// The whole row of an image: what it is, and where the indexes show it.
pub(crate) fn image_row(image: &Image) -> Result<Item> {
    let key = keys::image(image.id);
    let mut attributes = row::attributes_of(&key, image)?;
    attributes.extend(Standing::of(image).places());
    Ok(Item::of(key, attributes))
}

/// All that decides where the indexes show an image.
#[derive(PartialEq)]
struct Standing {
    id: ImageId,
    owner: UserId,
    uploaded_at: Option<Timestamp>,
    trashed_at: Option<Timestamp>,
    is_in_feed: bool,
    taken_at: Option<Timestamp>,
}

impl Standing {
    fn of(image: &Image) -> Self {
        Self {
            id: image.id,
            owner: image.owner,
            uploaded_at: image.uploaded_at.filter(|_| image.purging_since.is_none()),
            trashed_at: image.trashed_at,
            is_in_feed: is_in_feed(image),
            taken_at: image.moment(TimelineOrder::Taken),
        }
    }

    /// Where the indexes show it.
    fn places(&self) -> Attributes {
        let mut places = Attributes::new();
        let Some(uploaded_at) = self.uploaded_at else { return places };
        let place = match self.trashed_at {
            Some(trashed_at) => keys::trashed(trashed_at, self.id),
            None => keys::uploaded(uploaded_at, self.id),
        };
        places.insert(OWNER_PK.into(), keys::user_partition(self.owner).into());
        places.insert(OWNER_SK.into(), place.into());
        if self.is_in_feed {
            let feed = keys::feed(&keys::month_of(uploaded_at), keys::shard_of(&self.id));
            places.insert(GLOBAL_PK.into(), feed.into());
            places.insert(GLOBAL_SK.into(), keys::uploaded(uploaded_at, self.id).into());
        }
        places.extend(self.taken_place());
        places
    }

    fn taken_place(&self) -> Attributes {
        let mut place = Attributes::new();
        if let Some(at) = self.taken_at {
            place.insert(CONTAINER_PK.into(), keys::user_partition(self.owner).into());
            place.insert(CONTAINER_SK.into(), keys::taken(at, self.id).into());
        }
        place
    }
}

/// Where an image stands among its owner's by when it was taken.
pub(crate) fn taken_place(image: &Image) -> Attributes {
    Standing::of(image).taken_place()
}

fn is_in_feed(image: &Image) -> bool {
    image.visibility == Visibility::Shared
        && image.status == ImageStatus::Completed
        && image.trashed_at.is_none()
}

/// The update that turns an image into another, provided nobody changed it meanwhile.
/// Gives the new one its version.
pub(crate) fn change(before: &Image, after: &mut Image, now: Timestamp) -> Result<Action> {
    after.version = before.version + 1;
    after.updated_at = now;
    let mut action = row::change(&keys::image(before.id), before, after)?;
    let (old, new) = (Standing::of(before), Standing::of(after));
    if old != new {
        action = row::exchange(action, &old.places(), &new.places());
    }
    Ok(action.when(Condition::version(before.version)))
}

/// Checks that something may still be attached to an image.
pub(crate) fn attach(image: ImageId) -> Action {
    Action::check(keys::image(image))
        .when(Condition::Present)
        .when(Condition::Lacks("purgingSince".to_owned()))
}

/// Checks that an image is shared with the same users as it was.
pub(crate) fn visibility_is(visibility: Visibility) -> Result<Condition> {
    let json = serde_json::to_value(visibility).map_err(table::Error::invalid)?;
    Ok(Condition::equals(VISIBILITY, json.as_str().unwrap_or_default()))
}

const VISIBILITY: &str = "visibility";

pub(crate) fn record_update(image: &Image, now: Timestamp) -> Result<Action> {
    record(image, ChangeKind::Updated, now)
}

/// The same, of an update that has left something to be taken out later.
fn record_update_leaving(left: Left, image: &Image, now: Timestamp) -> Result<Action> {
    Ok(left.noted_in(record_update(image, now)?))
}

fn record(image: &Image, kind: ChangeKind, now: Timestamp) -> Result<Action> {
    let version = (kind != ChangeKind::Deleted).then_some(image.version);
    changes::record(now, kind, Entity::Image(image.id), image.owner, version)
}
