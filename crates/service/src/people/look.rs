//! Finding the faces of one image, on a rendition of it.

use std::collections::BTreeSet;

use blob::{BlobKey, PutLimits};
use catalog::{FoundFace, NewFaces, Recorded, RecordedFaces};
use imaging::Raster;
use model::limits::FACES_BY_IMAGE_MAX;
use model::{
    Face, FaceBox, FaceId, FaceQuality, FaceVector, Fit, Image, ImageId, PersonId, RenditionFormat,
    SizeSpec, Subject, WorkKind,
};

use super::portrait::portrait_of;
use crate::work::{Done, Task};
use crate::{Error, Result, Service};

/// Longest side of what is looked at. Faces that are too small in it say nothing.
const SIDE_MAX: u32 = 2048;

impl Service {
    /// What follows the processing of an image.
    pub(crate) async fn work_after_processing(&self, image: &Image) -> Result<Vec<WorkKind>> {
        let Some(finder) = self.people().finder() else { return Ok(Vec::new()) };
        let looked = self.catalog().find_looked_at(image.id).await?;
        let is_known = looked.is_some_and(|looked| looked.model == finder.model());
        Ok(if is_known { Vec::new() } else { vec![WorkKind::Faces] })
    }

    /// What a worker does who has claimed it: look at a rendition, record the faces, and keep their
    /// portraits. May be repeated at any point: a face that was found before stays the same.
    pub(crate) async fn look(&self, task: &Task, image: ImageId) -> Result<Done> {
        let Some(finder) = self.people().finder().cloned() else {
            return Err(Error::internal("faces cannot be looked for: there are no models"));
        };
        let found = self.catalog().find_image(image).await?;
        let Some(found) = found.filter(|image| image.original.is_some()) else {
            let _ = self.catalog().finish_work(&*task.held().await).await?;
            return Ok(Done::Finished);
        };
        let owner = self.catalog().find_user(found.owner).await?;
        if owner.is_none_or(|owner| owner.unrecognised) {
            let _ = self.catalog().finish_work(&*task.held().await).await?;
            return Ok(Done::Finished);
        }
        let raster = self.raster_of(&found).await?;
        let (raster, faces) = self.studio().find_faces(finder.clone(), raster).await?;
        let faces = faces.into_iter().take(FACES_BY_IMAGE_MAX);
        let new = NewFaces {
            model: finder.model().to_owned(),
            faces: faces.map(|face| found_face(image, &face)).collect(),
            unrecognised: self.unrecognised_in(image).await?,
        };
        let (held, now) = (task.held().await, self.now());
        let recorded = self.catalog().record_faces(&held, image, &new, now).await?;
        drop(held);
        match recorded {
            Recorded::Lost => return Ok(Done::Lost),
            Recorded::Gone => return Ok(Done::Finished),
            Recorded::Recorded(recorded) => {
                self.keep_portraits(image, raster, recorded).await?;
            }
        }
        self.hint();
        self.hint_change();
        Ok(Done::Finished)
    }

    /// The pixels of an image, from a rendition that shows all of it or from the original.
    pub(crate) async fn raster_of(&self, image: &Image) -> Result<Raster> {
        let whole = self.settings().sizes.iter().filter(|size| size.fit() == Fit::Inside);
        let made = whole.filter_map(|size| {
            let rendition = image.renditions.get(size.name())?;
            let side = rendition.width.max(rendition.height);
            let key = BlobKey::Rendition {
                image: image.id,
                size: size.name().clone(),
                format: rendition.format,
            };
            (side <= SIDE_MAX).then_some((side, key))
        });
        let best = made.max_by_key(|(side, _)| *side).map(|(_, key)| key);
        let key = best.unwrap_or(BlobKey::Original(image.id));
        let (probe, file) = self.load_file(&key).await?.probe().await?;
        self.studio().raster(file, probe, looked_at_size()?, self.settings().render).await
    }

    /// Persons in an image who have an account and do not want to be recognised.
    async fn unrecognised_in(&self, image: ImageId) -> Result<BTreeSet<PersonId>> {
        let faces = self.catalog().list_image_faces(image).await?;
        let persons: Vec<PersonId> = faces.iter().filter_map(|face| face.person).collect();
        let persons = self.catalog().find_persons(&persons).await?;
        self.unrecognised_of(persons.iter()).await
    }

    /// Of some persons, those who have such an account.
    pub(crate) async fn unrecognised_of<'p>(
        &self,
        persons: impl Iterator<Item = &'p model::Person>,
    ) -> Result<BTreeSet<PersonId>> {
        let linked: Vec<_> = persons.filter_map(|person| Some((person.id, person.user?))).collect();
        let users: Vec<_> = linked.iter().map(|(_, user)| *user).collect();
        let users = self.catalog().find_users(&users).await?;
        let users: BTreeSet<_> =
            users.iter().filter(|user| user.unrecognised).map(|user| user.id).collect();
        Ok(linked.into_iter().filter(|(_, user)| users.contains(user)).map(|(id, _)| id).collect())
    }

    async fn keep_portraits(
        &self,
        image: ImageId,
        raster: Raster,
        recorded: RecordedFaces,
    ) -> Result<()> {
        let RecordedFaces { faces, gone } = recorded;
        self.delete_portraits(gone.into_iter().map(|face| (image, face))).await?;
        let shown = faces.iter().filter(|face| face.deleted_person.is_none());
        let boxes: Vec<_> = shown.map(|face| (face.id, face.bounds)).collect();
        if boxes.is_empty() {
            return Ok(());
        }
        for (face, bytes) in self.studio().portraits(raster, boxes).await? {
            self.put_portrait(image, face, bytes).await?;
        }
        Ok(())
    }

    pub(crate) async fn put_portrait(
        &self,
        image: ImageId,
        face: FaceId,
        bytes: Vec<u8>,
    ) -> Result<()> {
        let limits = PutLimits::at_most(bytes.len() as u64);
        self.blobs().put_bytes(&portrait_of(image, face), bytes.into(), &limits).await?;
        Ok(())
    }

    pub(crate) async fn delete_portraits(
        &self,
        faces: impl Iterator<Item = (ImageId, FaceId)>,
    ) -> Result<()> {
        let keys: Vec<BlobKey> = faces.map(|(image, face)| portrait_of(image, face)).collect();
        Ok(self.blobs().delete_many(&keys).await?)
    }

    /// Has an image looked at again.
    pub(crate) async fn look_again(&self, face: &Face) -> Result<()> {
        let subject = Subject::Image(face.image);
        let work = model::Work::new(WorkKind::Faces, subject, face.owner, self.now());
        self.catalog().put_work(&work).await?;
        Ok(())
    }
}

fn looked_at_size() -> Result<SizeSpec> {
    let name = "faces".parse().map_err(Error::internal)?;
    let sides = (SIDE_MAX, SIDE_MAX);
    // As pixels, not as the planes that lossy formats are made of.
    SizeSpec::new(name, sides, Fit::Inside, RenditionFormat::Png, 100).map_err(Error::internal)
}

fn found_face(image: ImageId, found: &faces::Found) -> FoundFace {
    let faces::Bounds { left, top, width, height } = found.bounds;
    FoundFace {
        id: id_of(image, &found.bounds),
        bounds: FaceBox {
            left: f64::from(left),
            top: f64::from(top),
            width: f64::from(width),
            height: f64::from(height),
        },
        landmarks: found
            .landmarks
            .iter()
            .flat_map(|point| [f64::from(point.x), f64::from(point.y)])
            .collect(),
        confidence: f64::from(found.confidence),
        quality: FaceQuality {
            score: f64::from(found.quality.total),
            shapes: found.quality.shapes,
        },
        vector: FaceVector(found.vector.to_bytes().to_vec()),
    }
}

/// Follows from the image and the place, so that it does not matter who finds a face, when, and in
/// which order.
fn id_of(image: ImageId, bounds: &faces::Bounds) -> FaceId {
    let faces::Bounds { left, top, width, height } = *bounds;
    let place = [left, top, width, height].map(f32::to_bits);
    let hash = imaging::sha256(format!("{image}{place:x?}").as_bytes());
    let random = hash.as_str().get(..20).and_then(|hex| u128::from_str_radix(hex, 16).ok());
    FaceId::new(image.created(), random.unwrap_or_default())
}
