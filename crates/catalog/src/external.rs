//! Images that live elsewhere.

use model::limits::TAGS_BY_OWNER_MAX;
use model::{Image, ImageId, ImageStatus, Tag, Timestamp, UserId};
use table::{Action, Condition, Transacted};

use crate::edit::{Edited, Owned};
use crate::entries::Swap;
use crate::images::{change, image_row, record_update};
use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Error, ImageTags, Result, TagVisibility, changes, keys, terms, timeline};

/// How recording an external image ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum CreatedExternal {
    /// It is recorded.
    Created(Image),
    /// It was recorded before, as this image.
    Existing(ImageId),
    /// It comes with more tags than its owner may set.
    TooManyTags {
        /// How many are allowed.
        max: usize,
    },
}

/// What to change of where an image lives. `None` leaves as it is.
#[derive(Clone, Debug, Default)]
pub struct ExternalEdit {
    /// What the other system needs to fetch it.
    pub file_id: Option<String>,
    /// The set it belongs to there.
    pub set_name: Option<String>,
}

impl Catalog {
    /// Records an image that lives elsewhere, once for each external id.
    ///
    /// # Errors
    /// [`Error::BadRow`] if the image says nothing about where it lives.
    pub async fn create_external_image(&self, image: &Image) -> Result<CreatedExternal> {
        until_settled!(self.try_create_external(image).await)
    }

    async fn try_create_external(&self, image: &Image) -> Result<Attempt<CreatedExternal>> {
        let Some(external) = &image.external else {
            let message = "an external image must say where it lives";
            return Err(Error::bad_row(&keys::image(image.id), message));
        };
        if image.tags.len() > TAGS_BY_OWNER_MAX {
            let max = TAGS_BY_OWNER_MAX;
            return Ok(Attempt::Settled(CreatedExternal::TooManyTags { max }));
        }
        let mut image = image.clone();
        image.status = ImageStatus::Completed;
        image.uploaded_at = Some(image.created_at);
        let pointer = table::Item::new(keys::external(&external.source, &external.unique_id))
            .with("image", image.id.to_string());
        let entity = model::Entity::Image(image.id);
        let created = model::ChangeKind::Created;
        let version = Some(image.version);

        let mut swap = Swap::default();
        swap.guard(Action::put(pointer).when(Condition::Absent));
        swap.guard(Action::put(image_row(&image)?).when(Condition::Absent));
        swap.guard(changes::record(image.created_at, created, entity, image.owner, version)?);
        timeline::counted(None, &image).into_iter().for_each(|action| swap.guard(action));
        terms::add_terms(&mut swap, &image);
        let public = |tag: &Tag| (tag.clone(), TagVisibility::Public);
        let tags = ImageTags(image.tags.iter().map(public).collect());
        let _ = self.exchange_tags(&mut swap, image.owner, &tags, &image, &image).await?;
        self.open_feed_month(image.created_at).await?;
        match swap.run(&*self.table).await? {
            Transacted::Done => Ok(Attempt::Settled(CreatedExternal::Created(image))),
            refused => match refused.refusal(0) {
                Some(refusal) => existing(refusal.found.as_ref()),
                None => Ok(Attempt::Raced),
            },
        }
    }

    /// Changes where an image of `owner` lives, which other systems do from time to time.
    pub async fn edit_external_image(
        &self,
        image: ImageId,
        owner: UserId,
        edit: &ExternalEdit,
        now: Timestamp,
    ) -> Result<Edited<Image>> {
        until_settled!(self.try_edit_external(image, owner, edit, now).await)
    }

    async fn try_edit_external(
        &self,
        image: ImageId,
        owner: UserId,
        edit: &ExternalEdit,
        now: Timestamp,
    ) -> Result<Attempt<Edited<Image>>> {
        let before = match Image::admit(self.find_image(image).await?, owner, None) {
            Ok(image) => image,
            Err(end) => return Ok(Attempt::Settled(end)),
        };
        let mut after = before.clone();
        if let Some(external) = &mut after.external {
            external.file_id = edit.file_id.clone().or(external.file_id.take());
            external.set_name = edit.set_name.clone().or(external.set_name.take());
        }
        if after == before {
            return Ok(Attempt::Settled(Edited::Edited(before)));
        }
        let actions = vec![change(&before, &mut after, now)?, record_update(&after, now)?];
        let outcome = self.table.transact(actions).await?;
        Ok(match outcome.is_done() {
            true => Attempt::Settled(Edited::Edited(after)),
            false => Attempt::Raced,
        })
    }

    /// The image recorded for an external id.
    pub async fn find_external_image(
        &self,
        source: &str,
        unique_id: &str,
    ) -> Result<Option<Image>> {
        let Some(pointer) = self.table.get(&keys::external(source, unique_id)).await? else {
            return Ok(None);
        };
        let id = pointer.str("image").unwrap_or_default();
        let id = id.parse().map_err(|error| Error::bad_row(&pointer.key, error))?;
        self.find_image(id).await
    }
}

fn existing(pointer: Option<&table::Item>) -> Result<Attempt<CreatedExternal>> {
    let Some(pointer) = pointer else { return Ok(Attempt::Raced) };
    let id = pointer.str("image").unwrap_or_default();
    let id = id.parse().map_err(|error| Error::bad_row(&pointer.key, error))?;
    Ok(Attempt::Settled(CreatedExternal::Existing(id)))
}
