//! Counts that are wrong: of libraries that were loaded by a program that was cut short, or
//! changed by one that knew nothing of timelines.

use model::{Month, TimelineOrder, UserId};
use table::{Action, Condition, Key};

use super::build::Difference;
use super::hour::start_of;
use super::sums::names;
use crate::{Catalog, Result, keys};

impl Catalog {
    /// Counts what the index has shown again and again. If it was only very late, that will be
    /// found wrong, and counted anew, in turn: the month is in doubt until it was right once.
    pub(super) async fn repair_hours(
        &self,
        user: UserId,
        order: TimelineOrder,
        wrong: &[Difference],
    ) -> Result<()> {
        for Difference { hour, counted, shown } in wrong {
            let at = start_of(*hour);
            let missing = *shown + -*counted;
            let (count, sum) = names(order);
            let mut hour = missing.add_to(Action::update(keys::timeline_hour(user, at)), order);
            // Nobody has counted meanwhile.
            if !counted.is_zero() {
                hour = hour
                    .when(Condition::equals(count, counted.count))
                    .when(Condition::equals(sum, counted.sum));
            }
            let month = Action::update(keys::timeline_month(user, at)).set(doubt(order), true);
            let month = missing.add_to(month, order);
            let _ = self.table.transact(vec![hour, month]).await?;
        }
        Ok(())
    }

    /// Believes the counts of a month again that were found to be right.
    pub(super) async fn end_doubt(
        &self,
        user: UserId,
        order: TimelineOrder,
        month: Month,
    ) -> Result<()> {
        let key = Key::new(keys::timeline(user), month.to_string());
        let believed = Action::update(key).remove(doubt(order));
        let believed = believed.when(Condition::Has(doubt(order).to_owned()));
        let _ = self.table.transact(vec![believed]).await?;
        Ok(())
    }
}

/// The attribute of a month whose counts were corrected. What the index shows may have been late,
/// and what is counted as nothing would not be looked at again.
pub(super) fn doubt(order: TimelineOrder) -> &'static str {
    match order {
        TimelineOrder::Uploaded => "uploadedDoubt",
        TimelineOrder::Taken => "takenDoubt",
    }
}
