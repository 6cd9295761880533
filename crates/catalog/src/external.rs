//! Images that live elsewhere.

use model::limits::TAGS_BY_OWNER_MAX;
use model::{Image, ImageId, ImageStatus, Tag};
use table::{Action, Condition, Transacted};

use crate::entries::Swap;
use crate::images::image_row;
use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Error, ImageTags, Result, TagVisibility, changes, keys, terms};

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
        terms::exchange_terms(&mut swap, None, &image);
        let public = |tag: &Tag| (tag.clone(), TagVisibility::Public);
        let tags = ImageTags(image.tags.iter().map(public).collect());
        let _ = self.exchange_tags(&mut swap, image.id, image.owner, &tags).await?;
        self.open_feed_month(image.created_at).await?;
        match swap.run(&*self.table).await? {
            Transacted::Done => Ok(Attempt::Settled(CreatedExternal::Created(image))),
            refused => match refused.refusal(0) {
                Some(refusal) => existing(refusal.found.as_ref()),
                None => Ok(Attempt::Raced),
            },
        }
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
