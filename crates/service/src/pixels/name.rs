//! The last segment of an image's URL: `thumb`, `original`, `w640-h480-cover-q70.webp`.

use std::fmt;
use std::str::FromStr;

use imaging::TransformRequest;
use model::{FaceId, Fit, RenditionFormat, SizeName};

/// Which picture of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PixelName {
    /// What it is taken from.
    pub source: PixelSource,
    /// The format that must be sent; otherwise the best that the client takes.
    pub format: Option<RenditionFormat>,
}

/// Where a picture comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PixelSource {
    /// The file as it was uploaded.
    Original,
    /// A rendition of the configured set.
    Size(SizeName),
    /// A rendition on demand, if it is allowed.
    Demand(TransformRequest),
    /// A face, cut out.
    Face(FaceId),
}

impl PixelName {
    /// A configured size, in the best format that the client takes.
    pub fn size(name: SizeName) -> Self {
        Self { source: PixelSource::Size(name), format: None }
    }

    /// The original.
    pub fn original() -> Self {
        Self { source: PixelSource::Original, format: None }
    }
}

/// A text that names no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names no picture; there are sizes such as thumb, original, and w640-h480-cover-q80")]
pub struct BadPixelName(String);

const ORIGINAL: &str = "original";
const FACE: &str = "face-";
/// A size may be called `face-close`, but not like a face in another spelling.
const FACE_ID_CHARS: usize = 26;
const FORMATS: [(RenditionFormat, &str); 4] = [
    (RenditionFormat::Webp, "webp"),
    (RenditionFormat::Avif, "avif"),
    (RenditionFormat::Jpeg, "jpeg"),
    (RenditionFormat::Png, "png"),
];

impl fmt::Display for PixelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            PixelSource::Original => f.write_str(ORIGINAL)?,
            PixelSource::Size(name) => f.write_str(name.as_str())?,
            PixelSource::Demand(request) => write_request(f, request)?,
            PixelSource::Face(face) => write!(f, "{FACE}{face}")?,
        }
        match FORMATS.iter().find(|(format, _)| Some(*format) == self.format) {
            Some((_, ending)) => write!(f, ".{ending}"),
            None => Ok(()),
        }
    }
}

fn write_request(f: &mut fmt::Formatter<'_>, request: &TransformRequest) -> fmt::Result {
    let mut dash = "";
    for (letter, side) in [("w", request.width), ("h", request.height)] {
        if let Some(side) = side {
            write!(f, "{dash}{letter}{side}")?;
            dash = "-";
        }
    }
    if request.fit == Fit::Cover {
        write!(f, "-cover")?;
    }
    match request.quality {
        Some(quality) => write!(f, "-q{quality}"),
        None => Ok(()),
    }
}

impl FromStr for PixelName {
    type Err = BadPixelName;

    fn from_str(text: &str) -> Result<Self, BadPixelName> {
        let parsed = parse(text).filter(|name| name.to_string() == text);
        parsed.ok_or_else(|| BadPixelName(text.chars().take(64).collect()))
    }
}

fn parse(text: &str) -> Option<PixelName> {
    let (source, format) = match text.split_once('.') {
        None => (text, None),
        Some((source, ending)) => {
            let (format, _) = FORMATS.iter().find(|(_, known)| *known == ending)?;
            (source, Some(*format))
        }
    };
    let source = if source == ORIGINAL {
        PixelSource::Original
    } else if let Some(face) = source.strip_prefix(FACE).filter(|id| id.len() == FACE_ID_CHARS) {
        PixelSource::Face(face.parse().ok()?)
    } else if let Some(request) = parse_request(source) {
        PixelSource::Demand(request)
    } else {
        PixelSource::Size(source.parse().ok()?)
    };
    // The original is what it is, and so are faces.
    let is_possible = match source {
        PixelSource::Original => format.is_none(),
        PixelSource::Face(_) => format == Some(RenditionFormat::Webp),
        _ => true,
    };
    is_possible.then_some(PixelName { source, format })
}

/// A size may well be called `wide` or `hero`, but not `w640`.
fn parse_request(text: &str) -> Option<TransformRequest> {
    let mut request = TransformRequest::default();
    for part in text.split('-') {
        if part == "cover" {
            request.fit = Fit::Cover;
            continue;
        }
        let (letter, number) = part.split_at_checked(1)?;
        let number: u32 = number.parse().ok()?;
        match letter {
            "w" => request.width = Some(number),
            "h" => request.height = Some(number),
            "q" => request.quality = Some(u8::try_from(number).ok()?),
            _ => return None,
        }
    }
    (request.width.is_some() || request.height.is_some()).then_some(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for text in [
            "thumb",
            "original",
            "thumb.jpeg",
            "w640",
            "h480",
            "w640-h480",
            "w640-h480-cover",
            "w640-h480-cover-q70.webp",
            "hero",
            "wide.avif",
            "face-01ARZ3NDEKTSV4RRFFQ69G5FAV.webp",
        ] {
            assert_eq!(text.parse::<PixelName>().unwrap().to_string(), text);
        }
        let name: PixelName = "w640-h480-cover-q70.webp".parse().unwrap();
        let request = TransformRequest {
            width: Some(640),
            height: Some(480),
            fit: Fit::Cover,
            format: None,
            quality: Some(70),
        };
        let source = PixelSource::Demand(request);
        assert_eq!(name, PixelName { source, format: Some(RenditionFormat::Webp) });
    }

    #[test]
    fn every_picture_has_one_name() {
        for text in [
            "",
            "original.jpeg",
            "face-01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "face-01ARZ3NDEKTSV4RRFFQ69G5FAV.jpeg",
            "face-01arz3ndektsv4rrffq69g5fav.webp",
            "h480-w640",
            "w0640",
            "cover-w640-h480",
            "thumb.gif",
            "thumb.",
            ".webp",
            "Thumb",
            "w+640",
            "w640-w640",
            "thumb.webp.webp",
        ] {
            assert!(text.parse::<PixelName>().is_err(), "{text:?}");
        }
    }
}
