//! What people and their programs wrote into a photo, beside what the camera wrote.

use serde::{Deserialize, Serialize};

/// Texts, rating and regions of EXIF, IPTC and XMP, by the precedence of the Metadata Working
/// Group. Dates, camera and coordinates are in [`Exif`](crate::Exif).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Metadata {
    /// The title (`dc:title`, IPTC object name).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The description (`dc:description`, IPTC caption, EXIF image description).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The keywords, hierarchies as `a/b`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// Stars, 0 to 5; -1 for rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<i8>,
    /// Who made it; several by `; `.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artist: Option<String>,
    /// Whose it is by law.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copyright: Option<String>,
    /// The names of the place it shows.
    #[serde(skip_serializing_if = "Place::is_empty")]
    pub place: Place,
    /// The parts of it that somebody has marked, mostly faces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<Region>,
}

impl Metadata {
    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The names of a place, from small to large.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Place {
    /// A part of a city, or a name of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// The city.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// The state or province.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The country.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// The country's ISO code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country_code: Option<String>,
}

impl Place {
    /// Whether nothing is known of it.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A marked part of a photo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    /// What it shows.
    pub kind: RegionKind,
    /// Its name, of a face that of the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its left edge, as a share of the width of the upright picture.
    pub left: f64,
    /// Its upper edge, as a share of the height of the upright picture.
    pub top: f64,
    /// Its width as such a share.
    pub width: f64,
    /// Its height as such a share.
    pub height: f64,
}

/// What a marked part of a photo shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RegionKind {
    /// Somebody's face.
    Face,
    /// An animal.
    Pet,
    /// Anything else.
    #[serde(other)]
    Other,
}
