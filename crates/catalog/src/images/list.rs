//! Lists of images.

use model::{Image, ImageId, PersonId, UserId, Visibility};
use table::{KeyPage, Page, Query};

use crate::entries::image_of;
use crate::images::UnreadImage;
use crate::paging::{Order, collect, find_keys};
use crate::schema::{CONTAINER, OWNER};
use crate::{Catalog, Cursor, Listed, PageRequest, Result, keys, row};

impl Catalog {
    /// A user's images by upload.
    pub async fn list_images(
        &self,
        owner: UserId,
        order: Order,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        let Listed { entries, next } = self.list_unread_images(owner, order, page).await?;
        let entries = entries.iter().map(UnreadImage::read).collect::<Result<_>>()?;
        Ok(Listed { entries, next })
    }

    /// The same, for those who may know some of them already.
    pub async fn list_unread_images(
        &self,
        owner: UserId,
        order: Order,
        page: &PageRequest,
    ) -> Result<Listed<UnreadImage>> {
        let query = Query::index(OWNER, keys::user_partition(owner)).prefix(keys::UPLOADED);
        let unread =
            |found: Page| async move { found.items.into_iter().map(UnreadImage::of).collect() };
        collect(&*self.table, order.of(query), page, unread).await
    }

    /// The ids of a page of them, for those who may know them already and look each up that they do
    /// not. `None` if that costs the table as much as the images.
    pub async fn list_image_ids(
        &self,
        owner: UserId,
        order: Order,
        page: &PageRequest,
    ) -> Result<Option<Listed<ImageId>>> {
        let query = Query::index(OWNER, keys::user_partition(owner)).prefix(keys::UPLOADED);
        let found = find_keys(&*self.table, order.of(query), page).await?;
        let Some(KeyPage { keys, next }) = found else { return Ok(None) };
        let entries = keys.iter().map(image_of).collect::<Result<_>>()?;
        Ok(Some(Listed { entries, next: next.map(Cursor::from) }))
    }

    /// A user's images by upload, without those that others may not see.
    pub async fn list_shared_images(
        &self,
        owner: UserId,
        order: Order,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        let query = Query::index(OWNER, keys::user_partition(owner)).prefix(keys::UPLOADED);
        collect(&*self.table, order.of(query), page, |found| async move {
            let images: Result<Vec<Image>> = found.items.iter().map(row::entity_of).collect();
            let mut images = images?;
            images.retain(|image| image.visibility == Visibility::Shared && image.is_visible());
            Ok(images)
        })
        .await
    }

    /// A user's trash, last thrown away first.
    pub async fn list_trash(&self, owner: UserId, page: &PageRequest) -> Result<Listed<Image>> {
        let query = Query::index(OWNER, keys::user_partition(owner)).prefix(keys::TRASHED);
        self.list_entities(query.descending(), page).await
    }

    /// The images a person is in, newest first.
    pub async fn list_person_images(
        &self,
        person: PersonId,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        let query = Query::index(CONTAINER, keys::person_container(person)).prefix(keys::UPLOADED);
        self.list_contained(query.descending(), page).await
    }

    /// A page of rows that are entities themselves.
    pub(crate) async fn list_entities<T: serde::de::DeserializeOwned>(
        &self,
        query: Query,
        page: &PageRequest,
    ) -> Result<Listed<T>> {
        let entities =
            |found: Page| async move { found.items.iter().map(row::entity_of).collect() };
        collect(&*self.table, query, page, entities).await
    }

    /// A page of rows that stand for images: the images themselves, as they are now, without
    /// those that cannot be seen.
    async fn list_contained(&self, query: Query, page: &PageRequest) -> Result<Listed<Image>> {
        collect(&*self.table, query, page, |found| async move {
            let ids = found
                .items
                .iter()
                .map(|item| image_of(&item.key))
                .collect::<Result<Vec<ImageId>>>()?;
            let mut images = self.find_images(&ids).await?;
            images.retain(Image::is_visible);
            Ok(images)
        })
        .await
    }
}
