//! Faces of an image, of a person and of a library.

use model::{Face, FaceId, ImageId, PersonId, UserId};
use table::{Page, Query};

use super::face_of;
use crate::paging::{PageRequest, collect};
use crate::schema::{CONTAINER, OWNER};
use crate::{Catalog, Listed, Result, keys};

impl Catalog {
    /// A face of an image.
    pub async fn find_face(&self, image: ImageId, face: FaceId) -> Result<Option<Face>> {
        self.table.get(&keys::face(image, face)).await?.as_ref().map(face_of).transpose()
    }

    /// Faces by their images and ids, in this order, without the absent ones.
    pub async fn find_faces(&self, faces: &[(ImageId, FaceId)]) -> Result<Vec<Face>> {
        let mut keys: Vec<_> =
            faces.iter().map(|(image, face)| keys::face(*image, *face)).collect();
        keys.sort();
        keys.dedup();
        self.load_rows(&keys).await?.iter().map(face_of).collect()
    }

    /// All faces of an image, oldest first.
    pub async fn list_image_faces(&self, image: ImageId) -> Result<Vec<Face>> {
        let query = Query::partition(keys::image_partition(image)).prefix(keys::FACES);
        // There are no more than `FACES_BY_IMAGE_MAX`.
        let page = self.table.query(&query.limit(100)).await?;
        page.items.iter().map(face_of).collect()
    }

    /// The faces of a person, newest image first, as an index knows them.
    pub async fn list_person_faces(
        &self,
        person: PersonId,
        page: &PageRequest,
    ) -> Result<Listed<Face>> {
        let query = Query::index(CONTAINER, keys::person_container(person)).prefix(keys::UPLOADED);
        self.list_faces(query.descending(), page).await
    }

    /// The faces that were of a person who is deleted.
    pub async fn list_deleted_faces(
        &self,
        person: PersonId,
        page: &PageRequest,
    ) -> Result<Listed<Face>> {
        let query = Query::index(CONTAINER, keys::person_container(person));
        self.list_faces(query.prefix(keys::DELETED_FACES), page).await
    }

    /// All faces of a library, by image, as an index knows them.
    pub async fn list_library_faces(
        &self,
        owner: UserId,
        page: &PageRequest,
    ) -> Result<Listed<Face>> {
        let query = Query::index(OWNER, keys::user_partition(owner)).prefix(keys::OWNED_FACES);
        self.list_faces(query, page).await
    }

    async fn list_faces(&self, query: Query, page: &PageRequest) -> Result<Listed<Face>> {
        let faces = |found: Page| async move { found.items.iter().map(face_of).collect() };
        collect(&*self.table, query, page, faces).await
    }
}
