//! Reading what is needed to tell which of some images are found.

use std::collections::{BTreeSet, HashMap};

use model::{AlbumId, ImageId, ImageState, PersonId, SearchTest};
use table::{Item, Key, Query};

use super::budget::Budget;
use super::names::Names;
use super::position::Position;
use super::score;
use super::truth::{Judge, Truth};
use super::{SearchOrder, by_taken};
use crate::tags::tags_of;
use crate::terms::{words_of, written_for};
use crate::{Catalog, Result, TagScope, keys, people, row};

/// Tells which images are found.
pub(super) struct Confirmer<'s> {
    pub(super) catalog: &'s Catalog,
    pub(super) judge: Judge<'s>,
    pub(super) names: Names,
    /// Whether everything is to be known of what is found, not only that it is.
    pub(super) reads_all: bool,
    /// Whether what is found will be ranked.
    pub(super) ranks: bool,
    /// In which order images are confirmed.
    pub(super) order: SearchOrder,
}

impl Confirmer<'_> {
    /// Those of some images that are found, in their order.
    pub(super) async fn confirm(
        &mut self,
        positions: Vec<Position>,
        budget: &mut Budget,
    ) -> Result<Vec<Truth>> {
        let mut truths = positions.into_iter().map(Truth::at).collect::<Result<Vec<_>>>()?;
        if self.needs_tags() {
            self.read_tags(&mut truths, |_| true, &self.tag_scopes(), budget).await?;
            self.drop_others(&mut truths);
        }
        self.read_images(&mut truths, budget).await?;
        if self.order == SearchOrder::Taken {
            let user = self.judge.user;
            truths.retain(|truth| by_taken::stands_there(truth, user));
        }
        self.drop_others(&mut truths);
        if self.needs_texts() {
            self.read_open_tags(&mut truths, budget).await?;
            self.drop_others(&mut truths);
        }
        self.read_relations(&mut truths, budget).await?;
        truths.retain(|truth| self.judge.finds(truth, &self.names) == Some(true));
        if self.ranks {
            let counts = |truth: &Truth| score::depends_on_tags(self.judge.query, truth);
            self.read_tags(&mut truths, counts, &self.tag_scopes(), budget).await?;
            for truth in &mut truths {
                truth.score = score::score(self.judge.query, truth, &self.names);
            }
        }
        Ok(truths)
    }

    fn is_open(&self, truth: &Truth) -> bool {
        self.judge.finds(truth, &self.names).is_none()
    }

    fn drop_others(&self, truths: &mut Vec<Truth>) {
        truths.retain(|truth| self.judge.finds(truth, &self.names) != Some(false));
    }

    fn tests(&self) -> impl Iterator<Item = &SearchTest> {
        self.judge.query.wanted.iter().chain(&self.judge.query.unwanted)
    }

    fn needs_texts(&self) -> bool {
        let has_word = |test| matches!(test, &SearchTest::Words(_) | &SearchTest::Beginning(_));
        self.tests().any(has_word)
    }

    fn needs_tags(&self) -> bool {
        self.tests().any(|test| matches!(test, SearchTest::Tag(_)))
    }

    fn needs_favourites(&self) -> bool {
        self.tests().any(|test| matches!(test, SearchTest::Is(ImageState::Favourite)))
    }

    /// The tags of images whose texts say too little. Where one more tag can only add to what is
    /// found, those of who searches are left out if everyone's are enough.
    async fn read_open_tags(&self, truths: &mut [Truth], budget: &mut Budget) -> Result<()> {
        let is_open = |truth: &Truth| truth.tags.is_none() && self.is_open(truth);
        let open: BTreeSet<ImageId> =
            truths.iter().filter(|truth| is_open(truth)).map(|truth| truth.id).collect();
        let [everyone, own] = self.tag_scopes();
        let is_any_unwanted = !self.judge.query.unwanted.is_empty();
        if self.ranks || is_any_unwanted {
            let which = |truth: &Truth| open.contains(&truth.id);
            return self.read_tags(truths, which, &[everyone, own], budget).await;
        }
        self.read_tags(truths, |truth| open.contains(&truth.id), &[everyone], budget).await?;
        let is_missing = |truth: &Truth| {
            open.contains(&truth.id) && self.judge.finds(truth, &self.names) != Some(true)
        };
        self.read_tags(truths, is_missing, &[own], budget).await
    }

    /// Whose tags who searches may know.
    fn tag_scopes(&self) -> [TagScope; 2] {
        [TagScope::Everyone, TagScope::Author(self.judge.user)]
    }

    /// Adds tags of some of the images to what is known.
    async fn read_tags(
        &self,
        truths: &mut [Truth],
        which: impl Fn(&Truth) -> bool,
        scopes: &[TagScope],
        budget: &mut Budget,
    ) -> Result<()> {
        let mut some: Vec<&mut Truth> = truths.iter_mut().filter(|truth| which(truth)).collect();
        if some.is_empty() {
            return Ok(());
        }
        let mut keys = Vec::new();
        for truth in &some {
            for scope in scopes {
                keys.push(keys::tag_summary(truth.id, *scope));
            }
        }
        let rows = self.rows(keys.iter().cloned(), budget).await?;
        for (truth, keys) in some.iter_mut().zip(keys.chunks(scopes.len())) {
            let rows = keys.iter().filter_map(|key| rows.get(key));
            let tags = rows.flat_map(tags_of).map(str::to_owned);
            truth.tags.get_or_insert_default().extend(tags);
        }
        Ok(())
    }

    async fn read_images(&self, truths: &mut Vec<Truth>, budget: &mut Budget) -> Result<()> {
        let (favourites, needs_texts) = (self.needs_favourites(), self.needs_texts());
        let favourite = |truth: &Truth| keys::favourite(truth.id, self.judge.user);
        let images = truths.iter().map(|truth| keys::image(truth.id));
        let marks = truths.iter().filter(|_| favourites).map(favourite);
        let rows = self.rows(images.chain(marks), budget).await?;
        for truth in truths.iter_mut() {
            let image = rows.get(&keys::image(truth.id)).map(row::entity_of);
            truth.image = image.transpose()?;
            if needs_texts {
                let image = truth.image.as_ref();
                truth.texts = image.map(|image| words_of(image).collect());
                truth.written =
                    image.map(|image| written_for(image, self.judge.reader_of(image)).collect());
            }
            truth.is_favourite = favourites.then(|| rows.contains_key(&favourite(truth)));
        }
        // What has no row is no more.
        truths.retain(|truth| truth.image.is_some());
        Ok(())
    }

    async fn rows(
        &self,
        keys: impl Iterator<Item = Key>,
        budget: &mut Budget,
    ) -> Result<HashMap<Key, Item>> {
        // In the order of when they were taken, an index may lead to an image in two places.
        let keys: BTreeSet<Key> = keys.collect();
        let keys: Vec<Key> = keys.into_iter().collect();
        budget.rows(keys.len());
        let rows = self.catalog.load_rows(&keys).await?;
        Ok(rows.into_iter().map(|row| (row.key.clone(), row)).collect())
    }

    /// Albums and persons of images about which something is open still.
    async fn read_relations(&mut self, truths: &mut [Truth], budget: &mut Budget) -> Result<()> {
        for truth in truths.iter_mut() {
            if !self.reads_all && !self.is_open(truth) {
                continue;
            }
            let albums = self.catalog.list_image_albums(truth.id).await?;
            budget.query(albums.len());
            truth.albums = Some(albums);
        }
        let albums = truths.iter().filter_map(|truth| truth.albums.as_ref()).flatten().copied();
        let albums: BTreeSet<AlbumId> = albums.collect();
        budget.rows(2 * albums.len());
        self.names.read_titles(self.catalog, &albums).await?;
        for truth in truths.iter_mut() {
            if !self.reads_all && !self.is_open(truth) {
                continue;
            }
            truth.persons = Some(self.persons_in(truth).await?);
            budget.query(1);
        }
        let persons = truths.iter().filter_map(|truth| truth.persons.as_ref()).flatten().copied();
        let persons: BTreeSet<PersonId> = persons.collect();
        budget.rows(persons.len());
        self.names.read_persons(self.catalog, &persons).await
    }

    async fn persons_in(&self, truth: &Truth) -> Result<BTreeSet<PersonId>> {
        let query = Query::partition(keys::image_partition(truth.id)).prefix(keys::FACES);
        let (mut persons, mut start) = (BTreeSet::new(), None);
        loop {
            let page = self.catalog.table.query(&query.clone().limit(100).start(start)).await?;
            let ids = page.items.iter().filter_map(|item| item.str(people::PERSON)?.parse().ok());
            persons.extend::<Vec<PersonId>>(ids.collect());
            start = page.next;
            if start.is_none() {
                return Ok(persons);
            }
        }
    }
}
