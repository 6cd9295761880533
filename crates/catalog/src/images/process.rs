//! What processing leaves behind.

use std::collections::BTreeMap;

use model::{
    Facts, FailureCode, Image, ImageId, ImageStatus, Rendition, SizeName, Subject, Timestamp,
    UserId, Work, WorkKind,
};
use table::{Action, Transacted};

use super::{ReadFile, change, record_update};
use crate::edit::Owned;
use crate::entries::Swap;
use crate::retry::{Attempt, until_settled};
use crate::{Catalog, Held, Result, work};

/// What processing an image has made.
#[derive(Clone, Debug)]
pub struct Processed {
    /// What decoding told.
    pub facts: Facts,
    /// What was written into it, by its camera and by people.
    pub read: ReadFile,
    /// The renditions that have been written.
    pub renditions: BTreeMap<SizeName, Rendition>,
    /// Work that follows, such as finding faces.
    pub next: Vec<WorkKind>,
}

/// How finishing ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Finished {
    /// The image is as it was finished.
    Finished(Image),
    /// Somebody else took the work over; what was made is not recorded.
    Lost,
    /// The image is no more, and so is the work.
    Gone,
}

/// How trying again ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Retried {
    /// It waits to be processed, and is like this now.
    Retried(Image),
    /// It has not failed.
    NotFailed,
    /// This user has no such image.
    Missing,
}

impl Catalog {
    /// Records what processing has made, and ends the work, if it is still held.
    pub async fn finish_processing(
        &self,
        held: &Work,
        image: ImageId,
        processed: &Processed,
        now: Timestamp,
    ) -> Result<Finished> {
        until_settled!({
            let edit = |image: &mut Image| {
                image.status = ImageStatus::Completed;
                image.facts = Some(processed.facts.clone());
                if image.renditions != processed.renditions || image.processed_at.is_none() {
                    image.renditions.clone_from(&processed.renditions);
                    image.processed_at = Some(now);
                }
                image.error = None;
                image.failure_code = None;
            };
            let next = processed.next.iter().map(|kind| {
                let next = Work::new(*kind, Subject::Image(image), held.owner, now);
                work::work_row(&next).map(Action::put)
            });
            let end =
                std::iter::once(Ok(work::remove_held(held))).chain(next).collect::<Result<_>>();
            match end {
                Ok(end) => {
                    let read = Some(&processed.read);
                    self.try_end_processing(held, end, image, (edit, read), now).await
                }
                Err(error) => Err(error),
            }
        })
    }

    /// Gives processing up: the image has failed, and the work waits for its owner or an
    /// administrator to try it again. The owner is told the message, administrators the error.
    pub async fn fail_processing(
        &self,
        held: &Work,
        image: ImageId,
        (code, message): (FailureCode, &str),
        error: &str,
        now: Timestamp,
    ) -> Result<Finished> {
        until_settled!({
            let edit = |image: &mut Image| {
                // What has renditions can be seen, whatever became of further ones.
                image.status = match image.renditions.is_empty() {
                    true => ImageStatus::Failed,
                    false => ImageStatus::Completed,
                };
                image.error = Some(message.to_owned());
                image.failure_code = Some(code);
            };
            match work::bury(held, error, now) {
                Ok(bury) => {
                    self.try_end_processing(held, vec![bury], image, (edit, None), now).await
                }
                Err(error) => Err(error),
            }
        })
    }

    /// Guard 0 is about the work, the next one about the image.
    async fn try_end_processing(
        &self,
        held: &Work,
        end: Vec<Action>,
        image: ImageId,
        (edit, read): (impl Fn(&mut Image), Option<&ReadFile>),
        now: Timestamp,
    ) -> Result<Attempt<Finished>> {
        let Some(before) = self.find_image(image).await?.filter(|i| i.purging_since.is_none())
        else {
            let held = self.finish_work(held).await?;
            let ended = if held == Held::Still { Finished::Gone } else { Finished::Lost };
            return Ok(Attempt::Settled(ended));
        };
        let mut after = before.clone();
        edit(&mut after);
        if super::is_in_feed(&after)
            && let Some(uploaded_at) = after.uploaded_at
        {
            self.open_feed_month(uploaded_at).await?;
        }
        let mut swap = Swap::default();
        end.into_iter().for_each(|action| swap.guard(action));
        self.change_as_read(&mut swap, &before, &mut after, read, now).await?;
        Ok(match swap.run(&*self.table).await? {
            Transacted::Done => Attempt::Settled(Finished::Finished(after)),
            refused if refused.refusal(0).is_some() => Attempt::Settled(Finished::Lost),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }

    /// Tries an image of `owner` again that has failed.
    pub async fn retry_image(
        &self,
        image: ImageId,
        owner: UserId,
        now: Timestamp,
    ) -> Result<Retried> {
        until_settled!(self.try_retry_image(image, owner, now).await)
    }

    async fn try_retry_image(
        &self,
        image: ImageId,
        owner: UserId,
        now: Timestamp,
    ) -> Result<Attempt<Retried>> {
        let Ok(before) = Image::admit(self.find_image(image).await?, owner, None) else {
            return Ok(Attempt::Settled(Retried::Missing));
        };
        if before.status != ImageStatus::Failed {
            return Ok(Attempt::Settled(Retried::NotFailed));
        }
        let subject = Subject::Image(image);
        let mut actions = match self.find_work(WorkKind::Process, subject).await? {
            Some(dead) => vec![work::revive(&dead, now)?],
            // Somebody has taken the work away, but not what it was for.
            None => {
                let work = Work::new(WorkKind::Process, subject, owner, now);
                vec![Action::put(work::work_row(&work)?)]
            }
        };
        let (after, reset) = reset_to_processing(&before, now)?;
        actions.extend(reset);
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => Attempt::Settled(Retried::Retried(after)),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }

    /// Resets a failed image to `processing`.
    pub(crate) async fn unfail(&self, image: ImageId, now: Timestamp) -> Result<Vec<Action>> {
        let Some(before) = self.find_image(image).await? else { return Ok(Vec::new()) };
        Ok(reset_to_processing(&before, now)?.1)
    }
}

fn reset_to_processing(before: &Image, now: Timestamp) -> Result<(Image, Vec<Action>)> {
    let mut after = before.clone();
    after.status = ImageStatus::Processing;
    after.error = None;
    after.failure_code = None;
    let actions = vec![change(before, &mut after, now)?, record_update(&after, now)?];
    Ok((after, actions))
}
