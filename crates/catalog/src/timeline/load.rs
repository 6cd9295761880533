//! A timeline as it is now, of what is known already and what has changed since.

use std::sync::Arc;

use futures::future::try_join_all;
use model::{Month, TimelineOrder, UserId};
use table::{Item, QUERY_LIMIT_MAX, Query};

use super::repair::doubt;
use super::sums::Sums;
use super::{Timeline, TimelineMonth};
use crate::{Catalog, Result, keys};

/// Months that are made at the same time.
const AT_ONCE: usize = 16;

impl Catalog {
    /// The images of a user in an order, if that is [prepared](Self::prepare_timeline). What is
    /// known from before is used again as far as it is still so.
    pub async fn load_timeline(
        &self,
        user: UserId,
        order: TimelineOrder,
        known: Option<&Arc<Timeline>>,
    ) -> Result<Option<Arc<Timeline>>> {
        if let Some(known) = known.filter(|known| self.is_still(known)) {
            return Ok(Some(Arc::clone(known)));
        }
        let partition = keys::timeline(user);
        let stamp = self.table.watch().and_then(|watch| watch.stamp(&partition));
        let rows = self.load_partition(Query::partition(partition)).await?;
        if !rows.iter().any(|row| row.key.sk == keys::TIMELINE_READY) {
            return Ok(None);
        }
        let mut wanted: Vec<Counted> =
            rows.iter().filter_map(|row| Counted::of(row, order)).collect();
        wanted.sort_by_key(|counted| std::cmp::Reverse(counted.month));
        let mut months = Vec::with_capacity(wanted.len());
        for some in wanted.chunks(AT_ONCE) {
            let made = some.iter().map(|counted| {
                let before = known.and_then(|known| known.month(counted.month));
                self.current_month(user, order, counted, before)
            });
            months.extend(try_join_all(made).await?);
        }
        months.retain(|month| !month.hours.is_empty());
        Ok(Some(Arc::new(Timeline { order, months, stamp })))
    }

    fn is_still(&self, known: &Timeline) -> bool {
        known.stamp.is_some_and(|stamp| self.is_current(stamp))
    }

    async fn current_month(
        &self,
        user: UserId,
        order: TimelineOrder,
        counted: &Counted,
        known: Option<&Arc<TimelineMonth>>,
    ) -> Result<Arc<TimelineMonth>> {
        let Counted { month, sums, in_doubt } = *counted;
        if in_doubt {
            let made = self.build_month(user, order, month, None).await?;
            if made.sums == sums {
                self.end_doubt(user, order, month).await?;
            }
            return Ok(Arc::new(made));
        }
        let saved;
        let before = match known {
            Some(known) => Some(known),
            None => {
                saved = self.find_saved_month(user, order, month).await?.map(Arc::new);
                saved.as_ref()
            }
        };
        if let Some(before) = before.filter(|before| before.sums == sums) {
            return Ok(Arc::clone(before));
        }
        let mut made = self.build_month(user, order, month, before.map(|b| &**b)).await?;
        if made.is_worth_saving() {
            self.save_month(user, order, &made).await?;
            made.unsaved = 0;
        }
        Ok(Arc::new(made))
    }

    /// All rows that a query finds.
    pub(super) async fn load_partition(&self, query: Query) -> Result<Vec<Item>> {
        let mut rows = Vec::new();
        let mut start = None;
        loop {
            let query = query.clone().limit(QUERY_LIMIT_MAX).start(start);
            let page = self.table.query(&query).await?;
            rows.extend(page.items);
            start = page.next;
            if start.is_none() {
                return Ok(rows);
            }
        }
    }
}

/// What the row of a month says.
struct Counted {
    month: Month,
    sums: Sums,
    /// Whether it was corrected, and not found to be right since.
    in_doubt: bool,
}

impl Counted {
    fn of(row: &Item, order: TimelineOrder) -> Option<Self> {
        let month = row.key.sk.parse().ok()?;
        let (sums, in_doubt) = (Sums::of_row(row, order), row.get(doubt(order)).is_some());
        Some(Self { month, sums, in_doubt }).filter(|found| in_doubt || !found.sums.is_zero())
    }
}
