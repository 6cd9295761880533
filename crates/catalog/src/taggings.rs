//! Which persons are in which images.

use model::{ImageId, Tagging, Timestamp};
use table::{Action, Condition, Item, Query, Transacted};

use crate::paging::PageRequest;
use crate::persons::FACE_COUNT;
use crate::retry::{Attempt, until_settled};
use crate::schema::{CONTAINER_PK, CONTAINER_SK};
use crate::{Catalog, Listed, Result, images, keys, row};

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
    /// Says that a face in an image is a person's.
    pub async fn tag_person(&self, tagging: &Tagging) -> Result<TaggedPerson> {
        until_settled!(self.try_tag_person(tagging).await)
    }

    async fn try_tag_person(&self, tagging: &Tagging) -> Result<Attempt<TaggedPerson>> {
        let Some(image) = self.find_image(tagging.image).await? else {
            return Ok(Attempt::Settled(TaggedPerson::NoImage));
        };
        let Some(uploaded_at) = image.uploaded_at else {
            return Ok(Attempt::Settled(TaggedPerson::NoImage));
        };
        let key = keys::tagging(tagging.image, tagging.person, tagging.face);
        let place = format!("{}#{}", keys::uploaded(uploaded_at, tagging.image), tagging.face);
        let attributes = row::attributes_of(&key, tagging)?;
        let item = Item { key, attributes }
            .with(CONTAINER_PK, keys::person_container(tagging.person))
            .with(CONTAINER_SK, place);
        let actions = vec![
            Action::put(item).when(Condition::Absent),
            Action::update(keys::person(tagging.person))
                .add(FACE_COUNT, 1)
                .when(Condition::Present),
            images::attach(tagging.image),
            images::record_update(&image, tagging.created_at)?,
        ];
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

/// The transaction that takes a face away from a person; refused if it is not theirs.
pub(crate) fn detach(tagging: &Tagging) -> Vec<Action> {
    let key = keys::tagging(tagging.image, tagging.person, tagging.face);
    vec![
        Action::delete(key).when(Condition::Present),
        Action::update(keys::person(tagging.person)).add(FACE_COUNT, -1).when(Condition::Present),
    ]
}
