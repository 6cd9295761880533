//! Why an image could not be shown, as its owner is told.

use serde::{Deserialize, Serialize};

/// What was wrong, by a name that never changes. Codes that a later version has written are read as
/// [`ProcessingFailed`](Self::ProcessingFailed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// It is of a kind that cannot be shown.
    UnsupportedImage,
    /// The file ends too early.
    TruncatedImage,
    /// The file is broken.
    DamagedImage,
    /// The file is larger than is allowed.
    FileTooLarge,
    /// It has more pixels than are allowed.
    TooManyPixels,
    /// It is wider or higher than is allowed.
    SideTooLong,
    /// It is an animation with more frames than are allowed.
    TooManyFrames,
    /// Decoding it takes more memory than is allowed.
    TooMuchMemory,
    /// The file is not where it was put.
    OriginalMissing,
    /// Anything else, such as an image that ended the process that worked on it.
    #[serde(other)]
    ProcessingFailed,
}

impl FailureCode {
    /// All codes.
    pub const ALL: [Self; 10] = [
        Self::UnsupportedImage,
        Self::TruncatedImage,
        Self::DamagedImage,
        Self::FileTooLarge,
        Self::TooManyPixels,
        Self::SideTooLong,
        Self::TooManyFrames,
        Self::TooMuchMemory,
        Self::OriginalMissing,
        Self::ProcessingFailed,
    ];

    /// Its name in rows and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::UnsupportedImage => "unsupported_image",
            Self::TruncatedImage => "truncated_image",
            Self::DamagedImage => "damaged_image",
            Self::FileTooLarge => "file_too_large",
            Self::TooManyPixels => "too_many_pixels",
            Self::SideTooLong => "side_too_long",
            Self::TooManyFrames => "too_many_frames",
            Self::TooMuchMemory => "too_much_memory",
            Self::OriginalMissing => "original_missing",
            Self::ProcessingFailed => "processing_failed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_written_as_they_are_named_and_unknown_ones_are_read() {
        for code in FailureCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.name());
        }
        let newer: FailureCode = serde_json::from_str("\"cosmic_ray\"").unwrap();
        assert_eq!(newer, FailureCode::ProcessingFailed);
    }
}
