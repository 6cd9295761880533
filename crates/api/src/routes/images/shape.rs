//! An image as clients see it. URLs are computed for every answer and never stored.

use std::collections::BTreeMap;

use model::{Exif, Image, ImageStatus, Rendition, RenditionFormat, SizeName, Visibility};
use serde::Serialize;
use service::{PixelName, Service};
use utoipa::ToSchema;

use crate::app::App;

/// An image.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Image)]
pub(in crate::routes) struct ImageInfo {
    /// Its id, a ULID: sorted by creation.
    id: String,
    /// The id of the user whose it is.
    owner: String,
    /// `pending`, `processing`, `completed` or `failed`.
    status: &'static str,
    /// `private` or `shared`.
    visibility: &'static str,
    /// The name that the file had.
    #[serde(skip_serializing_if = "Option::is_none")]
    filename: Option<String>,
    /// What kind of file it is, by its first bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'static str>,
    /// Bytes of the original.
    #[serde(skip_serializing_if = "Option::is_none")]
    size_bytes: Option<i64>,
    /// SHA-256 of the original, as 64 hexadecimal digits: the receipt of an upload.
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
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
    title: Option<String>,
    /// The description.
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// The alternative text.
    #[serde(skip_serializing_if = "Option::is_none")]
    alt_text: Option<String>,
    /// The owner's public tags.
    tags: Vec<String>,
    /// The renditions that have been made, by size name.
    sizes: BTreeMap<String, SizeUrl>,
    /// Where the original is, for its owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    original_url: Option<String>,
    /// What the camera wrote; for the owner, unless the installation shows it to all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    exif: Option<Exif>,
    /// Why processing failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// When the upload was asked for.
    created_at: String,
    /// When anything about it last changed.
    updated_at: String,
    /// When its bytes had arrived. Lists are in this order.
    #[serde(skip_serializing_if = "Option::is_none")]
    uploaded_at: Option<String>,
    /// The same in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    uploaded_at_millis: Option<i64>,
    /// When its renditions were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    processed_at: Option<String>,
    /// Since when it is in the trash.
    #[serde(skip_serializing_if = "Option::is_none")]
    trashed_at: Option<String>,
    /// When it disappears by itself, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl: Option<i64>,
    /// Counts the changes; send it back with an edit.
    version: i64,
}

/// A rendition and where it is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SizeUrl {
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
        let sizes = sizes(&app.service, base, &image);
        let original_url =
            image.original.as_ref().filter(|_| is_owner).map(|_| {
                format!("{base}{}", app.service.pixel_path(image.id, &PixelName::original()))
            });
        let pending = image.status == ImageStatus::Pending;
        let sum = image.renditions.values().map(|rendition| rendition.size_bytes).sum();
        Self {
            id: image.id.to_string(),
            owner: image.owner.to_string(),
            status: status_name(image.status),
            visibility: visibility_name(image.visibility),
            filename: image.filename.map(|name| name.as_str().to_owned()),
            mime_type: image.media_type.map(model::MediaType::name),
            size_bytes: image.original.as_ref().map(|original| original.size_bytes),
            sha256: image.original.map(|original| original.sha256.as_str().to_owned()),
            processed_size_bytes: (!image.renditions.is_empty()).then_some(sum),
            width: image.facts.as_ref().map(|facts| facts.width),
            height: image.facts.as_ref().map(|facts| facts.height),
            aspect_ratio: image.facts.as_ref().map(model::Facts::aspect_ratio),
            animated: image.facts.as_ref().is_some_and(|facts| facts.animated),
            thumbhash: image.facts.as_ref().and_then(|facts| facts.thumbhash.clone()),
            color: image.facts.as_ref().and_then(|facts| facts.color.clone()),
            perceptual_hash: image.facts.and_then(|facts| facts.perceptual_hash),
            title: image.title.map(|title| title.as_str().to_owned()),
            description: image.description.map(|text| text.as_str().to_owned()),
            alt_text: image.alt_text.map(|text| text.as_str().to_owned()),
            tags: image.tags.iter().map(|tag| tag.as_str().to_owned()).collect(),
            sizes,
            original_url,
            exif: image.exif,
            error: image.error,
            created_at: image.created_at.to_string(),
            updated_at: image.updated_at.to_string(),
            uploaded_at: image.uploaded_at.map(|at| at.to_string()),
            uploaded_at_millis: image.uploaded_at.map(model::Timestamp::as_millis),
            processed_at: image.processed_at.map(|at| at.to_string()),
            trashed_at: image.trashed_at.map(|at| at.to_string()),
            // That of a pending image is about its row, not about the image.
            ttl: image.ttl.filter(|_| !pending),
            version: image.version,
        }
    }
}

fn sizes(service: &Service, base: &str, image: &Image) -> BTreeMap<String, SizeUrl> {
    let url = |name: &SizeName| {
        let path = service.pixel_path(image.id, &PixelName::size(name.clone()));
        format!("{base}{path}")
    };
    let size = |(name, rendition): (&SizeName, &Rendition)| {
        let size = SizeUrl {
            url: url(name),
            format: format_name(rendition.format),
            quality: rendition.quality,
            width: rendition.width,
            height: rendition.height,
            size_bytes: rendition.size_bytes,
        };
        (name.as_str().to_owned(), size)
    };
    image.renditions.iter().map(size).collect()
}

fn status_name(status: ImageStatus) -> &'static str {
    match status {
        ImageStatus::Pending => "pending",
        ImageStatus::Processing => "processing",
        ImageStatus::Completed => "completed",
        ImageStatus::Failed => "failed",
    }
}

fn visibility_name(visibility: Visibility) -> &'static str {
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
