//! Names that are written into photos beside faces, as answers to "who is this?".
//!
//! A photo program has marked a part of the photo and named it. Where a face was found there, the
//! name is offered to the owner, who says yes or no; nothing is ever named by itself.

use std::collections::{BTreeMap, BTreeSet};

use catalog::{Listed, PageRequest};
use model::{
    FaceBox, Image, ImageId, Name, PeopleEditKind, Person, PersonId, Region, RegionKind, UserId,
};

use super::{ChangedPersons, SeenFace, SeenPerson, WrittenName};
use crate::{Caller, Result, Scope, Service};

/// Somebody without a name, and what they may be called.
#[derive(Clone, Debug)]
pub struct SuggestedName {
    /// Who.
    pub person: SeenPerson,
    /// What is written beside their faces.
    pub name: Name,
    /// In how many of the photos that were looked at.
    pub count: usize,
    /// Who is called so already.
    pub known: Option<SeenPerson>,
}

/// Persons without a name that are looked at, those in the most photos first, and the newest photos
/// of each: enough to go on with, as the next ones follow when these have their names.
const LOOKED_AT_MAX: usize = 200;
/// Names suggested at once.
const PERSONS_MAX: usize = 20;
const PHOTOS_MAX: usize = 20;
/// How much a face and a marked part have in common at least, as a part of what they cover together.
/// Some programs mark the face, others the whole head.
const OVERLAP_MIN: f64 = 0.1;

impl Service {
    /// What persons of the caller's own library may be called who have no name, by what is written
    /// into their photos.
    ///
    /// # Errors
    /// When the caller's key does not allow it.
    pub async fn list_written_names(&self, caller: &Caller) -> Result<Vec<SuggestedName>> {
        caller.require(Scope::Read)?;
        let all = self.all_persons(caller.user).await?;
        let mut unnamed: Vec<&Person> =
            all.values().filter(|person| is_unnamed(person) && person.face_count > 0).collect();
        unnamed.sort_by_key(|person| (std::cmp::Reverse(person.face_count), person.id));
        let known = self.named(all.values()).await?;
        let refused = self.refused_names(caller.user).await?;
        let mut suggested = Vec::new();
        for person in unnamed.into_iter().take(LOOKED_AT_MAX) {
            if suggested.len() == PERSONS_MAX {
                break;
            }
            let names = self.names_beside(person.id).await?;
            let open = names.into_iter().filter(|(name, _)| {
                !refused.contains(&(person.id, folded(name))) && !known.is_avoided(name)
            });
            let Some((name, count)) = open.max_by_key(|(_, count)| *count) else { continue };
            let known = known.find(&name).map(|known| SeenPerson::own(known.clone()));
            let person = SeenPerson::own(person.clone());
            suggested.push(SuggestedName { person, name, count, known });
        }
        Ok(suggested)
    }

    /// Says whether somebody without a name is called so. If they are, they get the name, or are who
    /// is called so already; if not, it is not asked again.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) if the caller has no such person,
    /// [`Error::SamePhoto`](crate::Error::SamePhoto) if both are in one photo.
    pub async fn answer_written_name(
        &self,
        caller: &Caller,
        person: PersonId,
        name: Name,
        same: bool,
    ) -> Result<ChangedPersons> {
        caller.require(Scope::Write)?;
        let mut person = self.own_person(caller, person).await?;
        if !same {
            let mut edit = self.new_edit(caller, PeopleEditKind::Different, person.id);
            edit.before = Some(name.as_str().to_owned());
            self.decide(None, &edit, &[]).await?;
            return Ok(ChangedPersons { person: Some(SeenPerson::own(person)), edits: vec![edit] });
        }
        let all = self.all_persons(caller.user).await?;
        let known = self.named(all.values()).await?;
        match known.find(&name).filter(|known| known.id != person.id) {
            Some(known) => self.merge_persons(caller, known.id, &[person.id]).await,
            None => {
                let edit = self.rename(caller, &mut person, Some(name)).await?;
                self.changed_person(caller, person.id, edit.into_iter().collect()).await
            }
        }
    }

    /// Adds to the faces of one of the caller's images what is written beside those that are
    /// nobody's with a name.
    pub(super) async fn add_written_names(
        &self,
        image: &Image,
        faces: &mut [SeenFace],
    ) -> Result<()> {
        let mut names = names_beside(image, faces.iter().map(|seen| seen.face.bounds));
        for (seen, name) in faces.iter().zip(&mut names) {
            if seen.person.as_ref().is_some_and(|person| person.name.is_some()) {
                *name = None;
            }
        }
        if names.iter().all(Option::is_none) {
            return Ok(());
        }
        let all = self.all_persons(image.owner).await?;
        let known = self.named(all.values()).await?;
        let refused = self.refused_names(image.owner).await?;
        for (seen, name) in faces.iter_mut().zip(names) {
            let Some(name) = name else { continue };
            let is_refused = seen
                .person
                .as_ref()
                .is_some_and(|person| refused.contains(&(person.id, folded(&name))));
            if !is_refused && !known.is_avoided(&name) {
                let person = known.find(&name).map(|known| known.id);
                seen.written = Some(WrittenName { name, person });
            }
        }
        Ok(())
    }

    /// The names beside a person's faces, with the number of photos.
    async fn names_beside(&self, person: PersonId) -> Result<Vec<(Name, usize)>> {
        let page = PageRequest::first(PHOTOS_MAX);
        let Listed { entries: faces, .. } = self.catalog().list_person_faces(person, &page).await?;
        let ids: Vec<ImageId> = faces.iter().map(|face| face.image).collect();
        let images = self.catalog().find_images(&ids).await?;
        let mut counts: BTreeMap<String, (Name, usize)> = BTreeMap::new();
        for image in images.iter().filter(|image| image.is_visible() && has_names(image)) {
            // Another face may fit a marked part better.
            let others = self.catalog().list_image_faces(image.id).await?;
            let names = names_beside(image, others.iter().map(|face| face.bounds));
            let theirs = others.iter().zip(names).filter(|(face, _)| face.person == Some(person));
            for name in theirs.filter_map(|(_, name)| name) {
                counts.entry(folded(&name)).or_insert((name, 0)).1 += 1;
            }
        }
        Ok(counts.into_values().collect())
    }

    async fn named<'p>(&self, all: impl Iterator<Item = &'p Person> + Clone) -> Result<Known<'p>> {
        let is_named = |person: &&Person| person.is_somebody() && person.name.is_some();
        let named: Vec<&Person> = all.filter(is_named).collect();
        let avoided = self.unrecognised_of(named.iter().copied()).await?;
        let mut known = Known::default();
        for person in named {
            let Some(name) = &person.name else { continue };
            match avoided.contains(&person.id) {
                true => drop(known.avoided.insert(folded(name))),
                false => known.by_name.entry(folded(name)).or_default().push(person),
            }
        }
        Ok(known)
    }

    /// What owners have said that somebody is not called.
    async fn refused_names(&self, owner: UserId) -> Result<BTreeSet<(PersonId, String)>> {
        let edits = self.all_edits(owner).await?;
        let refused = edits
            .into_iter()
            .filter(|edit| edit.kind == PeopleEditKind::Different && edit.undone_at.is_none());
        Ok(refused.filter_map(|edit| Some((edit.person, edit.before?.to_lowercase()))).collect())
    }
}

/// Persons of a library by what they are called.
#[derive(Default)]
struct Known<'p> {
    by_name: BTreeMap<String, Vec<&'p Person>>,
    /// Names of those who do not want to be recognised: nobody is taken for them.
    avoided: BTreeSet<String>,
}

impl<'p> Known<'p> {
    /// The one who is called so; nobody, if several are.
    fn find(&self, name: &Name) -> Option<&'p Person> {
        match self.by_name.get(&folded(name))?.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }

    fn is_avoided(&self, name: &Name) -> bool {
        self.avoided.contains(&folded(name))
    }
}

fn is_unnamed(person: &Person) -> bool {
    person.is_somebody() && person.name.is_none() && !person.hidden
}

fn folded(name: &Name) -> String {
    name.as_str().to_lowercase()
}

fn regions_of(image: &Image) -> &[Region] {
    image.metadata.as_ref().map_or(&[], |written| &written.regions)
}

fn has_names(image: &Image) -> bool {
    regions_of(image).iter().any(|region| region.name.is_some())
}

/// What is written beside each face of an image.
fn names_beside(image: &Image, faces: impl Iterator<Item = FaceBox>) -> Vec<Option<Name>> {
    names_of(&faces.collect::<Vec<_>>(), regions_of(image))
}

/// The names of faces: each marked part names the face at most that has the most in common with it,
/// if the middle of each lies in the other.
fn names_of(faces: &[FaceBox], regions: &[Region]) -> Vec<Option<Name>> {
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (at, region) in regions.iter().enumerate() {
        if region.kind != RegionKind::Face || region.name.is_none() {
            continue;
        }
        let Region { left, top, width, height, .. } = *region;
        let marked = FaceBox { left, top, width, height };
        for (face_at, face) in faces.iter().enumerate() {
            let overlap = face.overlap(&marked);
            if overlap >= OVERLAP_MIN
                && has_middle_of(face, &marked)
                && has_middle_of(&marked, face)
            {
                pairs.push((overlap, face_at, at));
            }
        }
    }
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut names: Vec<Option<Name>> = vec![None; faces.len()];
    let mut taken = BTreeSet::new();
    for (_, face, region) in pairs {
        let (Some(place), Some(found)) = (names.get_mut(face), regions.get(region)) else {
            continue;
        };
        if place.is_none() && taken.insert(region) {
            *place = found.name.as_deref().and_then(|name| name.parse().ok());
        }
    }
    names
}

fn has_middle_of(one: &FaceBox, other: &FaceBox) -> bool {
    let (x, y) = (other.left + other.width / 2.0, other.top + other.height / 2.0);
    (one.left..=one.left + one.width).contains(&x) && (one.top..=one.top + one.height).contains(&y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face(left: f64, top: f64, side: f64) -> FaceBox {
        FaceBox { left, top, width: side, height: side }
    }

    fn region(name: &str, left: f64, top: f64, side: f64) -> Region {
        let (kind, name) = (RegionKind::Face, Some(name.to_owned()));
        Region { kind, name, left, top, width: side, height: side }
    }

    fn names(faces: &[FaceBox], regions: &[Region]) -> Vec<String> {
        let names = names_of(faces, regions).into_iter();
        names.map(|name| name.map(String::from).unwrap_or_default()).collect()
    }

    #[test]
    fn a_face_is_named_by_the_part_around_it() {
        let faces = [face(0.1, 0.1, 0.2), face(0.6, 0.1, 0.2)];
        assert_eq!(names(&faces, &[region("Bob", 0.55, 0.05, 0.3)]), ["", "Bob"]);
        // Larger or smaller, as programs will have it.
        assert_eq!(names(&faces, &[region("Bob", 0.66, 0.16, 0.08)]), ["", "Bob"]);
    }

    #[test]
    fn parts_beside_or_far_around_a_face_name_nobody() {
        let faces = [face(0.4, 0.1, 0.1)];
        assert_eq!(names(&faces, &[region("Bob", 0.48, 0.1, 0.1)]), [""], "beside it");
        assert_eq!(names(&faces, &[region("Bob", 0.0, 0.0, 1.0)]), [""], "all of the photo");
        assert_eq!(names(&faces, &[region("Bob", 0.35, 0.0, 0.6)]), [""], "all of somebody");
        let dog = Region { kind: RegionKind::Pet, ..region("Rex", 0.4, 0.1, 0.1) };
        assert_eq!(names(&faces, &[dog]), [""]);
    }

    #[test]
    fn each_part_names_one_face_and_each_face_has_one_name() {
        let faces = [face(0.1, 0.1, 0.2), face(0.15, 0.12, 0.2)];
        let regions = [region("Ada", 0.1, 0.1, 0.2), region("Bob", 0.16, 0.12, 0.2)];
        assert_eq!(names(&faces, &regions), ["Ada", "Bob"]);
        assert_eq!(names(&faces, &regions[1..]), ["", "Bob"]);
    }
}
