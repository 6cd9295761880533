//! Images that users have marked as their favourites, each for themselves.

use std::collections::HashSet;

use model::{Image, ImageId, Timestamp, UserId};
use table::{Action, Condition, Item, Key, Query, TableExt, Transacted};

use crate::entries::image_of;
use crate::paging::collect;
use crate::retry::{Attempt, until_settled};
use crate::schema::{OWNER, OWNER_PK, OWNER_SK};
use crate::{Catalog, Listed, PageRequest, Result, images, keys};

/// Where the image stands among all others, by upload.
pub(crate) const POSITION: &str = "position";

impl Catalog {
    /// Marks an image as a user's favourite. Tells whether there is such an image.
    pub async fn put_favourite(
        &self,
        image: ImageId,
        user: UserId,
        now: Timestamp,
    ) -> Result<bool> {
        let found = self.find_image(image).await?;
        let Some(uploaded_at) = found.and_then(|found| found.uploaded_at) else {
            return Ok(false);
        };
        let row = Item::new(keys::favourite(image, user))
            .with(OWNER_PK, keys::user_partition(user))
            .with(OWNER_SK, keys::favoured(now, image))
            .with(POSITION, keys::position(uploaded_at, image))
            .with("addedAt", now.to_string());
        let actions = vec![Action::put(row).when(Condition::Absent), images::attach(image)];
        until_settled!(match self.table.transact(actions.clone()).await {
            Ok(Transacted::Done) => Ok(Attempt::Settled(true)),
            // Who has marked it already keeps the place it has.
            Ok(refused) => Ok(Attempt::Settled(refused.refusal(1).is_none())),
            Err(error) => Err(crate::Error::from(error)),
        })
    }

    /// Takes the mark away.
    pub async fn delete_favourite(&self, image: ImageId, user: UserId) -> Result<()> {
        Ok(self.table.delete(keys::favourite(image, user)).await?)
    }

    /// Whether an image is a user's favourite.
    pub async fn is_favourite(&self, image: ImageId, user: UserId) -> Result<bool> {
        Ok(self.table.get(&keys::favourite(image, user)).await?.is_some())
    }

    /// Which of these images are a user's favourites.
    pub async fn find_favourites(
        &self,
        user: UserId,
        images: &[ImageId],
    ) -> Result<HashSet<ImageId>> {
        let marks: Vec<Key> = images.iter().map(|image| keys::favourite(*image, user)).collect();
        self.load_rows(&marks).await?.iter().map(|row| image_of(&row.key)).collect()
    }

    /// A user's favourites, last marked first. Who may see the images is for the caller to check.
    pub async fn list_favourites(&self, user: UserId, page: &PageRequest) -> Result<Listed<Image>> {
        let query = Query::index(OWNER, keys::user_partition(user)).prefix(keys::FAVOURITES);
        collect(&*self.table, query.descending(), page, |found| async move {
            let marks: Vec<Key> = found.items.into_iter().map(|item| item.key).collect();
            self.images_still_marked(&marks).await
        })
        .await
    }

    /// Takes all marks of a user away, as far as the index shows them.
    pub async fn remove_favourites(&self, user: UserId) -> Result<()> {
        let query = Query::index(OWNER, keys::user_partition(user)).prefix(keys::FAVOURITES);
        self.remove_found(query).await
    }
}
