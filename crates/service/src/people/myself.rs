//! Photos with me.

use std::collections::BTreeSet;

use catalog::{Cursor, Listed, PageRequest};
use model::{Image, Person};

use super::SeenPerson;
use crate::{Caller, Error, Result, Scope, Service};

/// Persons somebody is said to be, at most.
const SELVES_MAX: usize = 100;

impl Service {
    /// Who the caller is: in their own library, and in those of others as far as photos show them
    /// that the caller may see.
    ///
    /// # Errors
    /// When the caller's key does not allow it.
    pub async fn list_my_persons(&self, caller: &Caller) -> Result<Vec<SeenPerson>> {
        caller.require(Scope::Read)?;
        let mut seen = Vec::new();
        for person in self.selves(caller).await? {
            if person.owner == caller.user {
                seen.push(SeenPerson::own(person));
            } else {
                seen.extend(self.seen_by_others(caller, person).await?);
            }
        }
        Ok(seen)
    }

    async fn selves(&self, caller: &Caller) -> Result<Vec<Person>> {
        let user = self.catalog().find_user(caller.user).await?;
        let own = match user.and_then(|user| user.person) {
            Some(person) => self.catalog().find_person(person).await?,
            None => None,
        };
        let page = PageRequest::first(SELVES_MAX);
        let linked = self.catalog().list_selves(caller.user, &page).await?.entries;
        let mut known = BTreeSet::new();
        let all = own.filter(|own| own.owner == caller.user).into_iter().chain(linked);
        Ok(all.filter(|person| person.is_somebody() && known.insert(person.id)).collect())
    }

    /// Images that show the caller, newest first within each library, their own first, as far as
    /// they may see them. A page may be short although more follows.
    ///
    /// # Errors
    /// When the caller's key does not allow it, or the cursor is wrong.
    pub async fn list_photos_with_me(
        &self,
        caller: &Caller,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        caller.require(Scope::Read)?;
        let selves = self.selves(caller).await?;
        // Which person, and where in their images.
        let place = page.cursor.as_ref().map(|cursor| cursor.as_str().to_owned());
        let (at, inner) = match place.as_deref().map(|place| place.split_once(':')) {
            None => (0, None),
            Some(Some((at, inner))) => {
                let at: usize = at.parse().map_err(|_| Error::BadCursor)?;
                (at, (!inner.is_empty()).then(|| Cursor::from_text(inner)))
            }
            Some(None) => return Err(Error::BadCursor),
        };
        let Some(person) = selves.get(at) else {
            return Ok(Listed { entries: Vec::new(), next: None });
        };
        let request = PageRequest::after(page.limit, inner);
        let Listed { entries, next } =
            self.catalog().list_person_images(person.id, &request).await?;
        let next = match next {
            Some(inner) => Some(format!("{at}:{}", inner.as_str())),
            None if at + 1 < selves.len() => Some(format!("{}:", at + 1)),
            None => None,
        };
        let entries = self.all_seen_by(caller, entries).await?;
        Ok(Listed { entries, next: next.map(Cursor::from_text) })
    }
}
