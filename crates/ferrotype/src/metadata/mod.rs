//! What is read out of photos, shown, and compared with what exiftool reads.
//!
//! The comparison asks exiftool for its tags and derives from them, in [`expected`], what should
//! have been read. Nothing of `imaging` is used for that, so that an error there shows here.

mod agreement;
mod comparison;
mod exiftool;
mod expected;
mod field;
mod marked;
mod tags;

use std::fs;
use std::path::Path;

use imaging::metadata::read_sidecar;
use model::{Exif, Metadata};
use serde_json::json;

pub use comparison::{Comparison, compare};

/// What was read out of a file.
#[derive(Clone, Debug)]
pub struct Read {
    media_type: &'static str,
    orientation: u8,
    exif: Exif,
    metadata: Metadata,
}

impl Read {
    /// Reads an image, or a sidecar.
    pub fn file(path: &Path) -> Result<Self, String> {
        let bytes = fs::read(path).map_err(|error| error.to_string())?;
        if is_sidecar(path) {
            let sidecar = read_sidecar(&bytes).map_err(|error| error.to_string())?;
            return Ok(Self {
                media_type: "XMP",
                orientation: 1,
                exif: sidecar.exif().unwrap_or_default(),
                metadata: sidecar.metadata(),
            });
        }
        let probe = imaging::probe(&bytes).map_err(|error| error.to_string())?;
        Ok(Self {
            media_type: probe.media_type.name(),
            orientation: probe.orientation.to_exif(),
            exif: probe.exif.unwrap_or_default(),
            metadata: probe.metadata,
        })
    }

    /// All of it as JSON.
    pub fn to_json(&self) -> serde_json::Value {
        json!({
            "kind": self.media_type,
            "orientation": self.orientation,
            "exif": self.exif,
            "metadata": self.metadata,
        })
    }
}

/// Whether a file is a sidecar by its name.
fn is_sidecar(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xmp"))
}
