//! An image as clients see it. URLs are computed for every answer and never stored.

use std::collections::BTreeMap;

use model::{
    AltText, Description, Exif, External, Filename, Image, ImageId, ImageStatus, Rating, Rendition,
    RenditionFormat, Sha256Hex, Shown, SizeName, Tag, Timestamp, Title, UserId, Visibility,
};
use serde::Serialize;
use service::PixelName;
use utoipa::ToSchema;

use super::taken::TakenInfo;
use super::written::{MetadataInfo, SidecarInfo};
use crate::app::App;

/// An image.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Image)]
pub(in crate::routes) struct ImageInfo {
    /// Its id, a ULID: sorted by creation.
    #[schema(value_type = String)]
    id: ImageId,
    /// The id of the user whose it is.
    #[schema(value_type = String)]
    owner: UserId,
    /// `pending`, `processing`, `completed` or `failed`.
    status: &'static str,
    /// `private` or `shared`.
    visibility: &'static str,
    /// The name that the file had.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    filename: Option<Filename>,
    /// What kind of file it is, by its first bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'static str>,
    /// Bytes of the original.
    #[serde(skip_serializing_if = "Option::is_none")]
    size_bytes: Option<i64>,
    /// SHA-256 of the original, as 64 hexadecimal digits: the receipt of an upload.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    sha256: Option<Sha256Hex>,
    /// Bytes of all renditions.
    #[serde(skip_serializing_if = "Option::is_none")]
    processed_size_bytes: Option<i64>,
    /// Width in pixels, as seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    /// Height in pixels, as seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    /// Width divided by height.
    #[serde(skip_serializing_if = "Option::is_none")]
    aspect_ratio: Option<f64>,
    /// Whether it moves.
    animated: bool,
    /// How much of it the renditions show, if not all: `incomplete`, what there is of a file that
    /// ends too early or is damaged; `preview`, only the smaller picture that the file brings along.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<&'static str>,
    /// A tiny preview, as base64 of a ThumbHash.
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbhash: Option<String>,
    /// The dominant colour, as `#rrggbb`.
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    /// Like that of images that look alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    perceptual_hash: Option<String>,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    title: Option<Title>,
    /// The description.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    description: Option<Description>,
    /// The alternative text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    alt_text: Option<AltText>,
    /// The owner's public tags.
    #[schema(value_type = Vec<String>)]
    tags: Vec<Tag>,
    /// The renditions that have been made, by size name.
    #[schema(value_type = BTreeMap<String, SizeUrl>)]
    sizes: BTreeMap<SizeName, SizeUrl>,
    /// Where the original is, for its owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    original_url: Option<String>,
    /// What the camera wrote; for the owner, unless the installation shows it to all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    exif: Option<Exif>,
    /// How much its owner likes it, for the owner: one to five stars, or -1 for rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i8>, minimum = -1, maximum = 5)]
    rating: Option<Rating>,
    /// What people and their programs wrote into the file beside its title, description, tags and
    /// rating; for the owner, unless the installation shows it to all.
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<MetadataInfo>,
    /// The file of XMP beside it, if one was sent; for the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    sidecar: Option<SidecarInfo>,
    /// When it was taken, as far as anybody says; to whom `exif` is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<TakenInfo>,
    /// Whether the date in `exif` cannot be, so that it does not count: the clock of the camera was
    /// wrong.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    clock_wrong: bool,
    /// Where it lives, if it has no file here.
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<ExternalInfo>,
    /// Why processing failed; the message of `failure`.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Why processing failed, for the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<FailureInfo>,
    /// When the upload was asked for.
    #[schema(value_type = String)]
    created_at: Timestamp,
    /// When anything about it last changed.
    #[schema(value_type = String)]
    updated_at: Timestamp,
    /// When its bytes had arrived. Lists are in this order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    uploaded_at: Option<Timestamp>,
    /// The same in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    uploaded_at_millis: Option<i64>,
    /// When its renditions were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    processed_at: Option<Timestamp>,
    /// Since when it is in the trash.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    trashed_at: Option<Timestamp>,
    /// When it disappears by itself, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl: Option<i64>,
    /// Counts the changes; send it back with an edit.
    version: i64,
}

/// Why an image has no renditions.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Failure)]
pub(in crate::routes) struct FailureInfo {
    /// `unsupported_image`, `truncated_image`, `damaged_image`, `file_too_large`,
    /// `too_many_pixels`, `side_too_long`, `too_many_frames`, `too_much_memory`,
    /// `original_missing` or `processing_failed`.
    code: &'static str,
    /// The same for people.
    message: String,
}

impl FailureInfo {
    pub(in crate::routes) fn of(image: &Image) -> Option<Self> {
        let (code, message) = image.failure()?;
        Some(Self { code: code.name(), message: message.to_owned() })
    }
}

/// Where an image lives that has no file here.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ExternalInfo {
    /// Which system.
    source: String,
    /// Its lasting id there.
    unique_id: String,
    /// What that system needs to fetch it; may change.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_id: Option<String>,
    /// The set it belongs to there.
    #[serde(skip_serializing_if = "Option::is_none")]
    set_name: Option<String>,
}

impl ExternalInfo {
    fn of(external: External) -> Self {
        let External { source, unique_id, file_id, set_name } = external;
        Self { source, unique_id, file_id, set_name }
    }
}

/// A rendition and where it is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::routes) struct SizeUrl {
    /// Where it is; signed, and good for an hour at least.
    url: String,
    /// How it is encoded unless the client does not take that.
    format: &'static str,
    /// Quality from 1 to 100, of lossy formats.
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<u8>,
    /// Width in pixels.
    width: u32,
    /// Height in pixels.
    height: u32,
    /// Its length.
    size_bytes: i64,
}

impl ImageInfo {
    /// An image as its owner, or somebody else, sees it.
    pub(in crate::routes) fn of(app: &App, image: Image, is_owner: bool) -> Self {
        let base = app.settings.pixel_base();
        let url = |name: PixelName| [base, &app.service.pixel_path(image.id, &name)].concat();
        let original_url =
            image.original.as_ref().filter(|_| is_owner).map(|_| url(PixelName::original()));
        let renditions = &image.renditions;
        let sum = renditions.values().map(|rendition| rendition.size_bytes).sum();
        let processed_size_bytes = (!renditions.is_empty()).then_some(sum);
        let size = |(name, rendition): (&SizeName, &Rendition)| {
            (name.clone(), SizeUrl::of(url(PixelName::size(name.clone())), rendition))
        };
        let sizes = renditions.iter().map(size).collect();
        let pending = image.status == ImageStatus::Pending;
        let failure = FailureInfo::of(&image);
        let taken = TakenInfo::of(&image);
        let facts = image.facts;
        Self {
            id: image.id,
            owner: image.owner,
            status: status_name(image.status),
            visibility: visibility_name(image.visibility),
            filename: image.filename,
            mime_type: image.media_type.map(model::MediaType::name),
            size_bytes: image.original.as_ref().map(|original| original.size_bytes),
            sha256: image.original.map(|original| original.sha256),
            processed_size_bytes,
            width: facts.as_ref().map(|facts| facts.width),
            height: facts.as_ref().map(|facts| facts.height),
            aspect_ratio: facts.as_ref().map(model::Facts::aspect_ratio),
            animated: facts.as_ref().is_some_and(|facts| facts.animated),
            shown: facts
                .as_ref()
                .map(|facts| facts.shown)
                .filter(|s| !s.is_whole())
                .map(Shown::name),
            thumbhash: facts.as_ref().and_then(|facts| facts.thumbhash.clone()),
            color: facts.as_ref().and_then(|facts| facts.color.clone()),
            perceptual_hash: facts.and_then(|facts| facts.perceptual_hash),
            title: image.title,
            description: image.description,
            alt_text: image.alt_text,
            tags: image.tags,
            sizes,
            original_url,
            exif: image.exif,
            rating: image.rating,
            metadata: image.metadata.and_then(|written| MetadataInfo::of(*written)),
            sidecar: image.sidecar.map(SidecarInfo::of),
            taken,
            clock_wrong: image.is_clock_wrong,
            external: image.external.map(ExternalInfo::of),
            error: image.error,
            failure,
            created_at: image.created_at,
            updated_at: image.updated_at,
            uploaded_at: image.uploaded_at,
            uploaded_at_millis: image.uploaded_at.map(Timestamp::as_millis),
            processed_at: image.processed_at,
            trashed_at: image.trashed_at,
            // That of a pending image is about its row, not about the image.
            ttl: image.ttl.filter(|_| !pending),
            version: image.version,
        }
    }
}

impl SizeUrl {
    pub(in crate::routes) fn of(url: String, rendition: &Rendition) -> Self {
        Self {
            url,
            format: format_name(rendition.format),
            quality: rendition.quality,
            width: rendition.width,
            height: rendition.height,
            size_bytes: rendition.size_bytes,
        }
    }
}

pub(in crate::routes) fn status_name(status: ImageStatus) -> &'static str {
    match status {
        ImageStatus::Pending => "pending",
        ImageStatus::Processing => "processing",
        ImageStatus::Completed => "completed",
        ImageStatus::Failed => "failed",
    }
}

pub(in crate::routes) fn visibility_name(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Private => "private",
        Visibility::Shared => "shared",
    }
}

fn format_name(format: RenditionFormat) -> &'static str {
    match format {
        RenditionFormat::Webp => "webp",
        RenditionFormat::Avif => "avif",
        RenditionFormat::Jpeg => "jpeg",
        RenditionFormat::Png => "png",
    }
}
