//! Not being recognised any more.

use catalog::{Listed, PageRequest};
use model::{PersonId, User, UserId};

use crate::{Result, Service};

const AT_ONCE: usize = 100;

impl Service {
    /// Removes everything that is known of the people in a library: faces, vectors, portraits,
    /// persons with their names, and what was decided about them. May be repeated.
    pub(crate) async fn forget_library(&self, owner: UserId) -> Result<()> {
        loop {
            let page = PageRequest::first(AT_ONCE);
            let Listed { entries, .. } = self.catalog().list_library_faces(owner, &page).await?;
            if entries.is_empty() {
                break;
            }
            self.delete_portraits(entries.iter().map(|face| (face.image, face.id))).await?;
            for face in &entries {
                self.catalog().forget_face(face, self.now()).await?;
            }
        }
        for person in self.all_persons(owner).await?.into_keys() {
            self.catalog().delete_person(person, owner, self.now()).await?;
        }
        self.catalog().remove_people_rows(owner).await?;
        self.hint_change();
        Ok(())
    }

    /// Has everything grouped again that a user's wish to be recognised, or not, makes a difference
    /// to: their own library, and those in which somebody said who they are.
    pub(crate) async fn recognise_or_not(&self, user: &User, wish: Option<bool>) -> Result<()> {
        let user = user.id;
        let has_faces = self.catalog().find_library(user).await?.faces > 0;
        if wish.is_some() || has_faces {
            self.catalog().put_grouping(user, self.now()).await?;
        }
        if wish == Some(false) && self.people().finder().is_some() {
            let service = self.clone();
            // Nobody waits for that; an administrator can have it done again.
            tokio::spawn(async move {
                if let Err(error) = service.look_at_all(user, None).await {
                    tracing::error!(%user, %error, "not all images could be had looked at again");
                }
                service.hint();
            });
        }
        let mut page = PageRequest::first(AT_ONCE);
        loop {
            let Listed { entries, next } = self.catalog().list_selves(user, &page).await?;
            for person in entries.iter().filter(|person| person.owner != user) {
                self.catalog().put_grouping(person.owner, self.now()).await?;
            }
            page.cursor = next;
            if page.cursor.is_none() {
                break;
            }
        }
        self.hint();
        Ok(())
    }

    /// Persons in libraries of others are nobody's account any more.
    pub(crate) async fn unlink_persons(&self, user: UserId) -> Result<()> {
        let page = PageRequest::first(AT_ONCE);
        loop {
            let Listed { entries, .. } = self.catalog().list_selves(user, &page).await?;
            let others: Vec<PersonId> = entries.iter().map(|person| person.id).collect();
            if others.is_empty() {
                return Ok(());
            }
            for person in others {
                self.catalog().unlink_person(person, user, self.now()).await?;
            }
        }
    }
}
