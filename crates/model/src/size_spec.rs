use serde::{Deserialize, Serialize};

use crate::{RenditionFormat, SizeName};

/// A rendition to be made of every image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", try_from = "Unchecked")]
pub struct SizeSpec {
    name: SizeName,
    width: u32,
    height: u32,
    fit: Fit,
    format: RenditionFormat,
    quality: u8,
}

/// How an image fills the box of its rendition. No image is ever enlarged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fit {
    /// The whole image, as large as the box allows.
    #[default]
    Inside,
    /// The middle of the image, cut to the shape of the box.
    Cover,
}

/// A rendition that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSize {
    /// A side has no pixels or too many.
    #[error("a side of a rendition has 1 to {side_max} pixels; {side} was asked for")]
    Side {
        /// Pixels asked for.
        side: u32,
        /// Pixels at most.
        side_max: u32,
    },
    /// There is no such quality.
    #[error("quality goes from 1 to 100; {quality} was asked for")]
    Quality {
        /// Quality asked for.
        quality: u8,
    },
}

impl SizeSpec {
    /// The longest side a rendition may have: WebP has no larger ones.
    pub const SIDE_MAX: u32 = 16_383;

    /// The quality that default sizes have.
    pub const QUALITY_DEFAULT: u8 = 80;

    /// A rendition within a box of `width` × `height` pixels. Formats without loss do not look at
    /// the quality.
    pub fn new(
        name: SizeName,
        (width, height): (u32, u32),
        fit: Fit,
        format: RenditionFormat,
        quality: u8,
    ) -> Result<Self, BadSize> {
        let side_max = Self::SIDE_MAX;
        if let Some(&side) = [width, height].iter().find(|side| !(1..=side_max).contains(*side)) {
            return Err(BadSize::Side { side, side_max });
        }
        if !(1..=100).contains(&quality) {
            return Err(BadSize::Quality { quality });
        }
        Ok(Self { name, width, height, fit, format, quality })
    }

    /// What the rendition is called, in object keys and URLs.
    pub fn name(&self) -> &SizeName {
        &self.name
    }

    /// Width of the box, in pixels as seen.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height of the box, in pixels as seen.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// How the image fills the box.
    pub fn fit(&self) -> Fit {
        self.fit
    }

    /// How the rendition is encoded.
    pub fn format(&self) -> RenditionFormat {
        self.format
    }

    /// Quality from 1 to 100.
    pub fn quality(&self) -> u8 {
        self.quality
    }
}

/// The renditions made unless others are configured: `thumb`, `small`, `medium` and `large`, all
/// WebP.
pub fn default_sizes() -> Vec<SizeSpec> {
    let sizes = [
        ("thumb", 256, Fit::Cover),
        ("small", 640, Fit::Inside),
        ("medium", 1280, Fit::Inside),
        ("large", 2048, Fit::Inside),
    ];
    let spec = |(name, side, fit): (&str, u32, Fit)| {
        let (format, quality) = (RenditionFormat::Webp, SizeSpec::QUALITY_DEFAULT);
        SizeSpec::new(name.parse().ok()?, (side, side), fit, format, quality).ok()
    };
    sizes.into_iter().filter_map(spec).collect()
}

/// As it stands in configuration, before it is known to make sense.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Unchecked {
    name: SizeName,
    width: u32,
    height: u32,
    #[serde(default)]
    fit: Fit,
    #[serde(default = "default_format")]
    format: RenditionFormat,
    #[serde(default = "default_quality")]
    quality: u8,
}

fn default_format() -> RenditionFormat {
    RenditionFormat::Webp
}

fn default_quality() -> u8 {
    SizeSpec::QUALITY_DEFAULT
}

impl TryFrom<Unchecked> for SizeSpec {
    type Error = BadSize;

    fn try_from(raw: Unchecked) -> Result<Self, BadSize> {
        Self::new(raw.name, (raw.width, raw.height), raw.fit, raw.format, raw.quality)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_sizes_are_four() {
        let sizes = default_sizes();
        let names: Vec<_> = sizes.iter().map(|size| (size.name().as_str(), size.width())).collect();
        assert_eq!(names, [("thumb", 256), ("small", 640), ("medium", 1280), ("large", 2048)]);
        assert!(sizes.iter().all(|size| size.format() == RenditionFormat::Webp));
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let size = |side, quality| {
            let name = "x".parse().unwrap();
            SizeSpec::new(name, (side, 10), Fit::Inside, RenditionFormat::Png, quality)
        };
        assert!(size(16_383, 100).is_ok());
        assert_eq!(size(0, 80), Err(BadSize::Side { side: 0, side_max: 16_383 }));
        assert_eq!(size(16_384, 80), Err(BadSize::Side { side: 16_384, side_max: 16_383 }));
        assert_eq!(size(10, 0), Err(BadSize::Quality { quality: 0 }));
        assert_eq!(size(10, 101), Err(BadSize::Quality { quality: 101 }));
    }

    #[test]
    fn configuration_is_checked_as_it_is_read() {
        let read = serde_json::from_str::<SizeSpec>;
        let hero = read(r#"{"name":"hero","width":1600,"height":900,"fit":"cover"}"#).unwrap();
        assert_eq!((hero.fit(), hero.quality()), (Fit::Cover, 80));
        assert!(read(r#"{"name":"hero","width":0,"height":900}"#).is_err());
        assert!(read(r#"{"name":"hero","width":9,"height":9,"colour":"red"}"#).is_err());
        let again = serde_json::to_string(&hero).unwrap();
        assert_eq!(read(&again).unwrap(), hero);
    }
}
