//! Saying when images were taken, of one and of many: a date, a shift, another zone, and back.

use futures::{StreamExt, stream};
use model::limits::TAKEN_AT_ONCE_MAX;
use model::{Image, ImageId, TakenAt};

use super::edit::EditImage;
use crate::{Caller, Error, Result, Scope, Service};

/// How the dates of images change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakenChange {
    /// To this; nothing goes back to what the file says.
    Set(Option<TakenAt>),
    /// By so many seconds, in the zone that it has.
    Shift {
        /// Backwards if negative.
        seconds: i64,
    },
    /// It was in this zone, in minutes east of UTC, while the clock showed the time of another one.
    Zone {
        /// Where it was taken.
        offset_minutes: i32,
        /// What the clock showed.
        clock_offset_minutes: i32,
    },
}

/// What became of the date of one of many images.
#[derive(Clone, Debug, PartialEq)]
pub enum TakenEnd {
    /// The image is like this now.
    Changed {
        /// What its owner had said before, for whoever wants to go back.
        previous: Option<TakenAt>,
        /// The image.
        image: Box<Image>,
    },
    /// Nothing is known from which a shift or another zone could start.
    NoDate,
    /// The date would not be one that a photo can have.
    Impossible,
    /// The caller has no such image.
    NotFound,
    /// Others change it all the time.
    Contested,
}

/// Images changed side by side.
const TOGETHER: usize = 8;
/// Attempts at an image that others change at the same time.
const ATTEMPTS: u32 = 5;

impl Service {
    /// Changes when images were taken, each as by itself, and says what became of each, in their
    /// order.
    ///
    /// # Errors
    /// When there are too many, the date cannot be, the caller's key does not allow it, or the table
    /// cannot be used. Changes that were made until then stay.
    pub async fn change_taken(
        &self,
        caller: &Caller,
        changes: &[(ImageId, TakenChange)],
    ) -> Result<Vec<TakenEnd>> {
        caller.require(Scope::Write)?;
        if changes.len() > TAKEN_AT_ONCE_MAX {
            let message = format!("at most {TAKEN_AT_ONCE_MAX} images at once");
            return Err(Error::invalid("ids", message));
        }
        for (_, change) in changes {
            if let TakenChange::Set(Some(taken)) = change {
                self.check_taken(*taken)?;
            }
        }
        let ends =
            changes.iter().copied().map(|(image, change)| self.change_one(caller, image, change));
        let ends: Vec<Result<TakenEnd>> = stream::iter(ends).buffered(TOGETHER).collect().await;
        self.hint_change();
        ends.into_iter().collect()
    }

    async fn change_one(
        &self,
        caller: &Caller,
        id: ImageId,
        change: TakenChange,
    ) -> Result<TakenEnd> {
        for _ in 0..ATTEMPTS {
            let found = self.catalog().find_image(id).await?;
            let own = |image: &Image| image.owner == caller.user && image.uploaded_at.is_some();
            let Some(before) = found.filter(own) else { return Ok(TakenEnd::NotFound) };
            let Some(taken) = change.of(&before) else { return Ok(TakenEnd::NoDate) };
            if taken.is_some_and(|taken| !taken.can_be_said(self.now())) {
                return Ok(TakenEnd::Impossible);
            }
            let edit = EditImage { taken: Some(taken), ..EditImage::default() };
            match self.edit_image(caller, id, Some(before.version), edit).await {
                Ok(after) => {
                    let (previous, image) = (before.taken_set, Box::new(after.value));
                    return Ok(TakenEnd::Changed { previous, image });
                }
                Err(Error::Conflict { .. }) => {}
                Err(Error::NotFound { .. }) => return Ok(TakenEnd::NotFound),
                Err(error) => return Err(error),
            }
        }
        Ok(TakenEnd::Contested)
    }

    /// Refuses a date that no picture can have.
    pub(super) fn check_taken(&self, taken: TakenAt) -> Result<()> {
        if taken.can_be_said(self.now()) {
            return Ok(());
        }
        let message = format!("{taken} lies in the future, or before the year 1");
        Err(Error::invalid("takenAt", message))
    }
}

impl TakenChange {
    /// What its owner would say of an image then; nothing, if there is nothing to start from.
    fn of(self, image: &Image) -> Option<Option<TakenAt>> {
        let clock = image.taken_by_clock();
        match self {
            Self::Set(taken) => Some(taken),
            Self::Shift { seconds } => clock.map(|clock| Some(clock.shifted(seconds))),
            Self::Zone { offset_minutes, clock_offset_minutes } => {
                clock.map(|clock| Some(clock.in_zone(offset_minutes, clock_offset_minutes)))
            }
        }
    }
}
