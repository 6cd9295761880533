//! Renditions on demand, within what is allowed: whoever asks can only choose from a list, so that
//! nobody fills caches or burns time with sizes that no page uses.

use std::collections::BTreeSet;

use model::{Fit, RenditionFormat, SizeSpec};

use crate::Error;

/// What may be asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransformRules {
    /// Widths, in pixels.
    pub widths: BTreeSet<u32>,
    /// Heights, in pixels.
    pub heights: BTreeSet<u32>,
    /// Formats.
    pub formats: BTreeSet<RenditionFormat>,
    /// Qualities, from 1 to 100.
    pub qualities: BTreeSet<u8>,
}

impl Default for TransformRules {
    /// The sides that responsive pages use, and the heights that go with them in the shapes of
    /// photos and screens (640 × 480, 1280 × 720, 1920 × 1080), in the formats that are quick to make.
    fn default() -> Self {
        let sides =
            BTreeSet::from([64, 128, 256, 384, 512, 640, 768, 1024, 1280, 1600, 1920, 2048]);
        let mut heights = sides.clone();
        heights.extend([360, 480, 720, 960, 1080, 1200, 1440]);
        let formats = [RenditionFormat::Webp, RenditionFormat::Jpeg, RenditionFormat::Png];
        Self {
            widths: sides,
            heights,
            formats: formats.into(),
            qualities: [60, 70, SizeSpec::QUALITY_DEFAULT, 90].into(),
        }
    }
}

/// What is asked for, by whom ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransformRequest {
    /// Width of the box; without it, the height decides.
    pub width: Option<u32>,
    /// Height of the box; without it, the width decides.
    pub height: Option<u32>,
    /// How the image fills the box.
    pub fit: Fit,
    /// The format; WebP if not said.
    pub format: Option<RenditionFormat>,
    /// The quality; the default one if not said.
    pub quality: Option<u8>,
}

/// A rendition on demand that is allowed. Only [`TransformRules::check`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transform {
    spec: SizeSpec,
}

impl TransformRules {
    /// The transform, or what of it is not allowed.
    pub fn check(&self, request: TransformRequest) -> Result<Transform, Error> {
        let format = request.format.unwrap_or(RenditionFormat::Webp);
        let quality = request.quality.unwrap_or(SizeSpec::QUALITY_DEFAULT);
        allow("width", request.width.as_ref(), &self.widths)?;
        allow("height", request.height.as_ref(), &self.heights)?;
        allow("quality", Some(&quality), &self.qualities)?;
        if !self.formats.contains(&format) {
            return Err(bad(format!("the format {format:?} is not offered")));
        }
        let (width, height) = match (request.width, request.height, request.fit) {
            (None, None, _) => return Err(bad("neither width nor height")),
            (Some(width), Some(height), _) => (width, height),
            (_, _, Fit::Cover) => return Err(bad("to cover a box takes width and height")),
            (Some(width), None, Fit::Inside) => (width, SizeSpec::SIDE_MAX),
            (None, Some(height), Fit::Inside) => (SizeSpec::SIDE_MAX, height),
        };
        let name = "transform".parse().map_err(|error| bad(format!("{error}")))?;
        let spec = SizeSpec::new(name, (width, height), request.fit, format, quality);
        spec.map(|spec| Transform { spec }).map_err(|error| bad(error.to_string()))
    }
}

impl Transform {
    /// As a rendition.
    pub fn spec(&self) -> &SizeSpec {
        &self.spec
    }
}

fn allow<T: Ord + std::fmt::Debug>(
    what: &str,
    asked: Option<&T>,
    allowed: &BTreeSet<T>,
) -> Result<(), Error> {
    match asked {
        Some(asked) if !allowed.contains(asked) => {
            Err(bad(format!("the {what} {asked:?} is not one of {allowed:?}")))
        }
        _ => Ok(()),
    }
}

fn bad(what: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::BadSpec { what: what.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_on_the_list_is_allowed() {
        let rules = TransformRules::default();
        let request = TransformRequest { width: Some(640), ..TransformRequest::default() };
        assert!(rules.check(request).is_ok());
        let refused = [
            TransformRequest { width: None, ..request },
            TransformRequest { width: Some(641), ..request },
            TransformRequest { height: Some(1), ..request },
            TransformRequest { quality: Some(81), ..request },
            TransformRequest { quality: Some(0), ..request },
            TransformRequest { format: Some(RenditionFormat::Avif), ..request },
            TransformRequest { fit: Fit::Cover, ..request },
        ];
        for request in refused {
            let error = rules.check(request).unwrap_err();
            assert_eq!(error.code(), "badSpec", "{request:?}");
        }
    }
}
