use std::borrow::Cow;

/// Why an image was not taken, by what the caller can do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Not an image, or of a kind that is not supported.
    #[error("not a supported image: {what}")]
    Unsupported {
        /// What is missing.
        what: Cow<'static, str>,
    },
    /// The bytes end where the file cannot: more of them may help.
    #[error("the file is cut off: {what}")]
    Truncated {
        /// What was being read.
        what: Cow<'static, str>,
    },
    /// An image by its first bytes, but broken.
    #[error("the file is damaged: {what}")]
    Damaged {
        /// What is wrong.
        what: Cow<'static, str>,
    },
    /// The file is too large.
    #[error("the file has {bytes} bytes, more than the {limit} allowed")]
    TooManyBytes {
        /// What it has.
        bytes: u64,
        /// What is allowed.
        limit: u64,
    },
    /// The image has too many pixels.
    #[error("the image has {pixels} pixels, more than the {limit} allowed")]
    TooManyPixels {
        /// What it has.
        pixels: u64,
        /// What is allowed.
        limit: u64,
    },
    /// The image is too wide or too high.
    #[error("a side of the image is {side} pixels long, more than the {limit} allowed")]
    SideTooLong {
        /// Its longer side.
        side: u32,
        /// What is allowed.
        limit: u32,
    },
    /// The animation has too many frames.
    #[error("the animation has at least {frames} frames, more than the {limit} allowed")]
    TooManyFrames {
        /// What it has at least.
        frames: u32,
        /// What is allowed.
        limit: u32,
    },
    /// Decoding takes more memory than there may ever be for one image.
    #[error("decoding takes {bytes} bytes of memory, more than the {limit} allowed")]
    TooMuchMemory {
        /// What it takes.
        bytes: u64,
        /// What is allowed.
        limit: u64,
    },
    /// The caller asked for something that is not offered.
    #[error("not a possible request: {what}")]
    BadSpec {
        /// What is wrong with it.
        what: Cow<'static, str>,
    },
    /// A fault of ours or of a library below; not the file's.
    #[error("the image could not be processed: {what}")]
    Internal {
        /// What happened.
        what: Cow<'static, str>,
    },
}

impl Error {
    /// A name for the kind of error that never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unsupported { .. } => "unsupportedImage",
            Self::Truncated { .. } => "truncatedImage",
            Self::Damaged { .. } => "damagedImage",
            Self::TooManyBytes { .. } => "tooManyBytes",
            Self::TooManyPixels { .. } => "tooManyPixels",
            Self::SideTooLong { .. } => "sideTooLong",
            Self::TooManyFrames { .. } => "tooManyFrames",
            Self::TooMuchMemory { .. } => "tooMuchMemory",
            Self::BadSpec { .. } => "badSpec",
            Self::Internal { .. } => "imagingFault",
        }
    }

    /// Whether only showing the image is in question, not keeping its file.
    pub fn is_about_showing(&self) -> bool {
        match self {
            Self::TooManyBytes { .. } | Self::BadSpec { .. } | Self::Internal { .. } => false,
            Self::Unsupported { .. }
            | Self::Truncated { .. }
            | Self::Damaged { .. }
            | Self::TooManyPixels { .. }
            | Self::SideTooLong { .. }
            | Self::TooManyFrames { .. }
            | Self::TooMuchMemory { .. } => true,
        }
    }

    /// Not supported.
    pub(crate) fn unsupported(what: impl Into<Cow<'static, str>>) -> Self {
        Self::Unsupported { what: what.into() }
    }

    /// Cut off.
    pub(crate) fn truncated(what: impl Into<Cow<'static, str>>) -> Self {
        Self::Truncated { what: what.into() }
    }

    /// Broken.
    pub(crate) fn damaged(what: impl Into<Cow<'static, str>>) -> Self {
        Self::Damaged { what: what.into() }
    }
}
