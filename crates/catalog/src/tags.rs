//! Tags: each author's own, and the public ones of everyone.

use std::collections::{BTreeMap, BTreeSet};

use model::limits::{PUBLIC_TAGS_MAX, TAGS_BY_AUTHOR_MAX, TAGS_BY_OWNER_MAX};
use model::{Image, ImageId, Tag, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use table::{Action, Condition, Item, Key, Query, SortRange, VERSION};

use crate::entries::{Entries, Swap, entry, image_of};
use crate::paging::collect;
use crate::retry::{Attempt, until_settled};
use crate::schema::{WORDS, WORDS_PK, WORDS_SK};
use crate::{Catalog, Listed, PageRequest, Result, TagScope, images, keys, row, terms};

/// Who may see a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TagVisibility {
    /// Everyone who may see the image.
    Public,
    /// Its author only.
    Private,
}

/// The tags one author has set on one image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageTags(pub BTreeMap<Tag, TagVisibility>);

impl ImageTags {
    /// Those that everyone who sees the image sees.
    pub fn public(&self) -> impl Iterator<Item = &Tag> {
        let is_public = |visibility: &TagVisibility| *visibility == TagVisibility::Public;
        self.0.iter().filter(move |(_, visibility)| is_public(visibility)).map(|(tag, _)| tag)
    }
}

/// What to do with an author's tags on an image.
#[derive(Clone, Copy, Debug)]
pub enum TagEdit<'a> {
    /// Put others into their place, all of them.
    Replace(&'a ImageTags),
    /// Put one into the place of another, with its visibility; if both are there, the one that is
    /// to be stays as it is.
    Rename {
        /// The tag to be replaced.
        from: &'a Tag,
        /// The tag to be there instead.
        to: &'a Tag,
    },
}

impl TagEdit<'_> {
    fn apply(self, mut tags: ImageTags) -> ImageTags {
        match self {
            Self::Replace(others) => others.clone(),
            Self::Rename { from, to } => {
                if let Some(visibility) = tags.0.remove(from) {
                    tags.0.entry(to.clone()).or_insert(visibility);
                }
                tags
            }
        }
    }
}

/// How setting tags ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum SetTags {
    /// They are set.
    Set,
    /// There is no such image.
    NoImage,
    /// They are more than this author may set on this image.
    TooMany {
        /// How many are allowed.
        max: usize,
    },
    /// The image has as many different public tags as it may have, of all authors together.
    ImageFull {
        /// How many are allowed.
        max: usize,
    },
}

/// An image found by a tag.
#[derive(Clone, Debug, PartialEq)]
pub struct TagHit {
    /// The image, as it is now.
    pub image: Image,
    /// The tag, or the ending of a tag that begins at an inner word.
    pub value: String,
}

impl Catalog {
    /// Replaces an author's tags on an image by others, in one step.
    pub async fn set_tags(
        &self,
        image: ImageId,
        author: UserId,
        tags: &ImageTags,
        now: Timestamp,
    ) -> Result<SetTags> {
        self.edit_tags(image, author, TagEdit::Replace(tags), now).await
    }

    /// Changes an author's tags on an image, in one step.
    pub async fn edit_tags(
        &self,
        image: ImageId,
        author: UserId,
        edit: TagEdit<'_>,
        now: Timestamp,
    ) -> Result<SetTags> {
        until_settled!(self.try_edit_tags(image, author, edit, now).await)
    }

    async fn try_edit_tags(
        &self,
        id: ImageId,
        author: UserId,
        edit: TagEdit<'_>,
        now: Timestamp,
    ) -> Result<Attempt<SetTags>> {
        let is_there = |image: &Image| image.uploaded_at.is_some() && image.purging_since.is_none();
        let Some(image) = self.find_image(id).await?.filter(is_there) else {
            return Ok(Attempt::Settled(SetTags::NoImage));
        };
        let max = tags_max(&image, author);
        let before = Summary::load(self, id, TagScope::Author(author)).await?;
        let tags = edit.apply(before.tags());
        if tags == before.tags() {
            return Ok(Attempt::Settled(SetTags::Set));
        }
        if tags.0.len() > max {
            return Ok(Attempt::Settled(SetTags::TooMany { max }));
        }
        let mut swap = Swap::default();
        if author == image.owner {
            self.guard_owner_tags(&mut swap, &image, &tags, now).await?;
        } else {
            swap.guard(images::attach(id));
            swap.guard(images::record_update(&image, now)?);
        }
        if self.exchange_summaries(&mut swap, &before, &tags).await?.is_none() {
            return Ok(Attempt::Settled(SetTags::ImageFull { max: PUBLIC_TAGS_MAX }));
        }
        let outcome = swap.run(&*self.table).await?;
        Ok(if outcome.is_done() { Attempt::Settled(SetTags::Set) } else { Attempt::Raced })
    }

    /// The owner's public tags also stand in the image itself, and are words it is found by.
    async fn guard_owner_tags(
        &self,
        swap: &mut Swap,
        before: &Image,
        tags: &ImageTags,
        now: Timestamp,
    ) -> Result<()> {
        let mut after = before.clone();
        after.tags = tags.public().cloned().collect();
        swap.guard(images::change(before, &mut after, now)?);
        swap.guard(images::record_update(&after, now)?);
        let summary = self.table.get(&keys::term_summary(before.id)).await?;
        terms::exchange_terms(swap, summary.as_ref(), &after);
        Ok(())
    }

    /// Adds the exchange of an author's tags to a swap, unless the image would have too many
    /// public ones.
    pub(crate) async fn exchange_tags(
        &self,
        swap: &mut Swap,
        image: ImageId,
        author: UserId,
        tags: &ImageTags,
    ) -> Result<Option<()>> {
        let before = Summary::load(self, image, TagScope::Author(author)).await?;
        self.exchange_summaries(swap, &before, tags).await
    }

    async fn exchange_summaries(
        &self,
        swap: &mut Swap,
        before: &Summary,
        tags: &ImageTags,
    ) -> Result<Option<()>> {
        let everyone = Summary::load(self, before.image, TagScope::Everyone).await?;

        let public = |tags: &BTreeMap<Tag, i64>| -> BTreeSet<Tag> {
            tags.iter().filter(|(_, weight)| **weight > 0).map(|(tag, _)| tag.clone()).collect()
        };
        let after: BTreeMap<Tag, i64> = tags
            .0
            .iter()
            .map(|(tag, visibility)| (tag.clone(), i64::from(*visibility == TagVisibility::Public)))
            .collect();
        let mut counts = everyone.weights.clone();
        let (was_public, is_public) = (public(&before.weights), public(&after));
        for tag in is_public.difference(&was_public) {
            *counts.entry(tag.clone()).or_default() += 1;
        }
        for tag in was_public.difference(&is_public) {
            *counts.entry(tag.clone()).or_default() -= 1;
        }
        counts.retain(|_, authors| *authors > 0);
        if counts.len() > PUBLIC_TAGS_MAX {
            return Ok(None);
        }
        before.exchange(swap, &after);
        everyone.exchange(swap, &counts);
        Ok(Some(()))
    }

    /// The tags an author has set on an image.
    pub async fn find_tags(&self, image: ImageId, author: UserId) -> Result<ImageTags> {
        let summary = Summary::load(self, image, TagScope::Author(author)).await?;
        Ok(summary.tags())
    }

    /// The tags an author has set on each of these images (all of a set, for its status),
    /// in their order.
    pub async fn find_tags_of_images(
        &self,
        images: &[ImageId],
        author: UserId,
    ) -> Result<Vec<ImageTags>> {
        let summaries = self.summaries(images, TagScope::Author(author)).await?;
        Ok(summaries.iter().map(Summary::tags).collect())
    }

    /// The public tags of each of these images with the number of their authors, in the
    /// order of the images.
    pub async fn find_public_tags(&self, images: &[ImageId]) -> Result<Vec<BTreeMap<Tag, i64>>> {
        let summaries = self.summaries(images, TagScope::Everyone).await?;
        Ok(summaries.into_iter().map(|summary| summary.weights).collect())
    }

    async fn summaries(&self, images: &[ImageId], scope: TagScope) -> Result<Vec<Summary>> {
        let keys: BTreeSet<Key> =
            images.iter().map(|image| keys::tag_summary(*image, scope)).collect();
        let rows = self.load_rows(&keys.into_iter().collect::<Vec<_>>()).await?;
        let mut found: BTreeMap<ImageId, Item> = BTreeMap::new();
        for item in rows {
            found.insert(image_of(&item.key)?, item);
        }
        images.iter().map(|image| Summary::of(*image, scope, found.get(image))).collect()
    }

    /// Images with a tag that begins with this, or has an inner word that does, from the last
    /// such tag of the alphabet to the first. No image comes twice. Who may see the images is
    /// for the caller to check.
    pub async fn list_images_by_tag_prefix(
        &self,
        scope: TagScope,
        prefix: &str,
        page: &PageRequest,
    ) -> Result<Listed<TagHit>> {
        let Some(prefix) = Tag::search_prefix(prefix) else {
            return Ok(Listed { entries: Vec::new(), next: None });
        };
        let prefix = prefix.as_str();
        self.list_tag_hits(scope, prefix.to_owned(), page, |word| word.starts_with(prefix)).await
    }

    /// Images with exactly this tag, newest first.
    pub async fn list_images_by_tag(
        &self,
        scope: TagScope,
        tag: &Tag,
        page: &PageRequest,
    ) -> Result<Listed<TagHit>> {
        self.list_tag_hits(scope, keys::exactly(tag), page, |word| word == tag.as_str()).await
    }

    async fn list_tag_hits(
        &self,
        scope: TagScope,
        place: String,
        page: &PageRequest,
        matches: impl Fn(&str) -> bool + Copy,
    ) -> Result<Listed<TagHit>> {
        let query = Query::index(WORDS, keys::tag_words(scope)).prefix(place).descending();
        collect(&*self.table, query, page, |found| async move {
            let summary_of = |image| keys::tag_summary(image, scope);
            let hits = self.confirm_entries(found, summary_of, endings_of, matches).await?;
            Ok(hits.into_iter().map(|hit| TagHit { image: hit.image, value: hit.word }).collect())
        })
        .await
    }

    /// The different tags of an author, or of everyone, that begin with a prefix, in order,
    /// from the one after `after` on. The cost grows with the tags passed over, not with the
    /// images that have them.
    pub async fn list_tags(
        &self,
        scope: TagScope,
        prefix: &str,
        after: Option<&Tag>,
        limit: usize,
    ) -> Result<Vec<Tag>> {
        let prefix = Tag::search_prefix(prefix).unwrap_or_default();
        let mut tags: Vec<Tag> = Vec::new();
        let mut low = after.map(behind).unwrap_or_default().max(prefix.clone());
        while tags.len() < limit {
            // Nothing sorts before a space.
            let from = if low.is_empty() { " " } else { low.as_str() };
            let query = Query::index(WORDS, keys::tag_words(scope))
                .range(SortRange::From(from.into()))
                .limit(TAG_ENTRIES_READ);
            let page = self.table.query(&query).await?;
            let place = |item: &Item| item.str(WORDS_SK).unwrap_or_default().to_owned();
            let Some(last) = page.items.last().map(place) else { break };
            for tag in self.whole_tags(scope, &page.items).await? {
                if tag.as_str().starts_with(&prefix) && tags.last() != Some(&tag) {
                    tags.push(tag);
                }
            }
            if page.next.is_none() || !last.starts_with(&prefix) {
                break;
            }
            // Further images of a tag that is known already need not be read.
            let known = tags.last().filter(|tag| keys::word_of(&last) == Some(tag.as_str()));
            low = known.map_or_else(|| format!("{last}\u{0}"), behind);
        }
        tags.truncate(limit);
        Ok(tags)
    }

    /// The whole tags among these entries that their summaries confirm, in order.
    async fn whole_tags(&self, scope: TagScope, items: &[Item]) -> Result<Vec<Tag>> {
        let images = items.iter().map(|item| image_of(&item.key)).collect::<Result<Vec<_>>>()?;
        let summaries = self.summaries(&images, scope).await?;
        let mut tags = Vec::new();
        for (item, summary) in items.iter().zip(summaries) {
            let (_, word) = entry(item)?;
            tags.extend(word.parse::<Tag>().ok().filter(|tag| summary.weights.contains_key(tag)));
        }
        Ok(tags)
    }
}

/// Entries read at once to list tags.
const TAG_ENTRIES_READ: usize = 50;

/// Every entry with the value of a tag sorts before this, and every longer value behind it.
/// Adds the owner's tags of an image that has no tags yet to a swap; all of them are public.
pub(crate) fn exchange_first_tags(swap: &mut Swap, image: &Image) {
    let weights = image.tags.iter().map(|tag| (tag.clone(), 1)).collect();
    for scope in [TagScope::Author(image.owner), TagScope::Everyone] {
        Summary::empty(image.id, scope).exchange(swap, &weights);
    }
}

fn behind(tag: &Tag) -> String {
    format!("{tag} ")
}

/// The words of a summary row of tags: the tags, and their endings at inner words. They are
/// not stored, so that a row of many tags stays small.
fn endings_of(summary: &Item) -> Vec<&str> {
    let tags = summary.get(WEIGHTS).and_then(table::Value::as_map);
    tags.into_iter().flat_map(|tags| tags.keys()).flat_map(|tag| Tag::endings_of(tag)).collect()
}

/// The attribute of a summary row that holds its tags: for an author 1 for a public tag
/// and 0 for a private one, for everyone the number of authors.
const WEIGHTS: &str = "tags";

pub(crate) fn tags_max(image: &Image, author: UserId) -> usize {
    if author == image.owner { TAGS_BY_OWNER_MAX } else { TAGS_BY_AUTHOR_MAX }
}

/// The summary row of one scope's tags on one image.
struct Summary {
    image: ImageId,
    scope: TagScope,
    weights: BTreeMap<Tag, i64>,
    /// The row's version; `None` if there is no row.
    version: Option<i64>,
}

impl Summary {
    /// Of an image that has no tags yet.
    fn empty(image: ImageId, scope: TagScope) -> Self {
        Self { image, scope, weights: BTreeMap::new(), version: None }
    }

    async fn load(catalog: &Catalog, image: ImageId, scope: TagScope) -> Result<Self> {
        let item = catalog.table.get(&keys::tag_summary(image, scope)).await?;
        Self::of(image, scope, item.as_ref())
    }

    fn of(image: ImageId, scope: TagScope, item: Option<&Item>) -> Result<Self> {
        #[derive(Deserialize)]
        struct Fields {
            tags: BTreeMap<Tag, i64>,
        }
        let weights = match item {
            Some(item) => row::entity_of::<Fields>(item)?.tags,
            None => BTreeMap::new(),
        };
        Ok(Self { image, scope, weights, version: item.map(Item::version) })
    }

    fn tags(&self) -> ImageTags {
        let visibility = |weight: i64| match weight {
            0 => TagVisibility::Private,
            _ => TagVisibility::Public,
        };
        ImageTags(self.weights.iter().map(|(tag, w)| (tag.clone(), visibility(*w))).collect())
    }

    /// Adds the exchange of these tags for others to a swap.
    fn exchange(&self, swap: &mut Swap, after: &BTreeMap<Tag, i64>) {
        if *after == self.weights {
            return;
        }
        let key = keys::tag_summary(self.image, self.scope);
        let unchanged = match self.version {
            Some(version) => Condition::version(version),
            None => Condition::Absent,
        };
        let action = if after.is_empty() {
            Action::delete(key)
        } else {
            let tags = after.iter().map(|(tag, weight)| (tag.as_str().into(), (*weight).into()));
            Action::update(key)
                .set(WEIGHTS, table::Value::M(tags.collect()))
                .set(VERSION, self.next_version())
        };
        swap.guard(action.when(unchanged));
        swap.exchange(&self.entries(&self.weights), self.entries(after));
    }

    /// A row that comes back after it was gone must not look like the one before, so it
    /// begins anywhere.
    fn next_version(&self) -> i64 {
        self.version.map_or_else(|| i64::from(rand::random::<u32>()), |version| version + 1)
    }

    fn entries(&self, weights: &BTreeMap<Tag, i64>) -> Entries {
        let mut entries = Entries::new();
        for (tag, weight) in weights {
            for ending in tag.endings() {
                let key = keys::tag_entry(self.image, self.scope, ending);
                let is_whole = weights.keys().any(|tag| tag.as_str() == ending);
                let item = Item::new(key.clone())
                    .with(WORDS_PK, keys::tag_words(self.scope))
                    .with(WORDS_SK, keys::tag_place(ending, is_whole, self.image));
                entries.entry(key).or_insert(item);
            }
            if self.scope == TagScope::Everyone {
                let key = keys::tag_entry(self.image, self.scope, tag.as_str());
                entries.entry(key).and_modify(|entry| {
                    entry.attributes.insert("authors".into(), (*weight).into());
                });
            }
        }
        entries
    }
}
