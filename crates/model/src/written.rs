//! What is kept of what was written into a photo, within the limits of the product, and how it is
//! taken over: whatever the owner says is stronger than the file.
//!
//! What the file said last is kept beside what holds. Where both are the same, the owner has left
//! it as the file has it, and a file that says something else changes it; where they differ, the
//! owner has decided. So a file may be read any number of times without undoing an edit.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::limits::{
    DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX, TAGS_BY_OWNER_MAX, TITLE_CHARS_MAX,
    WRITTEN_KEYWORDS_MAX, WRITTEN_REGIONS_MAX,
};
use crate::{Description, Image, Metadata, Place, Rating, Region, Sha256Hex, Tag, Title};

/// What was read from a photo and its sidecar.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Written {
    /// The title, as it was taken over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Title>,
    /// The description, as it was taken over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Description>,
    /// The rating, as it was taken over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// The keywords that became tags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// The other keywords.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// Who made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artist: Option<String>,
    /// Whose it is by law.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copyright: Option<String>,
    /// The names of the place it shows.
    #[serde(skip_serializing_if = "Place::is_empty")]
    pub place: Place,
    /// Its marked parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<Region>,
}

/// The sidecar of an image: a file of XMP beside it. Its object key follows from the image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sidecar {
    /// Its length.
    pub size_bytes: i64,
    /// Its SHA-256, as 64 hexadecimal digits.
    pub sha256: Sha256Hex,
}

/// What cameras write into every photo in place of a description.
const SAID_BY_CAMERAS: [&str; 12] = [
    "olympus digital camera",
    "sony dsc",
    "konica minolta digital camera",
    "minolta digital camera",
    "kodak digital still camera",
    "digital camera",
    "digital still camera",
    "samsung",
    "samsung digital camera",
    "samsung camera pictures",
    "exif_jpeg_picture",
    "default",
];

impl Written {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The names of the place, from small to large, and the code of the country.
    pub fn place_names(&self) -> impl Iterator<Item = &str> {
        let Place { location, city, state, country, country_code } = &self.place;
        [location, city, state, country, country_code].into_iter().flatten().map(String::as_str)
    }
}

impl Image {
    /// Takes over what was read from the photo, but for what its owner has said. `private` are the
    /// owner's private tags, which stay that.
    pub fn take_over(&mut self, read: &Metadata, private: &BTreeSet<Tag>) {
        let before = *self.metadata.take().unwrap_or_default();
        let title = read.title.as_deref().and_then(|text| clipped(text, TITLE_CHARS_MAX, false));
        let title: Option<Title> = title.and_then(|text| text.parse().ok());
        let description: Option<Description> = read.description.as_deref().and_then(description_of);
        let rating = read.rating.and_then(Rating::new);
        follow(&mut self.title, &before.title, &title);
        follow(&mut self.description, &before.description, &description);
        follow(&mut self.rating, &before.rating, &rating);
        let (tags, keywords) =
            take_over_keywords(&mut self.tags, read, (&before.tags, &before.keywords), private);
        let short = |text: &Option<String>| clipped(text.as_deref()?, NAME_CHARS_MAX, false);
        let place = Place {
            location: short(&read.place.location),
            city: short(&read.place.city),
            state: short(&read.place.state),
            country: short(&read.place.country),
            country_code: short(&read.place.country_code),
        };
        let (artist, copyright) = (short(&read.artist), short(&read.copyright));
        let regions = regions_of(&read.regions);
        let written = Written {
            title,
            description,
            rating,
            tags,
            keywords,
            artist,
            copyright,
            place,
            regions,
        };
        self.metadata = (!written.is_empty()).then(|| Box::new(written));
    }

    /// Puts the tags back that it had `before`, of an image that can have no more of them; what
    /// would have become one stays a keyword.
    pub fn leave_tags(&mut self, before: &Self) {
        self.tags.clone_from(&before.tags);
        let Some(written) = &mut self.metadata else { return };
        let had: &[Tag] = before.metadata.as_ref().map_or(&[], |written| &written.tags);
        let (tags, others): (Vec<Tag>, Vec<Tag>) =
            written.tags.drain(..).partition(|tag| had.contains(tag));
        written.tags = tags;
        written.keywords.extend(others.into_iter().map(String::from));
    }

    /// The same without what only its owner is told, and without what the file says about it unless
    /// that is shown to all.
    pub fn hide_written(&mut self, shows_metadata: bool) {
        self.rating = None;
        self.sidecar = None;
        if !shows_metadata {
            self.metadata = None;
        }
        if let Some(written) = &mut self.metadata {
            written.rating = None;
            written.regions.clear();
        }
    }
}

/// What the file says now takes the place of what it said before, if that is what still holds.
fn follow<T: PartialEq + Clone>(holds: &mut Option<T>, said: &Option<T>, says: &Option<T>) {
    if holds == said {
        holds.clone_from(says);
    }
}

fn description_of(text: &str) -> Option<Description> {
    let text = clipped(text, DESCRIPTION_CHARS_MAX, true)?;
    let is_said_by_camera = SAID_BY_CAMERAS.contains(&text.to_lowercase().as_str());
    if is_said_by_camera { None } else { text.parse().ok() }
}

/// The first keywords that can be tags become some, as far as there is room. Tags that came from
/// keywords go with them. Returns those that became tags, now or before, and all others.
fn take_over_keywords(
    tags: &mut Vec<Tag>,
    read: &Metadata,
    (had, passed_over): (&[Tag], &[String]),
    private: &BTreeSet<Tag>,
) -> (Vec<Tag>, Vec<String>) {
    let (mut became, mut others): (Vec<Tag>, Vec<String>) = (Vec::new(), Vec::new());
    let keywords: Vec<(String, Option<Tag>)> = read
        .keywords
        .iter()
        .filter_map(|keyword| clipped(keyword, NAME_CHARS_MAX, false))
        .map(|keyword| {
            let tag = keyword.parse().ok();
            (keyword, tag)
        })
        .take(WRITTEN_KEYWORDS_MAX)
        .collect();
    let is_said = |tag: &Tag| keywords.iter().any(|(_, said)| said.as_ref() == Some(tag));
    tags.retain(|tag| is_said(tag) || !had.contains(tag));
    let mut count = tags.len() + private.len();
    for (keyword, tag) in &keywords {
        let Some(tag) = tag else {
            others.push(keyword.clone());
            continue;
        };
        let text = tag.as_str();
        if became.contains(tag) || others.iter().any(|other| other == text) {
            continue;
        }
        let is_there = tags.contains(tag) || private.contains(tag);
        if is_there || had.contains(tag) {
            became.push(tag.clone());
        } else if count < TAGS_BY_OWNER_MAX && !passed_over.iter().any(|other| other == text) {
            tags.push(tag.clone());
            became.push(tag.clone());
            count += 1;
        } else {
            others.push(text.to_owned());
        }
    }
    tags.sort();
    others.dedup();
    (became, others)
}

fn regions_of(regions: &[Region]) -> Vec<Region> {
    // To a millionth of the picture: not every store holds every number.
    let share = |side: f64| (side.abs() <= 10.0).then(|| (side * 1e6).round() / 1e6);
    let kept = regions.iter().filter_map(|region| {
        let (width, height) = (share(region.width)?, share(region.height)?);
        (width > 0.0 && height > 0.0).then_some(())?;
        Some(Region {
            name: region.name.as_deref().and_then(|name| clipped(name, NAME_CHARS_MAX, false)),
            left: share(region.left)?,
            top: share(region.top)?,
            width,
            height,
            ..region.clone()
        })
    });
    kept.take(WRITTEN_REGIONS_MAX).collect()
}

/// A text without characters that no text has here, and cut to so many; nothing, if it is empty.
fn clipped(text: &str, chars_max: usize, multiline: bool) -> Option<String> {
    let is_bad = |c: char| c.is_control() && !(multiline && matches!(c, '\n' | '\r' | '\t'));
    let text: String = text.chars().map(|c| if is_bad(c) { ' ' } else { c }).collect();
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    if text.chars().count() <= chars_max {
        return Some(text.to_owned());
    }
    let cut: String = text.chars().take(chars_max - 1).collect();
    Some(format!("{}…", cut.trim_end()))
}

#[cfg(test)]
mod tests;
