//! Changing what the owner wrote about an image, and who may see it.

use model::limits::PUBLIC_TAGS_MAX;
use model::{
    AltText, Description, Image, ImageId, Rating, Tag, TakenAt, Timestamp, Title, UserId,
    Visibility,
};
use table::Transacted;

use super::{change, is_in_feed, record_update_leaving};
use crate::edit::{Edited, Owned};
use crate::entries::Swap;
use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Result, Stamp, Stamped, TagVisibility, tags, terms, timeline};

/// What to change of an image. `None` leaves as it is; `Some(None)` takes away.
#[derive(Clone, Debug, Default)]
pub struct ImageEdit {
    /// The title.
    pub title: Option<Option<Title>>,
    /// The description.
    pub description: Option<Option<Description>>,
    /// The alternative text.
    pub alt_text: Option<Option<AltText>>,
    /// The owner's public tags.
    pub tags: Option<Vec<Tag>>,
    /// Who may see it.
    pub visibility: Option<Visibility>,
    /// How much its owner likes it.
    pub rating: Option<Option<Rating>>,
    /// When it was taken, as its owner says.
    pub taken: Option<Option<TakenAt>>,
}

/// How editing an image ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum EditedImage {
    /// It is like this now.
    Written(Stamped<Image>),
    /// Nothing was written.
    Ended(Edited<Image>),
    /// There are more tags than allowed.
    TooManyTags {
        /// How many are allowed.
        max: usize,
    },
}

impl Catalog {
    /// Changes an image of `owner`. With a version, only if it still has that one.
    pub async fn edit_image(
        &self,
        image: ImageId,
        owner: UserId,
        version: Option<i64>,
        edit: &ImageEdit,
        now: Timestamp,
    ) -> Result<EditedImage> {
        let edited: Result<EditedImage> =
            until_settled!(self.try_edit(image, owner, version, edit, now).await);
        let edited = edited?;
        if edit.taken.is_some() && edited.is_edited() {
            // For albums that it was put into meanwhile.
            self.place_by_taken(image).await?;
        }
        Ok(edited)
    }

    async fn try_edit(
        &self,
        image: ImageId,
        owner: UserId,
        version: Option<i64>,
        edit: &ImageEdit,
        now: Timestamp,
    ) -> Result<Attempt<EditedImage>> {
        let stamp = self.image_stamp(image);
        let found = self.find_image(image).await?.filter(|image| image.uploaded_at.is_some());
        let before = match Image::admit(found, owner, version) {
            Ok(image) => image,
            Err(end) => return Ok(Attempt::Settled(EditedImage::Ended(end))),
        };
        let max = tags::tags_max(&before, owner);
        if edit.tags.as_ref().is_some_and(|tags| tags.len() > max) {
            return Ok(Attempt::Settled(EditedImage::TooManyTags { max }));
        }
        let after = edit.apply(&before);
        if after == before {
            return Ok(Attempt::Settled(EditedImage::Ended(Edited::Edited(before))));
        }
        let after = Stamped { value: after, stamp: stamp.map(Stamp::after_one_write) };
        self.write_edit(&before, after, edit, now).await
    }

    async fn write_edit(
        &self,
        before: &Image,
        mut written: Stamped<Image>,
        edit: &ImageEdit,
        now: Timestamp,
    ) -> Result<Attempt<EditedImage>> {
        let after = &mut written.value;
        let mut swap = Swap::default();
        swap.guard(change(before, after, now)?);
        let left = terms::exchange_terms(&mut swap, before, after, now);
        swap.guard(record_update_leaving(left, after, now)?);
        if edit.taken.is_some() {
            self.move_in_time(&mut swap, before, after).await?;
        }
        if edit.tags.is_some() {
            // Private tags are not part of the image and stay.
            let mut tags = self.find_tags(before.id, before.owner).await?;
            tags.0.retain(|_, visibility| *visibility == TagVisibility::Private);
            tags.0.extend(after.tags.iter().map(|tag| (tag.clone(), TagVisibility::Public)));
            let owner = before.owner;
            let exchanged = self.exchange_tags(&mut swap, owner, &tags, before, after).await?;
            if exchanged.is_none() {
                let max = PUBLIC_TAGS_MAX;
                return Ok(Attempt::Settled(EditedImage::TooManyTags { max }));
            }
        } else if after.visibility != before.visibility {
            self.exchange_tag_places(&mut swap, before, after).await?;
        }
        if is_in_feed(after)
            && !is_in_feed(before)
            && let Some(uploaded_at) = after.uploaded_at
        {
            self.open_feed_month(uploaded_at).await?;
        }
        Ok(match swap.run(&*self.table).await? {
            Transacted::Done => Attempt::Settled(EditedImage::Written(written)),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }
}

impl EditedImage {
    fn is_edited(&self) -> bool {
        matches!(self, Self::Written(_) | Self::Ended(Edited::Edited(_)))
    }
}

impl Catalog {
    /// Adds to a swap what follows when an image stands elsewhere in time, or has another shape: in
    /// its owner's timeline, and in its albums.
    pub(super) async fn move_in_time(
        &self,
        swap: &mut Swap,
        before: &Image,
        after: &Image,
    ) -> Result<()> {
        let counted = timeline::counted(Some(before), after);
        counted.into_iter().for_each(|action| swap.guard(action));
        let moves = self.moves_by_taken(before, after).await?;
        moves.into_iter().for_each(|action| swap.guard(action));
        Ok(())
    }
}

impl ImageEdit {
    fn apply(&self, image: &Image) -> Image {
        let mut image = image.clone();
        if let Some(title) = &self.title {
            image.title.clone_from(title);
        }
        if let Some(description) = &self.description {
            image.description.clone_from(description);
        }
        if let Some(alt_text) = &self.alt_text {
            image.alt_text.clone_from(alt_text);
        }
        if let Some(tags) = &self.tags {
            image.tags.clone_from(tags);
            image.tags.sort();
            image.tags.dedup();
        }
        if let Some(visibility) = self.visibility {
            image.visibility = visibility;
        }
        if let Some(rating) = self.rating {
            image.rating = rating;
        }
        if let Some(taken) = self.taken {
            image.taken_set = taken;
        }
        image
    }
}
