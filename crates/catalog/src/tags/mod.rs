//! Tags: each author's own, and the public ones of everyone.

mod summary;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use model::limits::{PUBLIC_TAGS_MAX, TAGS_BY_AUTHOR_MAX, TAGS_BY_OWNER_MAX};
use model::{Image, ImageId, Tag, Timestamp, UserId};
use serde::{Deserialize, Serialize};
use table::{Item, Key, Query, SortRange};

use crate::entries::{Swap, image_of};
use crate::paging::collect_places;
use crate::places::{read_places, word_and_image};
use crate::retry::{Attempt, until_settled};
use crate::schema::WORDS;
use crate::{Catalog, Listed, PageRequest, Result, TagScope, images, keys};
use summary::Summary;

pub(crate) use summary::{rows, tags_of};

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
            guard_owner_tags(&mut swap, &image, &tags, now)?;
        } else {
            // Whom it is shared with decides where the entries stand.
            let seen_by = images::visibility_is(image.visibility)?;
            swap.guard(images::attach(id).when(seen_by));
            swap.guard(images::record_update(&image, now)?);
        }
        if self.exchange_summaries(&mut swap, &before, &tags, &image, &image).await?.is_none() {
            return Ok(Attempt::Settled(SetTags::ImageFull { max: PUBLIC_TAGS_MAX }));
        }
        let outcome = swap.run(&*self.table).await?;
        Ok(if outcome.is_done() { Attempt::Settled(SetTags::Set) } else { Attempt::Raced })
    }

    /// Adds the exchange of an author's tags to a swap, unless the image would have too many
    /// public ones.
    pub(crate) async fn exchange_tags(
        &self,
        swap: &mut Swap,
        author: UserId,
        tags: &ImageTags,
        image: &Image,
        image_after: &Image,
    ) -> Result<Option<()>> {
        let before = Summary::load(self, image.id, TagScope::Author(author)).await?;
        self.exchange_summaries(swap, &before, tags, image, image_after).await
    }

    /// Adds to a swap that the public tags of an image are found by those who may see it now.
    pub(crate) async fn exchange_tag_places(
        &self,
        swap: &mut Swap,
        image: &Image,
        image_after: &Image,
    ) -> Result<()> {
        let everyone = Summary::load(self, image.id, TagScope::Everyone).await?;
        everyone.exchange(swap, &everyone.weights, image, image_after);
        Ok(())
    }

    async fn exchange_summaries(
        &self,
        swap: &mut Swap,
        before: &Summary,
        tags: &ImageTags,
        image: &Image,
        image_after: &Image,
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
        before.exchange(swap, &after, image, image_after);
        everyone.exchange(swap, &counts, image, image_after);
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
        collect_places(&*self.table, WORDS, query, page, |places| async move {
            let summary_of = |image| keys::tag_summary(image, scope);
            let hits = self.confirm_entries(&places, summary_of, endings_of, matches).await?;
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
        let read = (limit * ENTRIES_READ_PER_TAG).min(TAG_ENTRIES_READ_MAX);
        let mut tags: Vec<Tag> = Vec::new();
        let mut low = after.map(behind).unwrap_or_default().max(prefix.clone());
        while tags.len() < limit {
            // Nothing sorts before a space.
            let from = if low.is_empty() { " " } else { low.as_str() };
            let query = Query::index(WORDS, keys::tag_words(scope))
                .range(SortRange::From(from.into()))
                .limit(read);
            let (places, next) = read_places(&*self.table, WORDS, query).await?;
            let Some(last) = places.last() else { break };
            let meant = places.iter().filter(|place| place.starts_with(&prefix));
            for tag in self.whole_tags(scope, meant).await? {
                if tags.last() != Some(&tag) {
                    tags.push(tag);
                }
            }
            if next.is_none() || !last.starts_with(&prefix) {
                break;
            }
            // Further images of a tag that is known already need not be read.
            let known = tags.last().filter(|tag| keys::word_of(last) == Some(tag.as_str()));
            low = known.map_or_else(|| format!("{last}\u{0}"), behind);
        }
        tags.truncate(limit);
        Ok(tags)
    }

    /// The whole tags among the entries at these places that a summary confirms, in order. One
    /// image of a tag is enough, so most are not looked at.
    async fn whole_tags(
        &self,
        scope: TagScope,
        places: impl Iterator<Item = &String>,
    ) -> Result<Vec<Tag>> {
        let mut open: BTreeMap<Tag, VecDeque<ImageId>> = BTreeMap::new();
        for place in places {
            let (word, image) = word_and_image(place)?;
            if let Ok(tag) = word.parse() {
                open.entry(tag).or_default().push_back(image);
            }
        }
        let mut confirmed = BTreeSet::new();
        while !open.is_empty() {
            let next = open.values_mut().map(VecDeque::pop_front).collect::<Option<Vec<_>>>();
            let summaries = self.summaries(&next.unwrap_or_default(), scope).await?;
            let tags = open.keys().zip(summaries);
            let found = tags.filter(|(tag, summary)| summary.weights.contains_key(*tag));
            confirmed.extend(found.map(|(tag, _)| tag.clone()));
            open.retain(|tag, images| !images.is_empty() && !confirmed.contains(tag));
        }
        Ok(confirmed.into_iter().collect())
    }
}

/// The owner's public tags also stand in the image itself.
fn guard_owner_tags(
    swap: &mut Swap,
    before: &Image,
    tags: &ImageTags,
    now: Timestamp,
) -> Result<()> {
    let mut after = before.clone();
    after.tags = tags.public().cloned().collect();
    swap.guard(images::change(before, &mut after, now)?);
    swap.guard(images::record_update(&after, now)?);
    Ok(())
}

/// Entries read at once to list tags, for each that is wanted, and at most.
const ENTRIES_READ_PER_TAG: usize = 4;
const TAG_ENTRIES_READ_MAX: usize = 50;

/// Every entry with the value of a tag sorts before this, and every longer value behind it.
fn behind(tag: &Tag) -> String {
    format!("{tag} ")
}

/// The words of a summary row of tags: the tags, and their endings at inner words. They are
/// not stored, so that a row of many tags stays small.
fn endings_of(summary: &Item) -> Vec<&str> {
    tags_of(summary).flat_map(Tag::endings_of).collect()
}

pub(crate) fn tags_max(image: &Image, author: UserId) -> usize {
    if author == image.owner { TAGS_BY_OWNER_MAX } else { TAGS_BY_AUTHOR_MAX }
}
