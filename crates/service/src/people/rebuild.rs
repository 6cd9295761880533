//! Looking at everything again, after a change of models.

use catalog::{Listed, Order, PageRequest};
use model::{Subject, UserId, Work, WorkKind};

use crate::{Caller, Error, Result, Service};

/// How far looking for faces has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FacesProgress {
    /// Images that still wait, at most [`crate::Progress::COUNTED_MAX`].
    pub waiting: usize,
    /// Images that were given up, at most as many.
    pub failed: usize,
    /// Libraries that wait to be grouped, at most as many.
    pub grouping: usize,
}

impl Service {
    /// Has all images looked at that the present models have not seen, or all there are; says how
    /// many wait for that now. What was decided about persons holds: a face that is found again is
    /// the same face. It may be cut short and begun again.
    ///
    /// # Errors
    /// When the caller is no administrator, or no models are there.
    pub async fn rebuild_faces(&self, caller: &Caller, all: bool) -> Result<usize> {
        caller.require_administrator()?;
        let Some(finder) = self.people().finder() else {
            return Err(Error::PeopleOff);
        };
        let model = finder.model().to_owned();
        let mut queued = 0;
        let mut users = PageRequest::first(100);
        loop {
            let Listed { entries, next } = self.catalog().list_users(&users).await?;
            for user in entries.iter().filter(|user| !user.unrecognised) {
                queued += self.look_at_all(user.id, (!all).then_some(model.as_str())).await?;
            }
            users.cursor = next;
            if users.cursor.is_none() {
                self.hint();
                return Ok(queued);
            }
        }
    }

    /// Has the images of a library looked at, but for those that a model has seen.
    pub(crate) async fn look_at_all(&self, owner: UserId, known_by: Option<&str>) -> Result<usize> {
        let mut queued = 0;
        let mut images = PageRequest::first(100);
        loop {
            let Listed { entries, next } =
                self.catalog().list_images(owner, Order::Newest, &images).await?;
            for image in entries.iter().filter(|image| !image.renditions.is_empty()) {
                let looked = match known_by {
                    Some(_) => self.catalog().find_looked_at(image.id).await?,
                    None => None,
                };
                let is_known = looked.is_some_and(|looked| Some(looked.model.as_str()) == known_by);
                if is_known || image.external.is_some() {
                    continue;
                }
                let subject = Subject::Image(image.id);
                let work = Work::new(WorkKind::Faces, subject, owner, self.now());
                queued += usize::from(self.catalog().put_work(&work).await?);
            }
            images.cursor = next;
            if images.cursor.is_none() {
                return Ok(queued);
            }
        }
    }

    /// How many images wait to be looked at, and how many were given up.
    ///
    /// # Errors
    /// When the caller is no administrator.
    pub async fn faces_progress(&self, caller: &Caller) -> Result<FacesProgress> {
        caller.require_administrator()?;
        Ok(FacesProgress {
            waiting: self.count_work(WorkKind::Faces, false).await?,
            failed: self.count_work(WorkKind::Faces, true).await?,
            grouping: self.count_work(WorkKind::Group, false).await?,
        })
    }

    async fn count_work(&self, kind: WorkKind, dead: bool) -> Result<usize> {
        let mut count = 0;
        let mut page = PageRequest::first(1000);
        loop {
            let listed = match dead {
                true => self.catalog().list_dead_work(kind, &page).await?,
                false => self.catalog().list_work(kind, &page).await?,
            };
            count += listed.entries.len();
            page.cursor = listed.next;
            if page.cursor.is_none() || count >= crate::Progress::COUNTED_MAX {
                return Ok(count);
            }
        }
    }
}
