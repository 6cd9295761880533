//! Which file stands for an image outside: its original, or its largest rendition.

use blob::BlobKey;
use model::{Image, MediaType, RenditionFormat};

use super::when::Moment;

/// A file of an image.
pub(super) struct File {
    pub(super) key: BlobKey,
    pub(super) name: String,
    pub(super) content_type: &'static str,
    pub(super) size_bytes: u64,
    pub(super) modified: Moment,
}

impl File {
    /// The file of an image, if it has one: what lives elsewhere, or is not processed yet, may have
    /// none.
    pub(super) fn of(image: &Image, original: bool) -> Option<Self> {
        let modified = Moment::of(image);
        let name = name_of(image);
        if original && let Some(file) = &image.original {
            let ending = image.media_type.map_or("", ending_of_original);
            return Some(Self {
                key: BlobKey::Original(image.id),
                name: if name.contains('.') { name } else { format!("{name}{ending}") },
                content_type: image.media_type.map_or(UNKNOWN, MediaType::name),
                size_bytes: u64::try_from(file.size_bytes).ok()?,
                modified,
            });
        }
        let pixels = |width: u32, height: u32| u64::from(width) * u64::from(height);
        let (size, rendition) =
            image.renditions.iter().max_by_key(|(_, made)| pixels(made.width, made.height))?;
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        let stem = if stem.is_empty() { name.as_str() } else { stem };
        let (ending, content_type) = kind_of(rendition.format);
        let format = rendition.format;
        Some(Self {
            key: BlobKey::Rendition { image: image.id, size: size.clone(), format },
            name: format!("{stem}{ending}"),
            content_type,
            size_bytes: u64::try_from(rendition.size_bytes).ok()?,
            modified,
        })
    }
}

/// What an image is called, whether it has a file or not.
pub(super) fn name_of(image: &Image) -> String {
    image.filename.as_ref().map_or_else(|| image.id.to_string(), ToString::to_string)
}

const UNKNOWN: &str = "application/octet-stream";

fn kind_of(format: RenditionFormat) -> (&'static str, &'static str) {
    match format {
        RenditionFormat::Webp => (".webp", "image/webp"),
        RenditionFormat::Avif => (".avif", "image/avif"),
        RenditionFormat::Jpeg => (".jpg", "image/jpeg"),
        RenditionFormat::Png => (".png", "image/png"),
    }
}

fn ending_of_original(kind: MediaType) -> &'static str {
    match kind {
        MediaType::Jpeg => ".jpg",
        MediaType::Png => ".png",
        MediaType::Webp => ".webp",
        MediaType::Gif => ".gif",
        MediaType::Avif => ".avif",
        MediaType::Heic => ".heic",
        MediaType::Tiff => ".tif",
        MediaType::Bmp => ".bmp",
        MediaType::Jxl => ".jxl",
        MediaType::Raw => ".raw",
        MediaType::Psd => ".psd",
        MediaType::Jp2 => ".jp2",
        MediaType::Tga => ".tga",
        MediaType::Ico => ".ico",
        MediaType::Jxr => ".jxr",
        MediaType::Exr => ".exr",
    }
}
