//! Images that live elsewhere, such as stickers: everybody sees and tags them, and their first
//! recorder owns them. They have no bytes of ours and take nothing from a quota.

use catalog::{CreatedExternal, Edited, ExternalEdit};
use model::{
    AltText, Description, External, ExternalId, ExternalSource, Image, ImageId, Tag, Title,
    Visibility,
};

use crate::{Caller, Error, Result, Scope, Service};

/// An image that lives elsewhere.
#[derive(Clone, Debug)]
pub struct NewExternalImage {
    /// Which system.
    pub source: ExternalSource,
    /// Its lasting id there.
    pub unique_id: ExternalId,
    /// What that system needs to fetch it; may change.
    pub file_id: Option<ExternalId>,
    /// The set it belongs to there.
    pub set_name: Option<ExternalId>,
    /// The title.
    pub title: Option<Title>,
    /// The description.
    pub description: Option<Description>,
    /// The alternative text.
    pub alt_text: Option<AltText>,
    /// The recorder's public tags.
    pub tags: Vec<Tag>,
}

/// How recording an image ended.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordedImage {
    /// It is new.
    Created(Image),
    /// It was recorded before, and is as it was; but for where it lives, which its owner changes.
    Existing(Image),
}

impl Service {
    /// Records an image that lives elsewhere, once for each external id.
    ///
    /// # Errors
    /// [`Error::TooManyTags`], or [`Error::ExternalInTrash`] if its owner has thrown it away.
    pub async fn record_external_image(
        &self,
        caller: &Caller,
        new: &NewExternalImage,
    ) -> Result<RecordedImage> {
        caller.require(Scope::Write)?;
        let now = self.now();
        let mut image = Image::pending(ImageId::new(now, rand::random()), caller.user, now);
        image.visibility = Visibility::Shared;
        image.title.clone_from(&new.title);
        image.description.clone_from(&new.description);
        image.alt_text.clone_from(&new.alt_text);
        image.tags.clone_from(&new.tags);
        image.tags.sort();
        image.tags.dedup();
        image.external = Some(new.external());
        match self.catalog().create_external_image(&image).await? {
            CreatedExternal::Created(image) => Ok(RecordedImage::Created(image)),
            CreatedExternal::TooManyTags { max } => Err(Error::TooManyTags { max }),
            CreatedExternal::Existing(id) => self.record_again(caller, id, new).await,
        }
    }

    async fn record_again(
        &self,
        caller: &Caller,
        image: ImageId,
        new: &NewExternalImage,
    ) -> Result<RecordedImage> {
        let External { file_id, set_name, .. } = new.external();
        let edit = ExternalEdit { file_id, set_name };
        let now = self.now();
        let catalog = self.catalog();
        let found = match catalog.edit_external_image(image, caller.user, &edit, now).await? {
            Edited::Edited(image) | Edited::Conflict(image) => Some(image),
            Edited::NotOwner => catalog.find_image(image).await?,
            Edited::Missing => None,
        };
        let seen = found.and_then(|image| self.shown_to(caller, image));
        seen.map(RecordedImage::Existing).ok_or(Error::ExternalInTrash)
    }

    /// The image recorded for an external id.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn load_external_image(
        &self,
        caller: &Caller,
        source: &ExternalSource,
        unique_id: &ExternalId,
    ) -> Result<Image> {
        caller.require(Scope::Read)?;
        let (source, unique_id) = (source.as_str(), unique_id.as_str());
        let found = self.catalog().find_external_image(source, unique_id).await?;
        let seen = found.and_then(|image| self.shown_to(caller, image));
        seen.ok_or(Error::NotFound { what: "image" })
    }

    /// An image that lives elsewhere is everybody's to see: if it could be private, whoever
    /// recorded it first would keep it from all others.
    pub(super) async fn check_may_be_private(&self, caller: &Caller, image: ImageId) -> Result<()> {
        let found = self.catalog().find_image(image).await?;
        let own = found.filter(|image| image.owner == caller.user);
        match own.is_some_and(|image| image.external.is_some()) {
            true => Err(Error::invalid("visibility", "an external image is always shared")),
            false => Ok(()),
        }
    }
}

impl NewExternalImage {
    fn external(&self) -> External {
        External {
            source: self.source.to_string(),
            unique_id: self.unique_id.to_string(),
            file_id: self.file_id.as_ref().map(ToString::to_string),
            set_name: self.set_name.as_ref().map(ToString::to_string),
        }
    }
}
