//! Finding images by tags, and tags by their beginnings.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use catalog::{Cursor, Listed, PageRequest, TagHit};
use model::{Image, Tag};

use super::{CountedTag, TagsBy};
use crate::{Caller, Error, Result, Scope, Service};

/// Lists are looked through so many times for one page: where others have much that the caller
/// may not see, a page is short rather than slow.
const READS_MAX: usize = 10;
/// Images of a tag that are counted.
const COUNTED_MAX: usize = 50;

impl Service {
    /// Images with a tag that begins with a text, or has an inner word that does; or with exactly
    /// a tag. No image comes twice. A page may be short although more follows.
    ///
    /// # Errors
    /// When the caller's key does not allow it, or the cursor is wrong.
    pub async fn list_tagged_images(
        &self,
        caller: &Caller,
        by: TagsBy,
        wanted: &WantedTag,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        caller.require(Scope::Read)?;
        let (catalog, scope) = (self.catalog(), by.scope(caller));
        let mut page = page.clone();
        let (limit, mut entries) = (page.limit, Vec::new());
        for _ in 0..READS_MAX {
            page.limit = limit - entries.len();
            let found = match wanted {
                WantedTag::Exactly(tag) => catalog.list_images_by_tag(scope, tag, &page).await?,
                WantedTag::Beginning(text) => {
                    catalog.list_images_by_tag_prefix(scope, text, &page).await?
                }
            };
            let images = found.entries.into_iter().map(|hit: TagHit| hit.image).collect();
            entries.extend(self.all_seen_by(caller, images).await?);
            page.cursor = found.next;
            if page.cursor.is_none() || entries.len() >= limit {
                break;
            }
        }
        Ok(Listed { entries, next: page.cursor })
    }

    /// Tags that begin with a text, in order, each with the number of its images. Of everyone's
    /// tags, those on images that are the caller's or shared with everybody.
    ///
    /// # Errors
    /// When the caller's key does not allow it, or the cursor is wrong.
    pub async fn list_tags(
        &self,
        caller: &Caller,
        by: TagsBy,
        prefix: &str,
        page: &PageRequest,
    ) -> Result<Listed<CountedTag>> {
        caller.require(Scope::Read)?;
        self.list_counted_tags(caller, by, prefix, page, COUNTED_MAX).await
    }

    /// The same, counted up to `counted_max`.
    pub(crate) async fn list_counted_tags(
        &self,
        caller: &Caller,
        by: TagsBy,
        prefix: &str,
        page: &PageRequest,
        counted_max: usize,
    ) -> Result<Listed<CountedTag>> {
        let mut after = page.cursor.as_ref().map(tag_of).transpose()?;
        let mut entries = Vec::new();
        for _ in 0..READS_MAX {
            let missing = page.limit - entries.len();
            // One more tells whether there is a next page.
            let scope = by.scope(caller);
            let mut tags =
                self.catalog().list_tags(scope, prefix, after.as_ref(), missing + 1).await?;
            let has_more = tags.len() > missing;
            tags.truncate(missing);
            for tag in &tags {
                let counted = self.count_images(caller, by, tag, counted_max).await?;
                entries.extend(Some(counted).filter(|counted| counted.count > 0));
            }
            let last = tags.pop();
            if !has_more {
                return Ok(Listed { entries, next: None });
            }
            after = last;
            if entries.len() >= page.limit {
                break;
            }
        }
        Ok(Listed { entries, next: after.as_ref().map(cursor_behind) })
    }

    async fn count_images(
        &self,
        caller: &Caller,
        by: TagsBy,
        tag: &Tag,
        counted_max: usize,
    ) -> Result<CountedTag> {
        let page = PageRequest::first(counted_max);
        let hits = self.catalog().list_images_by_tag(by.scope(caller), tag, &page).await?;
        let is_counted = |hit: &&TagHit| by == TagsBy::Me || self.may_see(caller, &hit.image);
        let count = hits.entries.iter().filter(is_counted).count();
        Ok(CountedTag { tag: tag.clone(), count, more: hits.next.is_some() })
    }
}

/// Which tag an image shall have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedTag {
    /// This one.
    Exactly(Tag),
    /// One that begins with this, or has an inner word that does.
    Beginning(String),
}

fn cursor_behind(tag: &Tag) -> Cursor {
    Cursor::from_text(URL_SAFE_NO_PAD.encode(tag.as_str()))
}

fn tag_of(cursor: &Cursor) -> Result<Tag> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor.as_str()).map_err(|_| Error::BadCursor)?;
    let text = String::from_utf8(bytes).map_err(|_| Error::BadCursor)?;
    text.parse().map_err(|_| Error::BadCursor)
}
