//! Counts that are wrong: of libraries that were loaded by a program that was cut short, or
//! changed by one that knew nothing of timelines.

use model::{TimelineOrder, UserId};
use table::{Action, Condition};

use super::build::Difference;
use super::hour::start_of;
use super::sums::names;
use crate::{Catalog, Result, keys};

impl Catalog {
    /// Counts what the index has shown again and again. If it was only very late, that will be
    /// found wrong, and counted anew, in turn.
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
            let month = missing.add_to(Action::update(keys::timeline_month(user, at)), order);
            let _ = self.table.transact(vec![hour, month]).await?;
        }
        Ok(())
    }
}
