//! Tags: each author's own on every image they may see, and the public ones of everyone; and
//! favourites, which are nobody else's business.
//!
//! A public tag is seen by those who may see its image, and by nobody else: neither in lists of
//! images nor among suggestions.

mod albums;
mod favourites;
mod find;
mod set;

use std::collections::BTreeMap;

use catalog::{ImageTags, TagScope};
use model::{ImageId, Tag};

pub use find::WantedTag;
pub use set::SetTagsEnd;

use crate::{Caller, Error, Result};

/// Whose tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagsBy {
    /// The caller's own, public and private.
    Me,
    /// The public ones of everyone.
    Everyone,
}

/// The tags of an image, as a caller sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagsOfImage {
    /// The caller's own.
    pub mine: ImageTags,
    /// The public ones of everyone, with the number of their authors.
    pub everyone: BTreeMap<Tag, i64>,
    /// Whether the image is one of the caller's favourites.
    pub favourite: bool,
}

/// A tag, and how many images have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedTag {
    /// The tag.
    pub tag: Tag,
    /// How many images were counted.
    pub count: usize,
    /// Whether there are more than were counted.
    pub more: bool,
}

/// Tags within one album.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlbumTags {
    /// The tags, in order, with the number of images that have them.
    pub tags: Vec<(Tag, usize)>,
    /// Whether all images of the album were looked at.
    pub complete: bool,
}

/// How far an image of an album is tagged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagStatus {
    /// The image.
    pub image: ImageId,
    /// How many tags the caller has set on it.
    pub mine: usize,
    /// How many different public tags it has.
    pub everyone: usize,
}

/// How far renaming a tag has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// Images on which it was renamed.
    pub changed: usize,
    /// Images on which it could not be, because the name that is to be would make too many.
    pub refused: usize,
    /// Whether there are more; ask again.
    pub more: bool,
}

impl TagsBy {
    fn scope(self, caller: &Caller) -> TagScope {
        match self {
            Self::Me => TagScope::Author(caller.user),
            Self::Everyone => TagScope::Everyone,
        }
    }
}

/// Things that can be named in one request.
const AT_ONCE_MAX: usize = 100;

fn check_count(field: &'static str, count: usize) -> Result<()> {
    if count <= AT_ONCE_MAX {
        return Ok(());
    }
    Err(Error::invalid(field, format!("at most {AT_ONCE_MAX} at once, not {count}")))
}
