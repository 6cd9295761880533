/// What a catalog function returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a catalog function failed, by what the caller can do about it. Outcomes that are
/// to be expected, such as a lost race, are values of the functions themselves.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The table failed; see its own error for what to do.
    #[error(transparent)]
    Table(#[from] table::Error),
    /// A row cannot be understood. `ferrotype table check` tells more.
    #[error("the row {key} cannot be read: {message}")]
    BadRow {
        /// The row's key.
        key: String,
        /// What is wrong with it.
        message: String,
    },
    /// The cursor is not one of this list. Start again from the first page.
    #[error("the cursor does not belong to this list; start again from the first page")]
    BadCursor,
}

impl Error {
    /// Whether there is no room for what was to be written.
    pub fn is_full(&self) -> bool {
        matches!(self, Self::Table(table::Error::Full(_)))
    }

    pub(crate) fn bad_row(key: &table::Key, message: impl std::fmt::Display) -> Self {
        Self::BadRow { key: format!("{key:?}"), message: message.to_string() }
    }

    pub(crate) fn bad_place(place: &str) -> Self {
        let message = "its place in the index of words names no image".to_owned();
        Self::BadRow { key: format!("{place:?}"), message }
    }
}
