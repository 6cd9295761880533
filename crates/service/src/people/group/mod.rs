//! Who is who in one library.
//!
//! One worker at a time reads all faces and all decisions of a library, groups the faces, and gives
//! each group the person that most of it was. Which faces belong together depends on the faces and
//! the decisions alone; only what persons are numbered depends on what was there before. Nothing is
//! written that is so already, so it may be cut short anywhere and begun again.

mod apply;
mod census;
mod decisions;
mod kept;
mod plan;

use model::UserId;

use crate::work::{Done, Task};
use crate::{Result, Service};
use catalog::Held;
use plan::Plan;

pub(crate) use kept::KeptLibraries;

pub(super) use decisions::{Decisions, pair};

impl Service {
    /// What a worker does who has claimed it.
    pub(crate) async fn group(&self, task: &Task, owner: UserId) -> Result<Done> {
        let (started, seen) = (self.now(), self.catalog().find_library(owner).await?);
        let user = self.catalog().find_user(owner).await?;
        let Some(user) = user.filter(|user| user.erasing_since.is_none()) else {
            // Whoever erases them removes the rest.
            drop(self.kept_libraries().take(owner));
            return Ok(done(self.catalog().finish_work(&*task.held().await).await?));
        };
        let is_whole = if user.unrecognised {
            drop(self.kept_libraries().take(owner));
            self.forget_library(owner).await?;
            true
        } else {
            let census = self.take_census(owner, seen.faces).await?;
            let plan = crate::studio::off_the_runtime(move || Ok(Plan::of(census))).await?;
            let is_whole = self.apply(task, owner, &plan, started).await?;
            self.kept_libraries().put(owner, plan.census.libraries);
            is_whole
        };
        if is_whole {
            self.recognise_owner(&user).await?;
        }
        let held = task.held().await;
        let now = self.now();
        // If something was not as it was read, it is all read again.
        let ended = match is_whole {
            true => self.catalog().finish_grouping(&held, seen, now).await?,
            false => self.catalog().group_again(&held, now).await?,
        };
        drop(held);
        self.hint();
        self.hint_change();
        Ok(done(ended))
    }
}

fn done(held: Held) -> Done {
    if held == Held::Still { Done::Finished } else { Done::Lost }
}
