//! Taking over what was written into a photo and its sidecar.

use std::collections::BTreeSet;

use model::{Exif, Image, ImageId, Metadata, Sidecar, Tag, Timestamp};
use table::Transacted;

use super::{change, record_update_leaving};
use crate::entries::Swap;
use crate::gone_words::Left;
use crate::retry::{Attempt, until_settled};
use crate::{Catalog, ImageTags, Result, TagVisibility, terms};

/// What was read from a photo and its sidecar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadFile {
    /// What its camera wrote.
    pub exif: Option<Exif>,
    /// What people and their programs wrote.
    pub metadata: Metadata,
    /// The sidecar that was read with it.
    pub sidecar: Option<Sidecar>,
}

/// How taking over ended.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum TakenOver {
    /// The image is like this now.
    Written(Image),
    /// It was so before.
    Unchanged(Image),
    /// There is no such image.
    Gone,
}

impl Catalog {
    /// Takes over what was read from an image and its sidecar, but for what its owner has said.
    pub async fn take_over(
        &self,
        image: ImageId,
        read: &ReadFile,
        now: Timestamp,
    ) -> Result<TakenOver> {
        until_settled!(self.try_take_over(image, read, now).await)
    }

    async fn try_take_over(
        &self,
        image: ImageId,
        read: &ReadFile,
        now: Timestamp,
    ) -> Result<Attempt<TakenOver>> {
        let is_there = |image: &Image| image.uploaded_at.is_some() && image.purging_since.is_none();
        let Some(before) = self.find_image(image).await?.filter(is_there) else {
            return Ok(Attempt::Settled(TakenOver::Gone));
        };
        let mut after = before.clone();
        after.sidecar.clone_from(&read.sidecar);
        let mut swap = Swap::default();
        let is_changed =
            self.change_as_read(&mut swap, &before, &mut after, Some(read), now).await?;
        if !is_changed {
            return Ok(Attempt::Settled(TakenOver::Unchanged(before)));
        }
        Ok(match swap.run(&*self.table).await? {
            Transacted::Done => Attempt::Settled(TakenOver::Written(after)),
            Transacted::Refused(_) => Attempt::Raced,
        })
    }

    /// Adds to a swap that an image becomes another one, and what was read with it; tells whether
    /// that makes a difference.
    pub(super) async fn change_as_read(
        &self,
        swap: &mut Swap,
        before: &Image,
        after: &mut Image,
        read: Option<&ReadFile>,
        now: Timestamp,
    ) -> Result<bool> {
        // If another sidecar has come since, whoever brought it has read both.
        if let Some(read) = read.filter(|read| read.sidecar == after.sidecar) {
            after.exif = read.exif.clone().map(Exif::finite);
            after.judge_clock();
            self.take_over_texts(swap, before, after, &read.metadata).await?;
        }
        if after == before {
            return Ok(false);
        }
        swap.guard(change(before, after, now)?);
        let left = match is_found_alike(before, after) {
            true => Left::Nothing,
            false => terms::exchange_terms(swap, before, after, now),
        };
        swap.guard(record_update_leaving(left, after, now)?);
        self.move_in_time(swap, before, after).await?;
        Ok(true)
    }

    async fn take_over_texts(
        &self,
        swap: &mut Swap,
        before: &Image,
        after: &mut Image,
        metadata: &Metadata,
    ) -> Result<()> {
        if *metadata == Metadata::default() && before.metadata.is_none() {
            return Ok(());
        }
        let mut tags = self.find_tags(before.id, before.owner).await?;
        tags.0.retain(|_, visibility| *visibility == TagVisibility::Private);
        let private: BTreeSet<Tag> = tags.0.keys().cloned().collect();
        after.take_over(&bounded(metadata), &private);
        if after.tags == before.tags {
            return Ok(());
        }
        tags.0.extend(after.tags.iter().map(|tag| (tag.clone(), TagVisibility::Public)));
        let tags = ImageTags(tags.0);
        if self.exchange_tags(swap, before.owner, &tags, before, after).await?.is_none() {
            after.leave_tags(before);
        }
        Ok(())
    }
}

/// Bytes of keywords that are kept, and of the name of a marked part: all of an image must fit into
/// its row, whatever is written in a file.
const KEYWORDS_BYTES_MAX: usize = 64 << 10;
const REGION_NAME_CHARS_MAX: usize = 100;

fn bounded(metadata: &Metadata) -> Metadata {
    let mut bounded = metadata.clone();
    let mut bytes = 0;
    bounded.keywords.retain(|keyword| {
        bytes += keyword.len();
        bytes <= KEYWORDS_BYTES_MAX
    });
    for name in bounded.regions.iter_mut().filter_map(|region| region.name.as_mut()) {
        *name = name.chars().take(REGION_NAME_CHARS_MAX).collect();
    }
    bounded
}

/// Whether the same searches find both.
fn is_found_alike(before: &Image, after: &Image) -> bool {
    let texts = |image: &Image| (image.title.clone(), image.description.clone(), image.rating);
    texts(before) == texts(after)
        && (&before.exif, before.taken()) == (&after.exif, after.taken())
        && before.metadata == after.metadata
        && before.visibility == after.visibility
}
