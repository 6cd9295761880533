//! What happened, in order, as far as a caller may know it.
//!
//! A change is written with the time at which it was begun, and may become visible a moment
//! later, and out of order with others. So there are two ways to follow: a page tells only what
//! has settled, each change once and in order; a [`Follower`] tells at once what it sees, and
//! goes on from what has settled, so that after a break some changes come twice but none is lost.

use std::collections::HashSet;
use std::time::Duration;

use catalog::{Catalog, ChangeCursor};
use model::{Change, Entity, ImageId, Role, Timestamp, Visibility};

use crate::{Caller, Error, Result, Scope, Service};

/// How long a change may take from its beginning until everybody can see it.
const SETTLE_TIME: Duration = Duration::from_secs(5);
/// The name of the list in sealed cursors.
const LIST: &str = "changes";
/// Changes read at once, and how many of them are looked at for one page: where others do much
/// that the caller may not see, a page is short rather than slow.
const READ_AT_ONCE: usize = 100;
const READS_MAX: usize = 10;

/// Some changes, oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// What happened.
    pub changes: Vec<Change>,
    /// Where to go on; it stays good although nothing happens.
    pub next: String,
    /// Whether more has happened already.
    pub more: bool,
}

/// Where to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since<'a> {
    /// With the oldest change that is kept.
    Oldest,
    /// With what happens from now on.
    Now,
    /// Behind the page or event that carried this cursor.
    Cursor(&'a str),
}

impl Service {
    /// Changes that have settled, each once and in order.
    ///
    /// # Errors
    /// [`Error::BadCursor`] also for one that is older than what is kept: start from the lists.
    pub async fn list_changes(
        &self,
        caller: &Caller,
        since: Since<'_>,
        limit: usize,
    ) -> Result<Changes> {
        caller.require(Scope::Read)?;
        let settled = self.now().before(SETTLE_TIME);
        let mut place = self.place_of(caller, since, settled)?;
        let mut changes = Vec::new();
        for _ in 0..READS_MAX {
            let read = READ_AT_ONCE.min(limit.max(1));
            let found = self.catalog().list_changes(place.as_ref(), settled, read).await?;
            let whole = found.len() < read;
            let seen = self.seen_by(caller, found.iter().map(|(_, change)| change)).await?;
            for ((cursor, change), seen) in found.into_iter().zip(seen) {
                place = Some(cursor);
                if seen {
                    changes.push(change);
                }
                if changes.len() >= limit {
                    break;
                }
            }
            if whole && changes.len() < limit {
                let next = self.seal_change(caller, &ChangeCursor::after_all_at(settled));
                return Ok(Changes { changes, next, more: false });
            }
            if changes.len() >= limit {
                break;
            }
        }
        let place = place.unwrap_or_else(|| ChangeCursor::after_all_at(settled));
        Ok(Changes { changes, next: self.seal_change(caller, &place), more: true })
    }

    /// Follows what happens.
    ///
    /// # Errors
    /// As [`list_changes`](Self::list_changes).
    pub fn follow_changes(&self, caller: &Caller, since: Since<'_>) -> Result<Follower> {
        caller.require(Scope::Read)?;
        let settled = self.now().before(SETTLE_TIME);
        let now = match since {
            // What happened in the last seconds was in the lists already.
            Since::Now => Some(self.now()),
            _ => None,
        };
        let place = self.place_of(caller, since, settled)?;
        let (service, caller) = (self.clone(), caller.clone());
        Ok(Follower { service, caller, place, not_before: now, told: HashSet::new() })
    }

    /// Wakes those who follow, when something may have happened. Only a hint: they look from
    /// time to time, too.
    pub fn hint_change(&self) {
        self.changed().notify_waiters();
    }

    fn place_of(
        &self,
        caller: &Caller,
        since: Since<'_>,
        settled: Timestamp,
    ) -> Result<Option<ChangeCursor>> {
        match since {
            Since::Oldest => Ok(None),
            Since::Now => Ok(Some(ChangeCursor::after_all_at(settled))),
            Since::Cursor(sealed) => {
                let place = self.open_place(caller.user, LIST, sealed)?;
                Ok(Some(ChangeCursor::from_text(place)?))
            }
        }
    }

    fn seal_change(&self, caller: &Caller, cursor: &ChangeCursor) -> String {
        self.seal_place(caller.user, LIST, &cursor.to_text())
    }

    /// Which changes a caller may know of: what happens to their own things, to images that
    /// others share, and for administrators everything.
    async fn seen_by(
        &self,
        caller: &Caller,
        changes: impl Iterator<Item = &Change> + Clone,
    ) -> Result<Vec<bool>> {
        let all = caller.role == Role::Administrator && caller.scopes.contains(Scope::Admin);
        let is_own = |change: &Change| all || change.owner == caller.user;
        let foreign = changes.clone().filter(|change| !is_own(change)).filter_map(image_of);
        let foreign: Vec<ImageId> = foreign.collect();
        let shared = shared_of(self.catalog(), &foreign).await?;
        let is_shared = |change: &Change| image_of(change).is_some_and(|id| shared.contains(&id));
        Ok(changes.map(|change| is_own(change) || is_shared(change)).collect())
    }
}

/// Somebody who is told what happens.
pub struct Follower {
    service: Service,
    caller: Caller,
    /// Everything up to here has been told.
    place: Option<ChangeCursor>,
    /// Changes from before were not asked for.
    not_before: Option<Timestamp>,
    /// What has been told although it is behind the place.
    told: HashSet<ChangeCursor>,
}

impl Follower {
    /// What has happened since the last call, and where to go on after a break.
    ///
    /// # Errors
    /// When the table cannot be read.
    pub async fn next(&mut self) -> Result<Changes> {
        let service = self.service.clone();
        let now = service.now();
        let settled = now.before(SETTLE_TIME);
        // Clocks of other servers may be ahead.
        let newest = now.after(SETTLE_TIME);
        let (mut changes, mut more) = (Vec::new(), true);
        let (mut read_to, mut place) = (self.place.clone(), self.place.clone());
        for _ in 0..READS_MAX {
            let catalog = service.catalog();
            let found = catalog.list_changes(read_to.as_ref(), newest, READ_AT_ONCE).await?;
            more = found.len() == READ_AT_ONCE;
            let seen = service.seen_by(&self.caller, found.iter().map(|(_, c)| c)).await?;
            for ((cursor, change), seen) in found.into_iter().zip(seen) {
                read_to = Some(cursor.clone());
                if change.at <= settled {
                    place.clone_from(&read_to);
                }
                let is_asked_for = self.not_before.is_none_or(|from| change.at >= from);
                if self.told.insert(cursor) && seen && is_asked_for {
                    changes.push(change);
                }
            }
            if !more {
                break;
            }
        }
        if more && place == self.place {
            // So much at once cannot be waited for.
            place = read_to;
        }
        self.move_to(place, settled, more);
        let place = self.place.clone().unwrap_or_else(|| ChangeCursor::after_all_at(settled));
        Ok(Changes { changes, next: service.seal_change(&self.caller, &place), more })
    }

    /// Ends when something may have happened.
    pub async fn wait(&self) {
        self.service.changed().notified().await;
    }

    fn move_to(&mut self, place: Option<ChangeCursor>, settled: Timestamp, more: bool) {
        let end = ChangeCursor::after_all_at(settled);
        // Where nothing happens for long, the place must not grow too old to go on from.
        self.place = if more { place } else { place.max(Some(end)) };
        let place = self.place.clone();
        self.told.retain(|cursor| Some(cursor) > place.as_ref());
    }
}

fn image_of(change: &Change) -> Option<ImageId> {
    match change.entity {
        Entity::Image(image) => Some(image),
        Entity::Album(_) | Entity::Person(_) | Entity::User(_) => None,
    }
}

/// Those of these images that everybody may see.
async fn shared_of(catalog: &Catalog, images: &[ImageId]) -> Result<HashSet<ImageId>> {
    if images.is_empty() {
        return Ok(HashSet::new());
    }
    let found = catalog.find_images(images).await.map_err(Error::from)?;
    let shared = found
        .into_iter()
        .filter(|image| image.visibility == Visibility::Shared && image.is_visible());
    Ok(shared.map(|image| image.id).collect())
}
