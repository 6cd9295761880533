//! Seeing persons: all of one's own library, and of others what photos show that one may see.

use std::collections::{BTreeMap, BTreeSet};

use catalog::{Cursor, Listed, PageRequest};
use model::{Cover, Face, Image, ImageId, Name, Person, PersonId, Term, UserId};

use super::{NO_PERSON, Service};
use crate::{Caller, Error, Result, Scope};

/// A person as a caller sees them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenPerson {
    /// The person. Others than the owner see only images that they may see: the cover is one of
    /// those.
    pub person: Person,
    /// In how many images, of those that the caller may see.
    pub count: usize,
    /// Whether counting stopped there.
    pub more: bool,
    /// Whether they are of the caller's own library.
    pub is_owner: bool,
}

/// A face as a caller sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenFace {
    /// The face.
    pub face: Face,
    /// Whose it is.
    pub person: Option<Person>,
    /// Whose it may be by what is written into the image; for the owner, as long as it is nobody's
    /// with a name.
    pub written: Option<WrittenName>,
}

/// A name that is written into an image beside a face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenName {
    /// The name.
    pub name: Name,
    /// The person of the library who is called so, if there is one.
    pub person: Option<PersonId>,
}

/// Which persons to list.
#[derive(Clone, Debug, Default)]
pub struct PersonsWanted {
    /// A word of their name begins with this.
    pub named_like: Option<String>,
    /// Those who are left out of lists, instead of all others.
    pub hidden: bool,
    /// Only those with a name, or only those without.
    pub named: Option<bool>,
    /// In which order.
    pub order: PersonOrder,
}

/// The order of a list of persons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PersonOrder {
    /// As they were first seen.
    #[default]
    Seen,
    /// Those in the most images first.
    Count,
}

/// Images of somebody else's person that are looked at for a count or a cover.
const COUNTED_MAX: usize = 200;

impl Service {
    /// Persons of the caller's own library.
    ///
    /// # Errors
    /// When the caller's key does not allow it, or the cursor is wrong.
    pub async fn list_persons(
        &self,
        caller: &Caller,
        wanted: &PersonsWanted,
        page: &PageRequest,
    ) -> Result<Listed<SeenPerson>> {
        caller.require(Scope::Read)?;
        let listed = match wanted.order {
            PersonOrder::Seen => self.persons_as_seen(caller.user, wanted, page).await?,
            PersonOrder::Count => self.persons_by_count(caller.user, wanted, page).await?,
        };
        let Listed { entries, next } = listed;
        Ok(Listed { entries: entries.into_iter().map(SeenPerson::own).collect(), next })
    }

    async fn persons_as_seen(
        &self,
        owner: UserId,
        wanted: &PersonsWanted,
        page: &PageRequest,
    ) -> Result<Listed<Person>> {
        let mut entries = Vec::new();
        let mut request = page.clone();
        loop {
            request.limit = page.limit - entries.len();
            let listed = self.catalog().list_persons(owner, &request).await?;
            entries.extend(listed.entries.into_iter().filter(|person| wanted.takes(person)));
            request.cursor = listed.next;
            if request.cursor.is_none() || entries.len() >= page.limit {
                return Ok(Listed { entries, next: request.cursor });
            }
        }
    }

    /// All are read, since no index knows how often somebody appears; a page begins behind as many
    /// as its cursor says.
    async fn persons_by_count(
        &self,
        owner: UserId,
        wanted: &PersonsWanted,
        page: &PageRequest,
    ) -> Result<Listed<Person>> {
        let behind = page.cursor.as_ref().map(|cursor| cursor.as_str().parse::<usize>());
        let behind = behind.transpose().map_err(|_| Error::BadCursor)?.unwrap_or(0);
        let all = self.all_persons(owner).await?;
        let mut all: Vec<Person> = all.into_values().filter(|one| wanted.takes(one)).collect();
        all.sort_by_key(|person| (std::cmp::Reverse(person.face_count), person.id));
        let end = behind.saturating_add(page.limit);
        let next = (end < all.len()).then(|| Cursor::from_text(end.to_string()));
        let entries = all.into_iter().skip(behind).take(page.limit).collect();
        Ok(Listed { entries, next })
    }

    /// A person whom the caller may know of.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none; also if no photo with them may be seen.
    pub async fn load_person(&self, caller: &Caller, person: PersonId) -> Result<SeenPerson> {
        caller.require(Scope::Read)?;
        let found = self.catalog().find_person(person).await?;
        let found = found.filter(Person::is_somebody).ok_or(NO_PERSON)?;
        if found.owner == caller.user {
            return Ok(SeenPerson::own(found));
        }
        if !found.is_told() {
            return Err(NO_PERSON);
        }
        self.seen_by_others(caller, found).await?.ok_or(NO_PERSON)
    }

    /// Somebody of another library, as far as photos show them that the caller may see.
    pub(super) async fn seen_by_others(
        &self,
        caller: &Caller,
        person: Person,
    ) -> Result<Option<SeenPerson>> {
        let page = PageRequest::first(COUNTED_MAX);
        let Listed { entries: faces, next } =
            self.catalog().list_person_faces(person.id, &page).await?;
        let ids: Vec<ImageId> = faces.iter().map(|face| face.image).collect();
        let seen = self.catalog().find_images(&ids).await?;
        let seen = self.all_seen_by(caller, seen).await?;
        let seen: BTreeSet<ImageId> = seen.iter().map(|image| image.id).collect();
        let shown: Vec<&Face> = faces.iter().filter(|face| seen.contains(&face.image)).collect();
        let chosen = person.cover.filter(|cover| shown.iter().any(|face| face.id == cover.face));
        let best = shown
            .iter()
            .max_by(|one, other| one.quality.score.total_cmp(&other.quality.score))
            .map(|face| Cover { image: face.image, face: face.id, chosen: false });
        let count = seen.len();
        let person =
            Person { cover: chosen.or(best), hidden: false, user: None, face_count: 0, ..person };
        let more = next.is_some();
        Ok((count > 0).then_some(SeenPerson { person, count, more, is_owner: false }))
    }

    /// Images with a person, newest first, as far as the caller may see them. A page may be short
    /// although more follows.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller may know of no such person.
    pub async fn list_person_images(
        &self,
        caller: &Caller,
        person: PersonId,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        self.load_person(caller, person).await?;
        let Listed { entries, next } = self.catalog().list_person_images(person, page).await?;
        Ok(Listed { entries: self.all_seen_by(caller, entries).await?, next })
    }

    /// The faces of a person of the caller's own library, newest image first.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such person.
    pub async fn list_person_faces(
        &self,
        caller: &Caller,
        person: PersonId,
        page: &PageRequest,
    ) -> Result<Listed<SeenFace>> {
        caller.require(Scope::Read)?;
        let person = self.own_person(caller, person).await?;
        let Listed { entries, next } = self.catalog().list_person_faces(person.id, page).await?;
        let seen = |face| SeenFace { face, person: Some(person.clone()), written: None };
        Ok(Listed { entries: entries.into_iter().map(seen).collect(), next })
    }

    /// The faces in an image and whose they are, from left to right, and whether it was looked at.
    /// Others than the owner see only persons that have a name and are not hidden.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller may see no such image.
    pub async fn list_image_faces(
        &self,
        caller: &Caller,
        image: ImageId,
    ) -> Result<(Vec<SeenFace>, bool)> {
        let image = self.load_image(caller, image).await?;
        let mut faces = self.catalog().list_image_faces(image.id).await?;
        faces.retain(|face| face.deleted_person.is_none());
        let ids: Vec<PersonId> = faces.iter().filter_map(|face| face.person).collect();
        let persons = self.catalog().find_persons(&ids).await?;
        let persons: BTreeMap<PersonId, Person> =
            persons.into_iter().map(|person| (person.id, person)).collect();
        let is_owner = image.owner == caller.user;
        let seen = faces.into_iter().map(|face| {
            let person = face.person.and_then(|person| persons.get(&person)).cloned();
            SeenFace { face, person: person.filter(Person::is_somebody), written: None }
        });
        let is_shown =
            |seen: &SeenFace| is_owner || seen.person.as_ref().is_some_and(Person::is_told);
        let mut seen: Vec<SeenFace> = seen.filter(is_shown).collect();
        seen.sort_by(|one, other| one.face.bounds.left.total_cmp(&other.face.bounds.left));
        if is_owner {
            self.add_written_names(&image, &mut seen).await?;
        }
        let looked = self.catalog().find_looked_at(image.id).await?;
        Ok((seen, looked.is_some()))
    }
}

impl SeenPerson {
    pub(super) fn own(person: Person) -> Self {
        let count = usize::try_from(person.face_count).unwrap_or(0);
        Self { person, count, more: false, is_owner: true }
    }
}

impl PersonsWanted {
    fn takes(&self, person: &Person) -> bool {
        let is_named_like = self.named_like.as_deref().is_none_or(|beginning| {
            let name = person.name.as_ref().map(|name| name.as_str()).unwrap_or_default();
            let (names, beginnings) = (Term::in_order(name), Term::in_order(beginning));
            beginnings.iter().all(|beginning| {
                names.iter().any(|name| name.as_str().starts_with(beginning.as_str()))
            })
        });
        let is_named = self.named.is_none_or(|named| named == person.name.is_some());
        person.is_somebody()
            && person.hidden == self.hidden
            && is_named
            && is_named_like
            // Somebody unknown of whom no face is left is about to go.
            && (person.face_count > 0 || person.name.is_some())
    }
}
