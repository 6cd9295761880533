//! Erasing a user: everything of theirs goes, and then they do.
//!
//! Their images, with all that belongs to those, their albums and persons, their places in albums
//! of others, the tags they have set on images of others, their favourites, what they began to
//! upload, and all rows of their account. It may be cut short anywhere and begun again.

use std::time::Duration;

use catalog::{Claim, Held, ImageTags, Order, PageRequest, TagScope};
use model::{ImageId, Subject, UserId, WorkKind};

use crate::work::{Done, LEASE, Task};
use crate::{Error, Result, Service};

/// Rounds over what is left, which lists may show a moment late, and the pause between them.
const ROUNDS_MAX: usize = 120;
const PAUSE: Duration = Duration::from_millis(500);
const AT_ONCE: usize = 100;

impl Service {
    /// What a worker does who has claimed it.
    pub(crate) async fn erase(&self, task: &Task, user: UserId) -> Result<Done> {
        self.catalog().revoke_quota(user).await?;
        for round in 0.. {
            let left = self.erase_what_is_listed(user).await?;
            if left == 0 {
                break;
            }
            if round == ROUNDS_MAX {
                let message = format!("{left} things of {user} are still there");
                return Err(Error::Unavailable { message });
            }
            tokio::time::sleep(PAUSE).await;
        }
        self.erase_foreign_tags(user).await?;
        self.catalog().remove_favourites(user).await?;
        self.catalog().remove_contributions(user).await?;
        self.unlink_persons(user).await?;
        self.catalog().remove_user_rows(user).await?;
        let held = task.held().await;
        match self.catalog().finish_erase(&held, user, self.now()).await? {
            Held::Still => {
                self.hint_change();
                Ok(Done::Finished)
            }
            Held::Lost => Ok(Done::Lost),
        }
    }

    /// Removes what lists show of a user, and says how much that was.
    async fn erase_what_is_listed(&self, user: UserId) -> Result<usize> {
        let page = PageRequest::first(AT_ONCE);
        let catalog = self.catalog();
        let mut left = 0;
        for upload in self.uploads_of(user).await? {
            left += 1;
            self.clear_upload(upload).await?;
        }
        let images = catalog.list_images(user, Order::Newest, &page).await?.entries;
        let trashed = catalog.list_trash(user, &page).await?.entries;
        for image in images.iter().chain(&trashed) {
            left += 1;
            self.purge_now(user, image.id).await?;
        }
        for album in catalog.list_albums(user, &page).await?.entries {
            left += 1;
            // One that has others nested in it goes in the round after these.
            let _ = catalog.delete_album(album.id, user, None, self.now()).await?;
        }
        for (album, _) in catalog.list_memberships(user, &page).await?.entries {
            left += 1;
            catalog.delete_album_member(album.id, user, self.now()).await?;
        }
        for person in catalog.list_persons(user, &page).await?.entries {
            left += 1;
            catalog.delete_person(person.id, user, self.now()).await?;
        }
        Ok(left)
    }

    /// Uploads that have not been completed are in no list of their owner, but their end is.
    async fn uploads_of(&self, user: UserId) -> Result<Vec<ImageId>> {
        let mut uploads = Vec::new();
        let mut page = PageRequest::first(AT_ONCE);
        loop {
            let listed = self.catalog().list_work(WorkKind::Expire, &page).await?;
            uploads.extend(listed.entries.iter().filter(|work| work.owner == user).filter_map(
                |work| match work.subject {
                    Subject::Image(image) => Some(image),
                    Subject::User(_) => None,
                },
            ));
            page.cursor = listed.next;
            if page.cursor.is_none() {
                return Ok(uploads);
            }
        }
    }

    /// Purges an image unless somebody else is at it.
    async fn purge_now(&self, user: UserId, image: ImageId) -> Result<()> {
        let now = self.now();
        let _ = self.catalog().trash_image(image, user, None, now, now).await?;
        let claim = Claim { worker: "erase".to_owned(), lease: LEASE, limit: 1 };
        let subject = Subject::Image(image);
        let claimed = self.catalog().claim_work_of(WorkKind::Purge, subject, &claim, now).await?;
        if let Some(work) = claimed {
            let _ = self.purge(&Task::new(work), image).await?;
        }
        Ok(())
    }

    /// Tags that the user has set on images of others.
    async fn erase_foreign_tags(&self, user: UserId) -> Result<()> {
        let scope = TagScope::Author(user);
        let mut after = None;
        loop {
            let tags = self.catalog().list_tags(scope, "", after.as_ref(), AT_ONCE).await?;
            let Some(last) = tags.last().cloned() else { return Ok(()) };
            for tag in &tags {
                let mut page = PageRequest::first(AT_ONCE);
                loop {
                    let hits = self.catalog().list_images_by_tag(scope, tag, &page).await?;
                    for hit in &hits.entries {
                        let (none, now) = (ImageTags::default(), self.now());
                        let _ = self.catalog().set_tags(hit.image.id, user, &none, now).await?;
                    }
                    page.cursor = hits.next;
                    if page.cursor.is_none() {
                        break;
                    }
                }
            }
            after = Some(last);
        }
    }
}
