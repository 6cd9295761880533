//! What was found in an image.

use std::collections::{BTreeMap, BTreeSet};

use model::{
    Face, FaceBox, FaceId, FaceQuality, FaceVector, Image, ImageId, PersonId, Timestamp, Work,
};
use table::{Action, Condition, Item, Transacted};

use super::face_row;
use crate::persons::FACE_COUNT;
use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Error, Held, Result, images, keys, work};

/// What models found in an image.
#[derive(Clone, Debug)]
pub struct NewFaces {
    /// Which models.
    pub model: String,
    /// The faces, no more than [`model::limits::FACES_BY_IMAGE_MAX`].
    pub faces: Vec<FoundFace>,
    /// Persons by whose faces nobody is to be recognised.
    pub unrecognised: BTreeSet<PersonId>,
}

/// A face that was found.
#[derive(Clone, Debug)]
pub struct FoundFace {
    /// The id it gets, unless it was found before.
    pub id: FaceId,
    /// Where it is.
    pub bounds: FaceBox,
    /// Eyes, nose and mouth.
    pub landmarks: Vec<f64>,
    /// How sure the detector is.
    pub confidence: f64,
    /// How good a picture it is.
    pub quality: FaceQuality,
    /// What the model made of it.
    pub vector: FaceVector,
}

/// That an image was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookedAt {
    /// By which models.
    pub model: String,
    /// When.
    pub at: Timestamp,
}

/// How recording ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Recorded {
    /// The image has these faces.
    Recorded(RecordedFaces),
    /// Somebody else took the work over; nothing is recorded.
    Lost,
    /// The image is no more, and so is the work.
    Gone,
}

/// The faces of an image as they are recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedFaces {
    /// Those that were found, in their order, and those that stay although they were not.
    pub faces: Vec<Face>,
    /// Those that were there before and are not any more.
    pub gone: Vec<FaceId>,
}

/// Boxes that overlap so much show the same face: what another model, or another rendition, makes
/// of it is a little larger or smaller.
const SAME_FACE_MIN: f64 = 0.4;
const MODEL: &str = "model";
const AT: &str = "at";

impl Catalog {
    /// By what an image was looked at for faces last.
    pub async fn find_looked_at(&self, image: ImageId) -> Result<Option<LookedAt>> {
        let key = keys::looked_at(image);
        let Some(row) = self.table.get(&key).await? else { return Ok(None) };
        let at = row.str(AT).and_then(|at| at.parse().ok());
        let found = row.str(MODEL).map(str::to_owned).zip(at);
        let (model, at) = found.ok_or_else(|| Error::bad_row(&key, "it has no model or time"))?;
        Ok(Some(LookedAt { model, at }))
    }

    /// Puts what was found in an image in the place of what was found before, and ends the work, if
    /// it is still held. A face that was there keeps its id, and so all that is known of it.
    pub async fn record_faces(
        &self,
        held: &Work,
        image: ImageId,
        found: &NewFaces,
        now: Timestamp,
    ) -> Result<Recorded> {
        until_settled!(self.try_record_faces(held, image, found, now).await)
    }

    async fn try_record_faces(
        &self,
        held: &Work,
        image: ImageId,
        found: &NewFaces,
        now: Timestamp,
    ) -> Result<Attempt<Recorded>> {
        let there = self.find_image(image).await?.filter(|image| image.purging_since.is_none());
        let Some(there) = there else {
            let held = self.finish_work(held).await?;
            let ended = if held == Held::Still { Recorded::Gone } else { Recorded::Lost };
            return Ok(Attempt::Settled(ended));
        };
        let before = self.list_image_faces(image).await?;
        let merged = Merged::of(&there, &before, found, now);
        let mut actions = vec![work::remove_held(held), images::attach(image)];
        actions.push(Action::put(
            Item::new(keys::looked_at(image))
                .with(MODEL, found.model.as_str())
                .with(AT, now.to_string()),
        ));
        if merged.changes_anything() {
            actions.extend(self.want_grouping(there.owner, merged.more_faces(), now).await?);
            actions.push(images::record_update(&there, now)?);
            actions.extend(merged.actions()?);
        }
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(Recorded::Recorded(merged.into_recorded())),
            refused if refused.refusal(0).is_some() => Attempt::Settled(Recorded::Lost),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }
}

/// The faces of an image, before and after it was looked at.
struct Merged {
    /// Each with the version it had, if it was there.
    kept: Vec<(Face, Option<i64>)>,
    gone: Vec<Face>,
}

impl Merged {
    fn of(image: &Image, before: &[Face], found: &NewFaces, now: Timestamp) -> Self {
        let same = same_faces(before, &found.faces);
        let mut kept = Vec::new();
        for (at, new) in found.faces.iter().enumerate() {
            let old = same.get(&at).and_then(|old| before.get(*old));
            kept.push((merge(image, old, new, found, now), old.map(|old| old.version)));
        }
        let mut gone = Vec::new();
        for (at, old) in before.iter().enumerate() {
            if same.values().any(|known| *known == at) {
                continue;
            }
            // What somebody said of it is true, whether a model sees it or not.
            if old.confirmed {
                let model = found.model.clone();
                let face = Face { model, vector: None, version: old.version + 1, ..old.clone() };
                kept.push((face, Some(old.version)));
            } else {
                gone.push(old.clone());
            }
        }
        Self { kept, gone }
    }

    fn changes_anything(&self) -> bool {
        !self.kept.is_empty() || !self.gone.is_empty()
    }

    fn more_faces(&self) -> i64 {
        let new = self.kept.iter().filter(|(_, before)| before.is_none()).count();
        i64::try_from(new).unwrap_or(0) - i64::try_from(self.gone.len()).unwrap_or(0)
    }

    fn actions(&self) -> Result<Vec<Action>> {
        let mut actions = Vec::new();
        for (face, before) in &self.kept {
            let unchanged = before.map_or(Condition::Absent, Condition::version);
            actions.push(Action::put(face_row(face)?).when(unchanged));
        }
        let mut fewer: BTreeMap<PersonId, i64> = BTreeMap::new();
        for face in &self.gone {
            let key = keys::face(face.image, face.id);
            actions.push(Action::delete(key).when(Condition::version(face.version)));
            if let Some(person) = face.person {
                *fewer.entry(person).or_default() -= 1;
            }
        }
        actions.extend(fewer.into_iter().map(|(person, count)| {
            Action::update(keys::person(person)).add(FACE_COUNT, count).when(Condition::Present)
        }));
        Ok(actions)
    }

    fn into_recorded(self) -> RecordedFaces {
        RecordedFaces {
            faces: self.kept.into_iter().map(|(face, _)| face).collect(),
            gone: self.gone.into_iter().map(|face| face.id).collect(),
        }
    }
}

/// Which new face is which old one: those that overlap most first, each once.
fn same_faces(before: &[Face], found: &[FoundFace]) -> BTreeMap<usize, usize> {
    let mut pairs = Vec::new();
    for (new, face) in found.iter().enumerate() {
        for (old, known) in before.iter().enumerate() {
            let overlap = face.bounds.overlap(&known.bounds);
            if overlap >= SAME_FACE_MIN {
                pairs.push((overlap, new, old));
            }
        }
    }
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let (mut same, mut taken) = (BTreeMap::new(), BTreeSet::new());
    for (_, new, old) in pairs {
        if !same.contains_key(&new) && taken.insert(old) {
            same.insert(new, old);
        }
    }
    same
}

fn merge(
    image: &Image,
    old: Option<&Face>,
    new: &FoundFace,
    found: &NewFaces,
    now: Timestamp,
) -> Face {
    let person = old.and_then(|old| old.person);
    let deleted_person = old.and_then(|old| old.deleted_person);
    let is_unwanted =
        deleted_person.is_some() || person.is_some_and(|id| found.unrecognised.contains(&id));
    Face {
        id: old.map_or(new.id, |old| old.id),
        image: image.id,
        owner: image.owner,
        uploaded_at: image.uploaded_at.unwrap_or(now),
        bounds: new.bounds,
        landmarks: new.landmarks.clone(),
        confidence: new.confidence,
        quality: new.quality,
        model: found.model.clone(),
        vector: (!is_unwanted).then(|| new.vector.clone()),
        person,
        confirmed: old.is_some_and(|old| old.confirmed),
        deleted_person,
        created_at: old.map_or(now, |old| old.created_at),
        version: old.map_or(1, |old| old.version + 1),
    }
}
