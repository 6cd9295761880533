//! The one place that knows how objects are named.
//!
//! ```text
//! uploads/<image>                       bytes that arrived but are not accepted yet
//! parts/<image>/<part>                  some of them, of an upload that can be resumed
//! images/<image>/original               the original, byte for byte
//! images/<image>/<size>.<format>        a rendition of the configured set
//! images/<image>/faces/<face>.<format>  a face cut out of the image
//! persons/<person>.<format>             the picture of a person
//! transforms/<image>/<name>.<format>    a rendition made on demand; a cache
//! ```
//!
//! A key follows from ids and size names alone, so no row has to store it. Everything of
//! one image shares the prefixes `images/<image>/` and `transforms/<image>/`; the caches
//! have a prefix of their own so that they can be dropped without touching anything else.

use std::fmt;
use std::str::FromStr;

use model::{FaceId, ImageId, PersonId, RenditionFormat, SizeName};

use crate::ContentType;

/// The name of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BlobKey {
    /// What a client sent for an image, before it is accepted.
    Upload(ImageId),
    /// Some of what a client sends for an image, of an upload that can be resumed.
    UploadPart {
        /// The image to be.
        image: ImageId,
        /// Tells the parts of an upload apart; their order is in a row.
        part: u64,
    },
    /// The original of an image.
    Original(ImageId),
    /// The file of XMP beside an image.
    Sidecar(ImageId),
    /// A rendition of the configured set.
    Rendition {
        /// The image it shows.
        image: ImageId,
        /// The name of its size.
        size: SizeName,
        /// How it is encoded.
        format: RenditionFormat,
    },
    /// A face cut out of an image.
    Face {
        /// The image the face was found in.
        image: ImageId,
        /// The face.
        face: FaceId,
        /// How it is encoded.
        format: RenditionFormat,
    },
    /// The picture of a person.
    Person {
        /// The person.
        person: PersonId,
        /// How it is encoded.
        format: RenditionFormat,
    },
    /// A rendition made on demand, which may be dropped at any time.
    Transform {
        /// The image it shows.
        image: ImageId,
        /// What was done, for example `w640-h480`.
        name: SizeName,
        /// How it is encoded.
        format: RenditionFormat,
    },
}

impl BlobKey {
    /// The image this object belongs to; pictures of persons belong to none.
    pub fn image(&self) -> Option<ImageId> {
        match self {
            Self::Upload(image)
            | Self::UploadPart { image, .. }
            | Self::Original(image)
            | Self::Sidecar(image)
            | Self::Rendition { image, .. }
            | Self::Face { image, .. }
            | Self::Transform { image, .. } => Some(*image),
            Self::Person { .. } => None,
        }
    }

    /// What the object is to be served as, where the key says so; of an original only the
    /// row knows it.
    pub fn content_type(&self) -> Option<ContentType> {
        match self {
            Self::Upload(_) | Self::UploadPart { .. } | Self::Original(_) | Self::Sidecar(_) => {
                None
            }
            Self::Rendition { format, .. }
            | Self::Face { format, .. }
            | Self::Person { format, .. }
            | Self::Transform { format, .. } => Some(ContentType::image(extension(*format))),
        }
    }
}

impl fmt::Display for BlobKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Upload(image) => write!(f, "uploads/{image}"),
            Self::UploadPart { image, part } => write!(f, "parts/{image}/{part:016x}"),
            Self::Original(image) => write!(f, "images/{image}/{ORIGINAL}"),
            Self::Sidecar(image) => write!(f, "images/{image}/{SIDECAR}"),
            Self::Rendition { image, size, format } => {
                write!(f, "images/{image}/{size}.{}", extension(*format))
            }
            Self::Face { image, face, format } => {
                write!(f, "images/{image}/faces/{face}.{}", extension(*format))
            }
            Self::Person { person, format } => write!(f, "persons/{person}.{}", extension(*format)),
            Self::Transform { image, name, format } => {
                write!(f, "transforms/{image}/{name}.{}", extension(*format))
            }
        }
    }
}

impl FromStr for BlobKey {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        parse(text).ok_or_else(|| BadKey(text.chars().take(128).collect()))
    }
}

fn parse(text: &str) -> Option<BlobKey> {
    let mut segments = text.split('/');
    let area = segments.next()?;
    let owner = segments.next()?;
    let rest: Vec<&str> = segments.collect();
    match (area, rest.as_slice()) {
        ("uploads", []) => Some(BlobKey::Upload(owner.parse().ok()?)),
        ("parts", [part]) => {
            Some(BlobKey::UploadPart { image: owner.parse().ok()?, part: hex_part(part)? })
        }
        ("images", [ORIGINAL]) => Some(BlobKey::Original(owner.parse().ok()?)),
        ("images", [SIDECAR]) => Some(BlobKey::Sidecar(owner.parse().ok()?)),
        ("images", [file]) => {
            let (size, format) = named(file)?;
            Some(BlobKey::Rendition { image: owner.parse().ok()?, size, format })
        }
        ("images", ["faces", file]) => {
            let (face, format) = named(file)?;
            Some(BlobKey::Face { image: owner.parse().ok()?, face, format })
        }
        ("persons", []) => {
            let (person, format) = named(owner)?;
            Some(BlobKey::Person { person, format })
        }
        ("transforms", [file]) => {
            let (name, format) = named(file)?;
            Some(BlobKey::Transform { image: owner.parse().ok()?, name, format })
        }
        _ => None,
    }
}

/// Exactly as it is written.
fn hex_part(text: &str) -> Option<u64> {
    let part = u64::from_str_radix(text, 16).ok()?;
    (format!("{part:016x}") == text).then_some(part)
}

/// `<name>.<format>`
fn named<T: FromStr>(file: &str) -> Option<(T, RenditionFormat)> {
    let (name, ending) = file.rsplit_once('.')?;
    let format = FORMATS.into_iter().find(|format| extension(*format) == ending)?;
    Some((name.parse().ok()?, format))
}

/// The last segment of an original's key; no size may be called that.
const ORIGINAL: &str = "original";
/// That of a sidecar's; files of sizes have an ending.
const SIDECAR: &str = "sidecar";

/// A text that is not a key of this store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an object key such as images/<image>/<size>.webp")]
pub struct BadKey(pub(crate) String);

/// A group of objects that can be listed or deleted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlobPrefix {
    /// Everything in the store.
    All,
    /// What was uploaded and not accepted yet.
    Uploads,
    /// Parts of all uploads that can be resumed.
    Parts,
    /// The parts of one such upload.
    PartsOf(ImageId),
    /// Originals, renditions and faces of all images.
    Images,
    /// Original, renditions and faces of one image.
    Image(ImageId),
    /// Pictures of persons.
    Persons,
    /// All renditions made on demand.
    Transforms,
    /// The renditions of one image made on demand.
    TransformsOf(ImageId),
}

impl fmt::Display for BlobPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => Ok(()),
            Self::Uploads => f.write_str("uploads"),
            Self::Parts => f.write_str("parts"),
            Self::PartsOf(image) => write!(f, "parts/{image}"),
            Self::Images => f.write_str("images"),
            Self::Image(image) => write!(f, "images/{image}"),
            Self::Persons => f.write_str("persons"),
            Self::Transforms => f.write_str("transforms"),
            Self::TransformsOf(image) => write!(f, "transforms/{image}"),
        }
    }
}

const FORMATS: [RenditionFormat; 4] =
    [RenditionFormat::Avif, RenditionFormat::Jpeg, RenditionFormat::Png, RenditionFormat::Webp];

/// The extension of a key; as it happens, also what follows `image/` in the media type.
fn extension(format: RenditionFormat) -> &'static str {
    match format {
        RenditionFormat::Avif => "avif",
        RenditionFormat::Jpeg => "jpeg",
        RenditionFormat::Png => "png",
        RenditionFormat::Webp => "webp",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Timestamp;

    fn image() -> ImageId {
        ImageId::new(Timestamp::from_millis(1_754_040_262_159), 7)
    }

    fn every_kind() -> Vec<BlobKey> {
        let size: SizeName = "medium".parse().unwrap();
        let face = FaceId::new(Timestamp::from_millis(1), 2);
        let part = BlobKey::UploadPart { image: image(), part: 0xF00 };
        let mut keys = vec![BlobKey::Upload(image()), part, BlobKey::Original(image())];
        keys.push(BlobKey::Sidecar(image()));
        for format in FORMATS {
            keys.push(BlobKey::Rendition { image: image(), size: size.clone(), format });
            keys.push(BlobKey::Face { image: image(), face, format });
            keys.push(BlobKey::Person { person: PersonId::new(17).unwrap(), format });
            keys.push(BlobKey::Transform { image: image(), name: size.clone(), format });
        }
        keys
    }

    #[test]
    fn keys_follow_from_ids_and_size_names() {
        let id = image();
        let size: SizeName = "large".parse().unwrap();
        let key = BlobKey::Rendition { image: id, size, format: RenditionFormat::Webp };
        assert_eq!(key.to_string(), format!("images/{id}/large.webp"));
        assert_eq!(BlobKey::Original(id).to_string(), format!("images/{id}/original"));
        assert_eq!(BlobKey::Upload(id).to_string(), format!("uploads/{id}"));
    }

    #[test]
    fn every_key_is_read_back_with_its_owner() {
        for key in every_kind() {
            assert_eq!(key.to_string().parse(), Ok(key.clone()));
            let owned = !matches!(key, BlobKey::Person { .. });
            assert_eq!(key.image(), owned.then(image), "{key}");
        }
    }

    #[test]
    fn every_key_lies_under_the_prefix_of_its_kind() {
        for key in every_kind() {
            let prefix = match key {
                BlobKey::Upload(_) => BlobPrefix::Uploads,
                BlobKey::UploadPart { image, .. } => BlobPrefix::PartsOf(image),
                BlobKey::Person { .. } => BlobPrefix::Persons,
                BlobKey::Transform { image, .. } => BlobPrefix::TransformsOf(image),
                _ => BlobPrefix::Image(image()),
            };
            assert!(key.to_string().starts_with(&format!("{prefix}/")), "{key}");
        }
    }

    #[test]
    fn foreign_keys_are_refused() {
        let id = image();
        for bad in [
            String::new(),
            "images".into(),
            format!("images/{id}"),
            format!("images/{id}/"),
            format!("images/{id}/medium"),
            format!("images/{id}/Medium.webp"),
            format!("images/{id}/medium.gif"),
            format!("images/{id}/original.webp"),
            format!("images/{id}/original/x"),
            format!("images/{}/original", id.to_string().to_lowercase()),
            format!("/images/{id}/original"),
            format!("images//{id}/original"),
            format!("images/../uploads/{id}"),
            format!("parts/{id}/f00"),
            format!("parts/{id}/000000000000F000"),
            "persons/person0.webp".into(),
            "persons/person01.webp".into(),
        ] {
            assert!(bad.parse::<BlobKey>().is_err(), "{bad}");
        }
    }
}
