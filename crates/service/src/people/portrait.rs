//! Faces cut out of their images. They belong to the image: who may see it may see them, and they
//! go with it.

use blob::BlobKey;
use model::{FaceId, ImageId, RenditionFormat};

use crate::{Error, PixelName, PixelSource, Result, Service};

/// The object that shows a face.
pub(crate) fn portrait_of(image: ImageId, face: FaceId) -> BlobKey {
    BlobKey::Face { image, face, format: RenditionFormat::Webp }
}

impl Service {
    /// The path and query of a signed URL of a face. Whoever hands it out has checked that the
    /// receiver may see the image.
    pub fn face_path(&self, image: ImageId, face: FaceId) -> String {
        let name =
            PixelName { source: PixelSource::Face(face), format: Some(RenditionFormat::Webp) };
        self.pixel_path(image, &name)
    }

    /// The object that shows a face. It is there already, unless it was lost in a crash between the
    /// row and it; then it is made.
    pub(crate) async fn locate_portrait(&self, image: ImageId, face: FaceId) -> Result<BlobKey> {
        let key = portrait_of(image, face);
        match self.blobs().head(&key).await {
            Err(blob::Error::NotFound { .. }) => {}
            found => return found.map(|_| key).map_err(Error::from),
        }
        let missing = || Error::NotFound { what: "image" };
        let found = self.catalog().find_face(image, face).await?;
        let found = found.filter(|face| face.deleted_person.is_none()).ok_or_else(missing)?;
        let shown = self.catalog().find_image(image).await?.ok_or_else(missing)?;
        let raster = self.raster_of(&shown).await?;
        for (face, bytes) in self.studio().portraits(raster, vec![(face, found.bounds)]).await? {
            self.put_portrait(image, face, bytes).await?;
        }
        Ok(key)
    }
}
