//! Which persons are in which images.

use model::{FaceId, FaceVector, ImageId, PersonId, Tagging, Timestamp};
use table::{Action, Condition, Item, Query, Transacted};

use crate::paging::{PageRequest, collect};
use crate::persons::FACE_COUNT;
use crate::retry::{Attempt, until_settled};
use crate::schema::{CONTAINER_PK, CONTAINER_SK};
use crate::{Catalog, Error, Listed, Result, images, keys, row};

/// How tagging a person ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum TaggedPerson {
    /// The face is theirs now.
    Tagged,
    /// It was already.
    AlreadyTagged,
    /// There is no such image.
    NoImage,
    /// There is no such person.
    NoPerson,
}

impl Catalog {
    /// Says that a face in an image is a person's, and keeps its vector with the person.
    pub async fn tag_person(
        &self,
        tagging: &Tagging,
        vector: Option<&FaceVector>,
    ) -> Result<TaggedPerson> {
        until_settled!(self.try_tag_person(tagging, vector).await)
    }

    async fn try_tag_person(
        &self,
        tagging: &Tagging,
        vector: Option<&FaceVector>,
    ) -> Result<Attempt<TaggedPerson>> {
        let Some(image) = self.find_image(tagging.image).await? else {
            return Ok(Attempt::Settled(TaggedPerson::NoImage));
        };
        let Some(uploaded_at) = image.uploaded_at else {
            return Ok(Attempt::Settled(TaggedPerson::NoImage));
        };
        let key = keys::tagging(tagging.image, tagging.person, tagging.face);
        let place = format!("{}#{}", keys::uploaded(uploaded_at, tagging.image), tagging.face);
        let attributes = row::attributes_of(&key, tagging)?;
        let item = Item::of(key, attributes)
            .with(CONTAINER_PK, keys::person_container(tagging.person))
            .with(CONTAINER_SK, place);
        let mut actions = vec![
            Action::put(item).when(Condition::Absent),
            Action::update(keys::person(tagging.person))
                .add(FACE_COUNT, 1)
                .when(Condition::Present),
            images::attach(tagging.image),
            images::record_update(&image, tagging.created_at)?,
        ];
        actions.extend(vector.map(|vector| Action::put(face_row(tagging, vector))));
        let outcome = self.table.transact(actions).await?;
        Ok(Attempt::Settled(match &outcome {
            Transacted::Done => TaggedPerson::Tagged,
            refused if refused.refusal(2).is_some() => TaggedPerson::NoImage,
            refused if refused.refusal(1).is_some() => TaggedPerson::NoPerson,
            Transacted::Refused(_) => TaggedPerson::AlreadyTagged,
        }))
    }

    /// Takes a face away from a person. Tells whether it was theirs.
    pub async fn untag_person(&self, tagging: &Tagging, now: Timestamp) -> Result<bool> {
        let image = self.find_image(tagging.image).await?;
        until_settled!({
            let mut actions = detach(tagging);
            if let Some(image) = &image {
                actions.push(images::record_update(image, now)?);
            }
            match self.table.transact(actions).await {
                Ok(outcome) => Ok(Attempt::Settled(outcome.is_done())),
                Err(error) => Err(error.into()),
            }
        })
    }

    /// The persons in an image, with their faces.
    pub async fn list_image_persons(
        &self,
        image: ImageId,
        page: &PageRequest,
    ) -> Result<Listed<Tagging>> {
        let query = Query::partition(keys::image_partition(image)).prefix(keys::TAGGINGS);
        self.list_entities(query, page).await
    }
}

impl Catalog {
    /// The faces of a person whose vectors are kept, with the images they are in.
    pub async fn list_faces(
        &self,
        person: PersonId,
        page: &PageRequest,
    ) -> Result<Listed<(FaceId, ImageId, FaceVector)>> {
        let query = Query::partition(keys::person_container(person)).prefix(keys::FACES);
        collect(&*self.table, query, page, |found| async move {
            found.items.iter().map(face_of).collect()
        })
        .await
    }
}

fn face_row(tagging: &Tagging, vector: &FaceVector) -> Item {
    Item::new(keys::face(tagging.person, tagging.face))
        .with("image", tagging.image.to_string())
        .with("model", vector.model.as_str())
        .with("embedding", vector.embedding.clone())
}

fn face_of(item: &Item) -> Result<(FaceId, ImageId, FaceVector)> {
    let bad = |message: &str| Error::bad_row(&item.key, message);
    let face = item.key.sk.strip_prefix(keys::FACES).and_then(|id| id.parse().ok());
    let image = item.str("image").and_then(|id| id.parse().ok());
    let embedding = item.get("embedding").and_then(table::Value::as_bytes);
    let vector = FaceVector {
        model: item.str("model").ok_or_else(|| bad("it has no model"))?.to_owned(),
        embedding: embedding.ok_or_else(|| bad("it has no embedding"))?.to_vec(),
    };
    let face = face.ok_or_else(|| bad("its key is no face id"))?;
    Ok((face, image.ok_or_else(|| bad("it has no image"))?, vector))
}

/// The transaction that takes a face away from a person; refused if it is not theirs.
pub(crate) fn detach(tagging: &Tagging) -> Vec<Action> {
    let key = keys::tagging(tagging.image, tagging.person, tagging.face);
    vec![
        Action::delete(key).when(Condition::Present),
        Action::update(keys::person(tagging.person)).add(FACE_COUNT, -1).when(Condition::Present),
        Action::delete(keys::face(tagging.person, tagging.face)),
    ]
}
