//! Setting tags.

use catalog::{ImageTags, PageRequest, SetTags, TagEdit, TagScope};
use model::{ImageId, Tag};

use super::{Renamed, TagsOfImage, check_count};
use crate::{Caller, Error, Result, Scope, Service};

/// What became of the tags of one image among many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetTagsEnd {
    /// They are set.
    Set,
    /// There is no such image, or none that the caller may see.
    NotFound,
    /// They are more than allowed.
    TooMany {
        /// How many are allowed.
        max: usize,
    },
}

/// Images on which a tag is renamed by one request.
const RENAMED_AT_ONCE: usize = 200;

impl Service {
    /// The tags of an image that the caller may see.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such image.
    pub async fn load_tags(&self, caller: &Caller, image: ImageId) -> Result<TagsOfImage> {
        self.load_image(caller, image).await?;
        let catalog = self.catalog();
        Ok(TagsOfImage {
            mine: catalog.find_tags(image, caller.user).await?,
            everyone: catalog.find_public_tags(&[image]).await?.pop().unwrap_or_default(),
            favourite: catalog.is_favourite(image, caller.user).await?,
        })
    }

    /// Replaces the caller's tags on an image that they may see, in one step.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such image, [`Error::TooManyTags`].
    pub async fn set_tags(
        &self,
        caller: &Caller,
        image: ImageId,
        tags: &ImageTags,
    ) -> Result<TagsOfImage> {
        caller.require(Scope::Write)?;
        match self.set_tags_of(caller, image, tags).await? {
            SetTagsEnd::Set => {}
            SetTagsEnd::NotFound => return Err(Error::NotFound { what: "image" }),
            SetTagsEnd::TooMany { max } => return Err(Error::TooManyTags { max }),
        }
        let everyone = self.catalog().find_public_tags(&[image]).await?.pop().unwrap_or_default();
        let favourite = self.catalog().is_favourite(image, caller.user).await?;
        Ok(TagsOfImage { mine: tags.clone(), everyone, favourite })
    }

    /// The same for many images; each is done or not by itself.
    ///
    /// # Errors
    /// When there are too many images.
    pub async fn set_many_tags(
        &self,
        caller: &Caller,
        items: &[(ImageId, ImageTags)],
    ) -> Result<Vec<(ImageId, SetTagsEnd)>> {
        caller.require(Scope::Write)?;
        check_count("items", items.len())?;
        let mut ends = Vec::with_capacity(items.len());
        for (image, tags) in items {
            ends.push((*image, self.set_tags_of(caller, *image, tags).await?));
        }
        Ok(ends)
    }

    /// Seeing an image is what allows to tag it, whatever else the caller's key allows.
    async fn set_tags_of(
        &self,
        caller: &Caller,
        image: ImageId,
        tags: &ImageTags,
    ) -> Result<SetTagsEnd> {
        if self.find_seen(caller, &[image]).await?.is_empty() {
            return Ok(SetTagsEnd::NotFound);
        }
        Ok(match self.catalog().set_tags(image, caller.user, tags, self.now()).await? {
            SetTags::Set => SetTagsEnd::Set,
            SetTags::NoImage => SetTagsEnd::NotFound,
            SetTags::TooMany { max } | SetTags::ImageFull { max } => SetTagsEnd::TooMany { max },
        })
    }

    /// Renames a tag of the caller's on all images, or merges it into another one; each image is
    /// changed in one step. Some hundred images at a time: ask again while there are more.
    ///
    /// # Errors
    /// When the caller's key does not allow it.
    pub async fn rename_tag(&self, caller: &Caller, from: &Tag, to: &Tag) -> Result<Renamed> {
        caller.require(Scope::Write)?;
        let mut renamed = Renamed { changed: 0, refused: 0, more: false };
        if from == to {
            return Ok(renamed);
        }
        let mine = TagScope::Author(caller.user);
        let mut page = PageRequest::first(100);
        while renamed.changed < RENAMED_AT_ONCE {
            let hits = self.catalog().list_images_by_tag(mine, from, &page).await?;
            for hit in &hits.entries {
                let edit = TagEdit::Rename { from, to };
                let id = hit.image.id;
                match self.catalog().edit_tags(id, caller.user, edit, self.now()).await? {
                    SetTags::Set => renamed.changed += 1,
                    SetTags::NoImage => {}
                    SetTags::TooMany { .. } | SetTags::ImageFull { .. } => renamed.refused += 1,
                }
            }
            page.cursor = hits.next;
            if page.cursor.is_none() {
                return Ok(renamed);
            }
        }
        renamed.more = true;
        Ok(renamed)
    }
}
