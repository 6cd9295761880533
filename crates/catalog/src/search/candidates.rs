//! Which images to look at, newest first, so that few are looked at in vain.

use std::collections::BTreeSet;

use super::budget::Budget;
use super::condition::Condition;
use super::conditions::Scope;
use super::position::{From, Position};
use crate::{Catalog, Result};

/// Images that meet the conditions as far as indexes know, newest first.
pub(super) struct Candidates {
    way: Way,
    /// From where on there are more.
    from: From,
    is_done: bool,
}

enum Way {
    /// All of them, oldest first.
    Known(Vec<Position>),
    /// Conditions in order, of which each is asked to skip what another one lacks.
    Skip(Vec<Condition>),
}

impl Candidates {
    /// Decides by how many images meet each condition.
    pub(super) async fn plan(
        catalog: &Catalog,
        scope: &Scope<'_>,
        mut conditions: Vec<Condition>,
    ) -> Result<Self> {
        if let Some(known) = Self::close(catalog, &mut conditions).await? {
            return Ok(Self::known(known, scope.from));
        }
        for condition in &mut conditions {
            condition.put_in_order(catalog).await?;
        }
        conditions.retain(Condition::is_in_order);
        if conditions.is_empty() {
            conditions.push(scope.sight(catalog).await?);
        }
        Ok(Self::skipping(conditions, scope.from))
    }

    /// All that meet the conditions, if there is one that is met by few.
    pub(super) async fn close(
        catalog: &Catalog,
        conditions: &mut [Condition],
    ) -> Result<Option<BTreeSet<Position>>> {
        for bound in catalog.search_limits.closed {
            let mut known: Option<BTreeSet<Position>> = None;
            for condition in conditions.iter_mut() {
                // Beyond that it costs less to look at the images that are known.
                let bound = known.as_ref().map_or(bound, |known| bound.min(2 * known.len()));
                if let Some(closed) = condition.close(catalog, bound).await? {
                    known = Some(match known {
                        Some(known) => known.intersection(&closed).cloned().collect(),
                        None => closed,
                    });
                }
            }
            if known.is_some() {
                return Ok(known);
            }
        }
        Ok(None)
    }

    /// These, of which none is newer than `from`.
    pub(super) fn known(known: BTreeSet<Position>, from: &From) -> Self {
        let way = Way::Known(known.into_iter().collect());
        Self { way, from: from.clone(), is_done: false }
    }

    /// What meets all of these conditions, which are in order.
    pub(super) fn skipping(conditions: Vec<Condition>, from: &From) -> Self {
        Self { way: Way::Skip(conditions), from: from.clone(), is_done: false }
    }

    /// Up to `count` further ones. Fewer, or none, at the end or when the budget is spent.
    pub(super) async fn next(
        &mut self,
        catalog: &Catalog,
        count: usize,
        budget: &mut Budget,
    ) -> Result<Vec<Position>> {
        let mut found = Vec::with_capacity(count);
        while found.len() < count && !self.is_done {
            let next = match &mut self.way {
                Way::Known(all) => match all.pop() {
                    Some(next) => Step::Found(next),
                    None => Step::End,
                },
                Way::Skip(conditions) => skip(catalog, conditions, &self.from, budget).await?,
            };
            match next {
                Step::Found(position) => {
                    self.from = From::Behind(position.clone());
                    found.push(position);
                }
                Step::Reached(position) => {
                    self.from = From::At(position);
                    break;
                }
                Step::End => self.is_done = true,
            }
        }
        Ok(found)
    }

    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Where to go on, if not everything was looked at.
    pub(super) fn rest(&self) -> &From {
        &self.from
    }
}

enum Step {
    /// The newest that meets all conditions.
    Found(Position),
    /// There is none that is newer than this one; the budget is spent.
    Reached(Position),
    /// There is none.
    End,
}

/// Goes back until all conditions have the same image.
async fn skip(
    catalog: &Catalog,
    conditions: &mut [Condition],
    from: &From,
    budget: &mut Budget,
) -> Result<Step> {
    let mut limit = from.clone();
    for step in 0.. {
        let mut agreed: Option<Position> = None;
        let mut is_agreed = true;
        for condition in conditions.iter_mut() {
            let Some(head) = condition.head(catalog, &limit, budget).await? else {
                return Ok(Step::End);
            };
            is_agreed &= agreed.as_ref().is_none_or(|agreed| *agreed == head);
            limit = From::At(head.clone());
            agreed = Some(head);
        }
        match agreed {
            None => return Ok(Step::End),
            Some(position) if is_agreed => return Ok(Step::Found(position)),
            Some(position) if budget.is_spent() && step >= catalog.search_limits.steps => {
                return Ok(Step::Reached(position));
            }
            Some(_) => {}
        }
    }
    Ok(Step::End)
}
