//! The texts in EXIF data that people write, and those that Windows added to them.

use super::charset::{TEXT_BYTES_MAX, clean, guessed, utf16};
use super::says::{Says, names, stars, stars_of_percent};
use crate::tiff::Entry;

/// What people wrote.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Texts {
    description: Option<String>,
    artist: Option<String>,
    copyright: Option<String>,
    rating: Option<i8>,
    rating_percent: Option<i8>,
    comment: Option<String>,
    xp_title: Option<String>,
    xp_comment: Option<String>,
    xp_author: Option<String>,
    xp_keywords: Option<String>,
    xp_subject: Option<String>,
}

impl Texts {
    pub(crate) fn take(&mut self, entry: Entry<'_>) {
        let number = || entry.real(0);
        let windows = || clean(&utf16(start(entry.data), true));
        match entry.tag {
            0x010e => self.description = text(entry),
            0x013b => self.artist = text(entry),
            0x8298 => self.copyright = copyright(entry),
            0x4746 => self.rating = number().and_then(stars),
            0x4749 => self.rating_percent = number().and_then(stars_of_percent),
            0x9286 => self.comment = comment(entry),
            0x9c9b => self.xp_title = windows(),
            0x9c9c => self.xp_comment = windows(),
            0x9c9d => self.xp_author = windows(),
            0x9c9e => self.xp_keywords = windows(),
            0x9c9f => self.xp_subject = windows(),
            _ => {}
        }
    }

    /// What the Metadata Working Group reads first.
    pub(super) fn first(&self) -> Says {
        Says {
            description: self.description.clone(),
            artists: self.artist.as_deref().map(names).unwrap_or_default(),
            copyright: self.copyright.clone(),
            ..Says::default()
        }
    }

    /// What is better than nothing.
    pub(super) fn last(&self) -> Says {
        let list = |text: &Option<String>| text.as_deref().map(names).unwrap_or_default();
        let comments = [&self.xp_comment, &self.xp_subject, &self.comment];
        Says {
            title: self.xp_title.clone(),
            description: comments.into_iter().find_map(Clone::clone),
            keywords: list(&self.xp_keywords),
            artists: list(&self.xp_author),
            rating: self.rating.or(self.rating_percent),
            ..Says::default()
        }
    }
}

/// The bytes of a text, by whatever type it was written.
fn bytes(entry: Entry<'_>) -> &[u8] {
    if entry.is_bytes() { start(entry.data) } else { &[] }
}

fn start(data: &[u8]) -> &[u8] {
    data.get(..TEXT_BYTES_MAX).unwrap_or(data)
}

fn text(entry: Entry<'_>) -> Option<String> {
    clean(&guessed(bytes(entry).split(|&byte| byte == 0).next()?))
}

/// The photographer's and, after a zero, the editor's.
fn copyright(entry: Entry<'_>) -> Option<String> {
    let parts = bytes(entry).split(|&byte| byte == 0).take(2);
    let parts: Vec<String> = parts.filter_map(|part| clean(&guessed(part))).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Its first eight bytes say in which charset it is.
fn comment(entry: Entry<'_>) -> Option<String> {
    let (charset, text) = bytes(entry).split_at_checked(8)?;
    if charset.starts_with(b"UNICODE") {
        // Many writers do not keep to the byte order of the rest.
        return clean(&utf16(text, looks_little_endian(text, entry.is_little_endian())));
    }
    let text = text.split(|&byte| byte == 0).next()?;
    clean(&guessed(text))
}

/// Most signs of most texts have a zero in their upper byte.
fn looks_little_endian(text: &[u8], otherwise: bool) -> bool {
    let pairs = text.as_chunks::<2>().0;
    let first = pairs.iter().filter(|[first, _]| *first == 0).count();
    let second = pairs.iter().filter(|[_, second]| *second == 0).count();
    if first == second { otherwise } else { second > first }
}
