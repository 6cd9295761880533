use std::fmt;

use crate::Limit;

/// What a table operation returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a table operation failed, by what the caller can do about it.
///
/// A condition that does not hold is no error: see [`Transacted`](crate::Transacted).
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request breaks a limit. Retrying is useless; send less.
    #[error("{what} is too large: {limit}")]
    Limit {
        /// The limit that was broken.
        limit: Limit,
        /// What broke it.
        what: String,
    },
    /// The request makes no sense. It is a mistake in the calling code.
    #[error("invalid table request: {0}")]
    Invalid(String),
    /// The next key does not belong to this query. Start again from the first page.
    #[error("the next key does not belong to this query; start again from the first page")]
    BadNextKey,
    /// Others kept changing the same items. Nothing was written; try again.
    #[error("too many writers changed the same items at once; try again")]
    Contention,
    /// The store cannot be reached or is overloaded. Try again later; when
    /// `maybe_written` is true the change may nevertheless have been made.
    #[error("the table is not available: {message}")]
    Unavailable {
        /// What happened and what the operator can do.
        message: String,
        /// Whether the store may have made the change without our hearing of it.
        maybe_written: bool,
    },
    /// The store has no room. Nothing was written; free some space.
    #[error("the table's disk is full: {0}")]
    Full(String),
    /// Writing was stopped to protect what is stored. The operator must act.
    #[error("the table no longer accepts writes: {0}")]
    WritesStopped(String),
    /// The store refuses us: credentials, permissions or a missing table.
    #[error("the table cannot be used: {0}")]
    Misconfigured(String),
    /// What is stored cannot be read.
    #[error("the table is damaged: {0}")]
    Corrupt(String),
    /// The table was closed.
    #[error("the table is closed")]
    Closed,
}

impl Error {
    /// A broken limit.
    pub fn limit(limit: Limit, what: impl fmt::Display) -> Self {
        Self::Limit { limit, what: what.to_string() }
    }

    /// A senseless request.
    pub fn invalid(message: impl fmt::Display) -> Self {
        Self::Invalid(message.to_string())
    }

    /// Whether the same call may succeed later without anybody doing anything.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Contention | Self::Unavailable { .. })
    }
}
