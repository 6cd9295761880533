//! How much is to be found before a search has its answer.

use model::SearchQuery;

use super::rank::Rank;
use super::score;
use super::truth::Truth;

/// Images that are ordered by how well they fit.
const RANKED_MAX: usize = 200;

/// What is to be found, newest first.
pub(super) struct Wanted {
    /// No more than that.
    pub(super) count: usize,
    top: Option<Top>,
}

/// A page of the best. Nothing fits better than what has the highest score that there is, and what
/// is older comes behind it: so when a page of such is found, nothing else changes it.
struct Top {
    page: usize,
    score: u32,
    after: Option<Rank>,
}

impl Wanted {
    /// The newest.
    pub(super) fn newest(count: usize) -> Self {
        Self { count, top: None }
    }

    /// A page of the best of the newest, behind what was shown before.
    pub(super) fn best(query: &SearchQuery, page: usize, after: Option<Rank>) -> Self {
        let top = Top { page, score: score::highest(query), after };
        Self { count: RANKED_MAX, top: Some(top) }
    }

    /// How many to look at at least; one more than asked for tells whether there is a next page.
    pub(super) fn missing(&self, found: &[Truth]) -> usize {
        let of_all = (self.count + 1).saturating_sub(found.len());
        self.top.as_ref().map_or(of_all, |top| top.missing(found).min(of_all))
    }
}

impl Top {
    fn missing(&self, found: &[Truth]) -> usize {
        (self.page + 1).saturating_sub(found.iter().filter(|truth| self.counts(truth)).count())
    }

    fn counts(&self, truth: &Truth) -> bool {
        let is_behind = |after: &Rank| truth.rank() < *after;
        truth.score == self.score && self.after.as_ref().is_none_or(is_behind)
    }
}
