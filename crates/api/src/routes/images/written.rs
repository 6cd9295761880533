//! What was written into an image, as clients see it.

use model::{Place, Region, RegionKind, Sha256Hex, Sidecar, Written};
use serde::Serialize;
use utoipa::ToSchema;

/// What people and their programs wrote into an image.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Metadata)]
pub(super) struct MetadataInfo {
    /// Who made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    artist: Option<String>,
    /// Whose it is by law.
    #[serde(skip_serializing_if = "Option::is_none")]
    copyright: Option<String>,
    /// The names of the place it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceInfo>,
    /// Keywords that did not become tags, because there were too many or they are too long.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    keywords: Vec<String>,
    /// Its marked parts, for the owner.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    regions: Vec<RegionInfo>,
}

/// The names of a place, from small to large.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Place)]
struct PlaceInfo {
    /// A part of a city, or a name of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    /// The city.
    #[serde(skip_serializing_if = "Option::is_none")]
    city: Option<String>,
    /// The state or province.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    /// The country.
    #[serde(skip_serializing_if = "Option::is_none")]
    country: Option<String>,
    /// The country's ISO code.
    #[serde(skip_serializing_if = "Option::is_none")]
    country_code: Option<String>,
}

/// A marked part of an image, in parts of its width and height, upright.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Region)]
struct RegionInfo {
    /// `face`, `pet` or `other`.
    kind: &'static str,
    /// Its name, of a face that of the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Left edge.
    left: f64,
    /// Upper edge.
    top: f64,
    /// Width.
    width: f64,
    /// Height.
    height: f64,
}

/// The file of XMP beside an image, which `GET /api/v1/images/{id}/sidecar` gives back.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Sidecar)]
pub(super) struct SidecarInfo {
    /// Its length.
    size_bytes: i64,
    /// Its SHA-256, as 64 hexadecimal digits.
    #[schema(value_type = String)]
    sha256: Sha256Hex,
}

impl SidecarInfo {
    pub(super) fn of(sidecar: Sidecar) -> Self {
        let Sidecar { size_bytes, sha256 } = sidecar;
        Self { size_bytes, sha256 }
    }
}

impl MetadataInfo {
    /// Nothing, if all that was written is elsewhere in the image.
    pub(super) fn of(written: Written) -> Option<Self> {
        let Written { artist, copyright, place, keywords, regions, .. } = written;
        let place = (!place.is_empty()).then(|| PlaceInfo::of(place));
        let is_empty = artist.is_none()
            && copyright.is_none()
            && place.is_none()
            && keywords.is_empty()
            && regions.is_empty();
        let regions = regions.into_iter().map(RegionInfo::of).collect();
        (!is_empty).then_some(Self { artist, copyright, place, keywords, regions })
    }
}

impl PlaceInfo {
    fn of(place: Place) -> Self {
        let Place { location, city, state, country, country_code } = place;
        Self { location, city, state, country, country_code }
    }
}

impl RegionInfo {
    fn of(region: Region) -> Self {
        let Region { kind, name, left, top, width, height } = region;
        let kind = match kind {
            RegionKind::Face => "face",
            RegionKind::Pet => "pet",
            RegionKind::Other => "other",
        };
        Self { kind, name, left, top, width, height }
    }
}
