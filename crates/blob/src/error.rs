use std::error::Error as StdError;

use crate::{BadKey, Sha256Sum};

/// The result of anything asked of the blob store.
pub type Result<T> = std::result::Result<T, Error>;

/// Why the blob store did not do what was asked, by what the caller can do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The object is missing.
    #[error("there is no object {key:?} in the blob store: it was never written or is deleted")]
    NotFound {
        /// The key that was asked for.
        key: String,
    },

    /// More bytes arrived than are allowed. Nothing was stored.
    #[error("the object is larger than {limit_bytes} bytes: send a smaller one or raise the limit")]
    TooLarge {
        /// The most that is allowed.
        limit_bytes: u64,
    },

    /// Another number of bytes arrived than was announced. Nothing was stored.
    #[error("{found_bytes} bytes arrived where {expected_bytes} were announced: send them again")]
    SizeMismatch {
        /// What was announced.
        expected_bytes: u64,
        /// How many had arrived when the difference was seen.
        found_bytes: u64,
    },

    /// Other bytes arrived than were announced. Nothing was stored.
    #[error("the bytes have SHA-256 {found} where {expected} was announced: send them again")]
    ChecksumMismatch {
        /// What was announced.
        expected: Sha256Sum,
        /// What arrived.
        found: Sha256Sum,
    },

    /// The sender's stream failed before its end. Nothing was stored.
    #[error("the sender stopped before the end ({cause}): send the object again")]
    Interrupted {
        /// What the stream said.
        cause: String,
    },

    /// The range has no byte in common with the object.
    #[error("object {key:?} has {size_bytes} bytes, none of them in the range asked for")]
    BadRange {
        /// The object.
        key: String,
        /// Its whole size.
        size_bytes: u64,
    },

    /// A text is not a key of this store.
    #[error(transparent)]
    BadKey(#[from] BadKey),

    /// A URL cannot be signed until then.
    #[error("cannot sign a URL that expires at {expires_at}: {problem}")]
    BadExpiry {
        /// The moment that was asked for.
        expires_at: String,
        /// Why not, and what is possible.
        problem: String,
    },

    /// The store does not answer now; the same request may succeed later.
    #[error("the blob store does not answer while {action} ({cause}): try again later")]
    Unavailable {
        /// What was being done.
        action: String,
        /// What went wrong.
        cause: String,
    },

    /// There is no room for the object. Nothing was stored.
    #[error("no room left while {action} ({cause}): free space or raise the quota or size limit")]
    Full {
        /// What was being done.
        action: String,
        /// What went wrong.
        cause: String,
    },

    /// The store refuses this process.
    #[error("access denied while {action} ({cause}): {remedy}")]
    Denied {
        /// What was being done.
        action: String,
        /// What went wrong.
        cause: String,
        /// What an administrator can do.
        remedy: &'static str,
    },

    /// A setting is wrong; nothing will work until it is changed.
    #[error("setting {setting}: {problem}: {remedy}")]
    Misconfigured {
        /// The setting.
        setting: &'static str,
        /// What is wrong with it.
        problem: String,
        /// What to change.
        remedy: &'static str,
    },

    /// What is stored is not what was written.
    #[error("object {key:?} is damaged ({problem}): restore it from a backup or derive it again")]
    Corrupt {
        /// The object.
        key: String,
        /// How it shows.
        problem: String,
    },

    /// The store failed in a way that repeating is not known to cure.
    #[error("the blob store failed while {action} ({cause}): look into the system log")]
    Failed {
        /// What was being done.
        action: String,
        /// What went wrong.
        cause: String,
    },
}

impl Error {
    /// Whether the same request may succeed later without anyone changing anything.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }
}

/// The message of `error` and of everything that caused it, each said once.
pub(crate) fn whole_cause(error: &(dyn StdError + 'static)) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let message = cause.to_string();
        if !text.contains(&message) {
            text.push_str(": ");
            text.push_str(&message);
        }
        next = cause.source();
    }
    text
}
