use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::limits::EXTERNAL_ID_CHARS_MAX;
use crate::text::{BadText, clean, text_type};
use crate::{
    AltText, Description, Exif, FailureCode, Filename, ImageId, Rating, Sidecar, SizeName, Tag,
    TakenAt, Timestamp, Title, UserId, Written,
};

/// Everything that is stored of an image but for its relations (albums, persons, tags of
/// others), which are rows of their own. URLs are computed, never stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    /// The image's id.
    pub id: ImageId,
    /// Whose it is; the signed-in user who uploaded it.
    pub owner: UserId,
    /// How far it has come.
    pub status: ImageStatus,
    /// Who may see it.
    pub visibility: Visibility,
    /// The name the file had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filename: Option<Filename>,
    /// What kind of file it is, by its first bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<MediaType>,
    /// Facts about the original, once its bytes have arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<Original>,
    /// Facts found by decoding it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
    /// The renditions that have been written, by size name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub renditions: BTreeMap<SizeName, Rendition>,
    /// When the renditions were finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processed_at: Option<Timestamp>,
    /// Why processing failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The same by its kind; rows of older versions have only the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_code: Option<FailureCode>,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Title>,
    /// The description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Description>,
    /// The alternative text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alt_text: Option<AltText>,
    /// The owner's tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// What the camera wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exif: Option<Exif>,
    /// How much its owner likes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// What people and their programs wrote into it, as it was last read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Box<Written>>,
    /// The file of XMP beside it, if one was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sidecar: Option<Sidecar>,
    /// When it was taken, if its owner has said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_set: Option<TakenAt>,
    /// When its file was last changed, as whoever sent it said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_time: Option<TakenAt>,
    /// Whether the date that the camera wrote cannot be, so that it does not count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_clock_wrong: bool,
    /// Where it lives, if its bytes are not ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external: Option<External>,
    /// What was agreed on for an upload whose bytes have not all arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upload: Option<UploadTerms>,
    /// When the upload was asked for.
    pub created_at: Timestamp,
    /// When anything about it last changed.
    pub updated_at: Timestamp,
    /// When its bytes had arrived. Lists are in this order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uploaded_at: Option<Timestamp>,
    /// When it was put into the trash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trashed_at: Option<Timestamp>,
    /// Since when it is being removed for good. Nothing can be attached to it any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purging_since: Option<Timestamp>,
    /// When it disappears by itself, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl: Option<i64>,
    /// Counts the changes, for optimistic locking.
    pub version: i64,
}

impl Image {
    /// An image that has been promised but not received.
    pub fn pending(id: ImageId, owner: UserId, now: Timestamp) -> Self {
        Self {
            id,
            owner,
            status: ImageStatus::Pending,
            visibility: Visibility::Private,
            filename: None,
            media_type: None,
            original: None,
            facts: None,
            renditions: BTreeMap::new(),
            processed_at: None,
            error: None,
            failure_code: None,
            title: None,
            description: None,
            alt_text: None,
            tags: Vec::new(),
            exif: None,
            rating: None,
            metadata: None,
            sidecar: None,
            taken_set: None,
            file_time: None,
            is_clock_wrong: false,
            external: None,
            upload: None,
            created_at: now,
            updated_at: now,
            uploaded_at: None,
            trashed_at: None,
            purging_since: None,
            ttl: None,
            version: 1,
        }
    }

    /// Whether it can be shown at all.
    pub fn is_visible(&self) -> bool {
        self.status != ImageStatus::Pending
            && self.trashed_at.is_none()
            && self.purging_since.is_none()
    }

    /// What was wrong when processing failed.
    pub fn failure(&self) -> Option<(FailureCode, &str)> {
        let code = self.failure_code.unwrap_or(FailureCode::ProcessingFailed);
        self.error.as_deref().map(|message| (code, message))
    }

    /// Bytes it counts for in its owner's quota.
    pub fn size_bytes(&self) -> i64 {
        self.original.as_ref().map_or(0, |original| original.size_bytes)
    }
}

/// What was said about bytes before they came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UploadTerms {
    /// How many there are, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<i64>,
    /// Their checksum, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Sha256Hex>,
    /// When the image is to disappear by itself, if ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Whether a second copy of bytes that the owner has is wanted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep_duplicate: bool,
    /// Whether what cannot be shown is to be refused instead of kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_shown: bool,
    /// Until when they are waited for.
    pub until: Timestamp,
}

/// How far an image has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ImageStatus {
    /// Reserved; its bytes have not all arrived.
    Pending,
    /// Received; its renditions are being made.
    Processing,
    /// Ready.
    Completed,
    /// Given up; see the error.
    Failed,
}

/// Who may see an image, beside its owner and the members of its albums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Visibility {
    /// Nobody.
    Private,
    /// Every user.
    Shared,
}

/// The original as it was received.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Original {
    /// Its length.
    pub size_bytes: i64,
    /// Its SHA-256, as 64 hexadecimal digits.
    pub sha256: Sha256Hex,
}

/// What decoding an image tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// Width in pixels, as seen (orientation applied).
    pub width: u32,
    /// Height in pixels, as seen.
    pub height: u32,
    /// Whether it moves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub animated: bool,
    /// How much of the picture its renditions show.
    #[serde(default, skip_serializing_if = "Shown::is_whole")]
    pub shown: Shown,
    /// A tiny preview, as base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbhash: Option<String>,
    /// The dominant colour, as `#rrggbb`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// A perceptual hash for near-duplicates, as hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perceptual_hash: Option<String>,
}

impl Facts {
    /// Width divided by height.
    pub fn aspect_ratio(&self) -> f64 {
        f64::from(self.width.max(1)) / f64::from(self.height.max(1))
    }
}

/// How much of an image its renditions show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Shown {
    /// All of it.
    #[default]
    Whole,
    /// What there is of a file that ends too early or is damaged further back.
    Incomplete,
    /// Only the smaller picture that the file brings along to be shown in its place.
    Preview,
}

impl Shown {
    /// Whether all of it is shown.
    pub fn is_whole(&self) -> bool {
        *self == Self::Whole
    }

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Incomplete => "incomplete",
            Self::Preview => "preview",
        }
    }
}

/// A rendition that has been written. Its object key follows from image, size and format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rendition {
    /// How it is encoded.
    pub format: RenditionFormat,
    /// Quality from 1 to 100, for lossy formats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<u8>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Its length.
    pub size_bytes: i64,
}

/// How a rendition is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RenditionFormat {
    /// WebP.
    Webp,
    /// AVIF.
    Avif,
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
}

/// What kind of file an original is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum MediaType {
    #[serde(rename = "image/jpeg")]
    Jpeg,
    #[serde(rename = "image/png")]
    Png,
    #[serde(rename = "image/webp")]
    Webp,
    #[serde(rename = "image/gif")]
    Gif,
    #[serde(rename = "image/avif")]
    Avif,
    #[serde(rename = "image/heic")]
    Heic,
    #[serde(rename = "image/tiff")]
    Tiff,
    #[serde(rename = "image/bmp")]
    Bmp,
    #[serde(rename = "image/jxl")]
    Jxl,
    #[serde(rename = "image/x-raw")]
    Raw,
    #[serde(rename = "image/vnd.adobe.photoshop")]
    Psd,
    #[serde(rename = "image/jp2")]
    Jp2,
    #[serde(rename = "image/x-tga")]
    Tga,
    #[serde(rename = "image/vnd.microsoft.icon")]
    Ico,
    /// JPEG XR: kept, not shown.
    #[serde(rename = "image/jxr")]
    Jxr,
    /// OpenEXR: kept, not shown.
    #[serde(rename = "image/x-exr")]
    Exr,
}

impl MediaType {
    /// Its name as HTTP knows it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
            Self::Gif => "image/gif",
            Self::Avif => "image/avif",
            Self::Heic => "image/heic",
            Self::Tiff => "image/tiff",
            Self::Bmp => "image/bmp",
            Self::Jxl => "image/jxl",
            Self::Raw => "image/x-raw",
            Self::Psd => "image/vnd.adobe.photoshop",
            Self::Jp2 => "image/jp2",
            Self::Tga => "image/x-tga",
            Self::Ico => "image/vnd.microsoft.icon",
            Self::Jxr => "image/jxr",
            Self::Exr => "image/x-exr",
        }
    }
}

/// An image that lives elsewhere, such as a sticker, and is found again by its id there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct External {
    /// Which system, such as `telegram`.
    pub source: String,
    /// Its lasting id there (`fileUniqueId`).
    pub unique_id: String,
    /// What that system needs to fetch it (`fileId`); may change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_id: Option<String>,
    /// The set it belongs to there (`setName`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set_name: Option<String>,
}

text_type!(
    /// A system in which images live, such as `telegram`; part of keys and URLs.
    ExternalSource,
    |text| parse_source(text)
);
text_type!(
    /// An id that another system has given to an image, a file or a set.
    ExternalId,
    |text| clean(text, "an external id", EXTERNAL_ID_CHARS_MAX, false)
);

fn parse_source(text: &str) -> Result<String, BadText> {
    let fits = (1..=32).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if fits {
        return Ok(text.to_owned());
    }
    let what = "a source (1 to 32 lower-case letters, digits and dashes)";
    Err(BadText::Form { what, text: text.chars().take(64).collect() })
}

text_type!(
    /// A SHA-256 as 64 lower-case hexadecimal digits.
    Sha256Hex,
    |text| parse_sha256(text)
);

fn parse_sha256(text: &str) -> Result<String, BadText> {
    let is_hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    if text.len() == 64 && text.bytes().all(is_hex) {
        return Ok(text.to_owned());
    }
    let what = "a SHA-256 (64 lower-case hexadecimal digits)";
    Err(BadText::Form { what, text: text.chars().take(70).collect() })
}
