//! Changing what the owner says about an image.

use catalog::{EditedImage, ImageEdit, Stamped};
use model::{AltText, Description, Image, ImageId, Rating, Tag, TakenAt, Title, Visibility};

use super::trash::ended;
use crate::{Caller, Error, Result, Scope, Service};

/// What to change of an image. `None` leaves as it is; `Some(None)` takes away.
#[derive(Clone, Debug, Default)]
pub struct EditImage {
    /// The title.
    pub title: Option<Option<Title>>,
    /// The description.
    pub description: Option<Option<Description>>,
    /// The alternative text.
    pub alt_text: Option<Option<AltText>>,
    /// The owner's public tags, all of them.
    pub tags: Option<Vec<Tag>>,
    /// Who may see it.
    pub visibility: Option<Visibility>,
    /// How much its owner likes it.
    pub rating: Option<Option<Rating>>,
    /// When it was taken; nothing goes back to what the file says.
    pub taken: Option<Option<TakenAt>>,
}

impl Service {
    /// Changes an image. With a version, only if it still has that one.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such image, [`Error::Conflict`] if it was changed
    /// meanwhile.
    pub async fn edit_image(
        &self,
        caller: &Caller,
        image: ImageId,
        version: Option<i64>,
        edit: EditImage,
    ) -> Result<Stamped<Image>> {
        caller.require(Scope::Write)?;
        if edit.visibility == Some(Visibility::Private) {
            self.check_may_be_private(caller, image).await?;
        }
        if let Some(taken) = edit.taken.flatten() {
            self.check_taken(taken)?;
        }
        let EditImage { title, description, alt_text, tags, visibility, rating, taken } = edit;
        let edit = ImageEdit { title, description, alt_text, tags, visibility, rating, taken };
        let now = self.now();
        match self.catalog().edit_image(image, caller.user, version, &edit, now).await? {
            EditedImage::Written(written) => Ok(written),
            EditedImage::Ended(edited) => Ok(Stamped { value: ended(edited)?, stamp: None }),
            EditedImage::TooManyTags { max } => Err(Error::TooManyTags { max }),
        }
    }
}
