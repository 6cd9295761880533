//! Searching, on the table's own indexes.
//!
//! Words, tags, facts, albums and persons lead to images by entries of indexes that are all in one
//! order: by upload, newest first. What a search wants becomes conditions, each a number of places
//! in indexes where all images stand that meet it. The condition that is met by few leads; where
//! none is, those that are in order are gone through together, each skipping what another one
//! lacks; and where there is none of these either, everything that may be seen is gone through.
//! By when they were taken it is the same, but that only the images themselves are in that order:
//! where the condition that is met by few is not few enough to be sorted, all are gone through.
//! Whatever an index shows is then compared with the rows of the image, which alone decide whether
//! it is found and may be seen. What one request looks at is limited: where much is looked at in
//! vain, a page is short and says where to go on.

mod budget;
mod by_taken;
mod candidates;
mod condition;
mod conditions;
mod confirm;
mod limits;
mod names;
mod one;
mod position;
mod rank;
mod reach;
mod score;
mod stream;
mod suggest;
mod truth;
mod wanted;

pub use limits::SearchLimits;
pub(crate) use position::Position;

use std::cmp::Reverse;

use model::{Image, OwnerName, SearchQuery, SearchTest, UserId};

use crate::{Catalog, Cursor, Listed, PageRequest, Result};
use budget::Budget;
use candidates::Candidates;
use conditions::Scope;
use confirm::Confirmer;
use names::Names;
use position::From;
use rank::Rank;
use reach::Reach;
use truth::{Judge, Truth};
use wanted::Wanted;

/// A search, and who searches.
#[derive(Clone, Copy, Debug)]
pub struct Search<'s> {
    /// Who.
    pub user: UserId,
    /// For what.
    pub query: &'s SearchQuery,
    /// In which order.
    pub order: SearchOrder,
    /// Whether what cameras wrote is shown of images of others, too.
    pub sees_exif: bool,
}

/// The order of what is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchOrder {
    /// Newest first, by upload.
    #[default]
    Newest,
    /// Best first, of the newest that are found.
    Relevance,
    /// Last taken first. Images of others stand by their upload, since when they were taken is not
    /// known to all.
    Taken,
}

/// Images looked at together at most.
const TOGETHER_MAX: usize = 33;

impl Catalog {
    /// The images that a user may see and that pass a search. A page may be short, or even empty,
    /// although there is a next one.
    pub async fn search_images(
        &self,
        search: &Search<'_>,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        match search.order {
            SearchOrder::Newest | SearchOrder::Taken => {
                let from = page.cursor.as_ref().map(|cursor| From::from_text(cursor.as_str()));
                let from = from.transpose()?.unwrap_or(From::Newest);
                let found = self.find_all(search, &from, &Wanted::newest(page.limit)).await?;
                let next = found.rest.map(|rest| Cursor::from_text(rest.text()));
                Ok(Listed { entries: images_of(found.truths), next })
            }
            SearchOrder::Relevance => self.search_best(search, page).await,
        }
    }

    async fn search_best(&self, search: &Search<'_>, page: &PageRequest) -> Result<Listed<Image>> {
        let after = page.cursor.as_ref().map(Rank::from_cursor).transpose()?;
        let wanted = Wanted::best(search.query, page.limit, after.clone());
        let found = self.find_all(search, &From::Newest, &wanted).await?;
        let mut ranked = found.truths;
        ranked.sort_by_cached_key(|truth| Reverse(truth.rank()));
        ranked.retain(|truth| after.as_ref().is_none_or(|after| truth.rank() < *after));
        let has_more = ranked.len() > page.limit;
        ranked.truncate(page.limit);
        let next = ranked.last().filter(|_| has_more).map(|truth| truth.rank().to_cursor());
        Ok(Listed { entries: images_of(ranked), next })
    }

    async fn find_all(&self, search: &Search<'_>, from: &From, amount: &Wanted) -> Result<Found> {
        let Search { user, query, sees_exif, .. } = *search;
        let owners = self.owners_named(search).await?;
        let named = |test: &SearchTest| match test {
            SearchTest::Owner(name) => Some(owners.iter().find(|(known, _)| known == name)?.1),
            _ => None,
        };
        let wanted: Vec<Option<UserId>> = query.wanted.iter().filter_map(named).collect();
        let owner = wanted.first().copied().flatten();
        let reach = Reach::load(self, user).await?;
        let tests = query.wanted.iter().chain(&query.unwanted);
        let names = Names::load(self, user, &reach, tests).await?;
        if wanted.iter().any(|wanted| *wanted != owner || owner.is_none()) {
            // Nobody, or two at once.
            return Ok(Found { truths: Vec::new(), rest: None });
        }
        let unwanted = query.unwanted.iter().filter_map(named).flatten().collect();
        // Where one stands by when it was taken says nothing about uploads.
        let is_by_taken = search.order == SearchOrder::Taken;
        let by_upload = if is_by_taken { &From::Newest } else { from };
        let (reach, by_name) = (&reach, &names);
        let scope =
            Scope { user, owner, unwanted, reach, names: by_name, sees_exif, from: by_upload };
        let conditions = query.wanted.iter().flat_map(|test| scope.conditions(test)).collect();
        let candidates = match search.order {
            SearchOrder::Taken => Candidates::plan_by_taken(self, &scope, conditions, from).await?,
            SearchOrder::Newest | SearchOrder::Relevance => {
                Candidates::plan(self, &scope, conditions).await?
            }
        };
        let judge = Judge { user, query, owners: &owners, sees_exif };
        let ranks = search.order == SearchOrder::Relevance;
        let reads_all = ranks && names.may_name_anything();
        let order = search.order;
        let confirmer = Confirmer { catalog: self, judge, names, reads_all, ranks, order };
        look_through(self, candidates, confirmer, amount).await
    }

    /// The users that a search names as owners.
    async fn owners_named(&self, search: &Search<'_>) -> Result<Vec<(OwnerName, Option<UserId>)>> {
        let mut owners = Vec::new();
        for test in search.query.wanted.iter().chain(&search.query.unwanted) {
            if let SearchTest::Owner(name) = test {
                let user = match name {
                    OwnerName::Me => Some(search.user),
                    OwnerName::Id(id) => Some(*id),
                    OwnerName::Email(email) => {
                        self.find_user_by_email(email).await?.map(|user| user.id)
                    }
                };
                owners.push((name.clone(), user));
            }
        }
        Ok(owners)
    }
}

/// What was found, and where to go on if that may not be all.
struct Found {
    truths: Vec<Truth>,
    rest: Option<From>,
}

async fn look_through(
    catalog: &Catalog,
    mut candidates: Candidates,
    mut confirmer: Confirmer<'_>,
    wanted: &Wanted,
) -> Result<Found> {
    let mut budget = Budget::of(catalog.search_limits.units);
    let mut truths: Vec<Truth> = Vec::new();
    loop {
        let count = wanted.missing(&truths).clamp(1, TOGETHER_MAX);
        let positions = candidates.next(catalog, count, &mut budget).await?;
        truths.extend(confirmer.confirm(positions, &mut budget).await?);
        if truths.len() > wanted.count {
            truths.truncate(wanted.count);
            let last = truths.last().map(|truth| From::Behind(truth.position.clone()));
            return Ok(Found { truths, rest: last });
        }
        if candidates.is_done() || budget.is_spent() || wanted.missing(&truths) == 0 {
            let rest = (!candidates.is_done()).then(|| candidates.rest().clone());
            return Ok(Found { truths, rest });
        }
    }
}

fn images_of(truths: Vec<Truth>) -> Vec<Image> {
    truths.into_iter().filter_map(|truth| truth.image).collect()
}
