//! What persons are called, whether they are shown, and what stands for them.

use model::{Cover, FaceId, Name, PeopleEdit, PeopleEditKind, Person, PersonId, UserId};

use super::SeenPerson;
use crate::{Caller, Error, Result, Scope, Service};

/// What to change of a person. `None` leaves as it is; `Some(None)` takes away.
#[derive(Clone, Debug, Default)]
pub struct EditPerson {
    /// What they are called.
    pub name: Option<Option<Name>>,
    /// Whether they are left out of lists.
    pub hidden: Option<bool>,
    /// The face that stands for them; without one, the best does.
    pub cover: Option<Option<FaceId>>,
    /// The account they have.
    pub user: Option<Option<UserId>>,
}

impl Service {
    /// Changes a person of the caller's own library; each part is a decision of its own, that can
    /// be undone. With a version, only if they still have that one.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the caller has no such person, [`Error::Conflict`] if they were changed
    /// meanwhile.
    pub async fn edit_person(
        &self,
        caller: &Caller,
        person: PersonId,
        version: Option<i64>,
        edit: EditPerson,
    ) -> Result<SeenPerson> {
        caller.require(Scope::Write)?;
        let mut person = self.own_person(caller, person).await?;
        if version.is_some_and(|version| version != person.version) {
            return Err(Error::Conflict { current: person.version });
        }
        let EditPerson { name, hidden, cover, user } = edit;
        // Looked at before anything is changed.
        let cover = match cover {
            Some(Some(face)) => Some(Some(self.find_cover(&person, face).await?)),
            Some(None) => Some(None),
            None => None,
        };
        if let Some(Some(user)) = user {
            let found = self.catalog().find_user(user).await?;
            found.ok_or_else(|| Error::invalid("user", "there is no such user"))?;
        }
        if let Some(name) = name {
            self.rename(caller, &mut person, name).await?;
        }
        if let Some(hidden) = hidden {
            self.hide_person(caller, &mut person, hidden).await?;
        }
        if let Some(cover) = cover {
            self.cover(caller, &mut person, cover).await?;
        }
        if let Some(user) = user {
            self.link(caller, &mut person, user).await?;
        }
        Ok(SeenPerson::own(person))
    }

    /// Says what somebody is called; the decision, if they were not called so before.
    pub(super) async fn rename(
        &self,
        caller: &Caller,
        person: &mut Person,
        name: Option<Name>,
    ) -> Result<Option<PeopleEdit>> {
        if person.name == name {
            return Ok(None);
        }
        let text = |name: &Option<Name>| name.as_ref().map(|name| name.as_str().to_owned());
        let mut edit = self.new_edit(caller, PeopleEditKind::Rename, person.id);
        edit.before = text(&person.name);
        edit.after = text(&name);
        if name.is_some() {
            // Whoever has a name is never taken for somebody else with one.
            edit.pins = self.anchors_of(person.id).await?;
        }
        self.put_edit(person, &edit, |person| person.name = name).await?;
        Ok(Some(edit))
    }

    async fn hide_person(&self, caller: &Caller, person: &mut Person, hidden: bool) -> Result<()> {
        if person.hidden == hidden {
            return Ok(());
        }
        let mut edit = self.new_edit(caller, PeopleEditKind::Hide, person.id);
        edit.before = Some(person.hidden.to_string());
        edit.after = Some(hidden.to_string());
        self.put_edit(person, &edit, |person| person.hidden = hidden).await
    }

    async fn cover(
        &self,
        caller: &Caller,
        person: &mut Person,
        cover: Option<Cover>,
    ) -> Result<()> {
        let chosen = person.cover.filter(|cover| cover.chosen);
        if chosen == cover {
            return Ok(());
        }
        let mut edit = self.new_edit(caller, PeopleEditKind::Cover, person.id);
        edit.before = chosen.map(|cover| place_of(&cover));
        edit.after = cover.map(|cover| place_of(&cover));
        edit.face = cover.map(|cover| cover.face);
        edit.image = cover.map(|cover| cover.image);
        self.put_edit(person, &edit, |person| person.cover = cover).await
    }

    async fn link(&self, caller: &Caller, person: &mut Person, user: Option<UserId>) -> Result<()> {
        if person.user == user {
            return Ok(());
        }
        let mut edit = self.new_edit(caller, PeopleEditKind::Link, person.id);
        edit.before = person.user.map(|user| user.to_string());
        edit.after = user.map(|user| user.to_string());
        self.put_edit(person, &edit, |person| person.user = user).await
    }

    async fn put_edit(
        &self,
        person: &mut Person,
        edit: &PeopleEdit,
        change: impl FnOnce(&mut Person),
    ) -> Result<()> {
        let changed = self.with_change(person, change);
        let after = changed.1.clone();
        self.decide(None, edit, &[changed]).await?;
        *person = after;
        Ok(())
    }

    async fn find_cover(&self, person: &Person, face: FaceId) -> Result<Cover> {
        let faces = self.faces_of(person.id).await?;
        let found = faces.iter().find(|known| known.id == face);
        let found = found.ok_or_else(|| Error::invalid("cover", "the person has no such face"))?;
        Ok(Cover { image: found.image, face, chosen: true })
    }
}

/// A cover as text, to be found again.
pub(super) fn place_of(cover: &Cover) -> String {
    format!("{}/{}", cover.image, cover.face)
}

/// The cover of such a text.
pub(super) fn cover_at(place: &str) -> Option<Cover> {
    let (image, face) = place.split_once('/')?;
    Some(Cover { image: image.parse().ok()?, face: face.parse().ok()?, chosen: true })
}
