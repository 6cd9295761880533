use std::time::Duration;

use model::{BadSearch, BadText, Quota};

use crate::Scope;

/// Why a use case was not done, by what the caller can do about it. Nothing was changed, unless
/// a variant says so.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such thing, or none that this caller may know of: the two must look alike.
    #[error("there is no such {what}")]
    NotFound {
        /// What was asked for, such as `image`.
        what: &'static str,
    },
    /// Nobody is signed in, or not any more.
    #[error("sign in first: there is no session, token or API key, or it has ended")]
    Unauthenticated,
    /// Nobody has this address, or the password is another; the two must look alike.
    #[error("the e-mail address or the password is wrong")]
    WrongPassword,
    /// Passwords were tried too often.
    #[error("there were too many attempts; try again in {} minutes", minutes(*retry_after))]
    TooManyAttempts {
        /// When to try again.
        retry_after: Duration,
    },
    /// The passkey proves nothing, for whatever reason: all must look alike.
    #[error("the passkey could not be verified; try again, or sign in another way")]
    BadPasskey,
    /// A new passkey cannot be accepted.
    #[error("the passkey was not added: {0}; begin again")]
    PasskeyRefused(webauthn::Refused),
    /// The challenge of a new passkey was answered already, or too late.
    #[error("the passkey was not added: it took too long, or was sent twice; begin again")]
    PasskeyTooLate,
    /// The passkey is registered already.
    #[error("the passkey is registered already")]
    PasskeyTaken,
    /// Somebody has as many passkeys as they may have.
    #[error("there can be {max} passkeys at most; delete one first")]
    TooManyPasskeys {
        /// How many are allowed.
        max: usize,
    },
    /// Only a person at a browser may, not a program that acts for them.
    #[error("only a browser that is signed in may do this, not an API key or a token")]
    BrowserOnly,
    /// The installation does not let people make accounts by themselves.
    #[error("accounts are made by invitation or by an administrator; ask one")]
    SignUpClosed,
    /// The invitation is worth nothing.
    #[error("the invitation was used, has ended or is for another address; ask for a new one")]
    BadInvitation,
    /// The set-up link is worth nothing.
    #[error("this set-up link is not valid; the server prints the newest one when it starts")]
    BadSetUp,
    /// Somebody else has the address.
    #[error("the e-mail address belongs to an account already")]
    EmailTaken,
    /// There would be nobody left to administer the installation.
    #[error("there must be an administrator; make somebody else one first")]
    LastAdministrator,
    /// The identity provider vouches for them, but they have no account here.
    #[error("there is no account for this identity; ask an administrator for one")]
    UnknownIdentity,
    /// Only administrators may.
    #[error("only an administrator may do this")]
    NotAdministrator,
    /// The API key does not allow it.
    #[error("the API key lacks the scope {scope}; make one that has it")]
    ScopeMissing {
        /// What it lacks.
        scope: Scope,
    },
    /// The album is somebody else's, who has not allowed it.
    #[error("your role in the album does not allow this; ask its owner")]
    RoleMissing,
    /// An album would be nested in itself.
    #[error("an album cannot be nested in itself or in what is nested in it")]
    AlbumInsideItself,
    /// Albums would be nested too deep.
    #[error("albums can be nested {max} levels deep at most")]
    AlbumTooDeep {
        /// How many levels are allowed.
        max: usize,
    },
    /// Albums are nested in one that is to be removed.
    #[error("albums are nested in it; move or delete them first")]
    AlbumHasAlbums,
    /// An album has as many members as it may have.
    #[error("an album can have {max} members at most")]
    TooManyMembers {
        /// How many are allowed.
        max: usize,
    },
    /// Somebody has as many links as they may have.
    #[error("there can be {max} links at most; delete one first")]
    TooManyLinks {
        /// How many are allowed.
        max: usize,
    },
    /// The link shows nothing any more, to those who have it.
    #[error("the link has ended; ask whoever gave it to you for a new one")]
    LinkExpired,
    /// The link has a password, which was not given, or not lately.
    #[error("the link has a password; unlock it first")]
    LinkLocked,
    /// The password of the link is another.
    #[error("the password of the link is wrong")]
    WrongLinkPassword,
    /// The link is only to be looked at.
    #[error("the link does not let anything be downloaded; ask whoever gave it to you")]
    DownloadOff,
    /// More images were named one by one for an archive than one request may.
    #[error(
        "at most {max} images can be named for an archive; ask for all of them, for a search or for an album"
    )]
    ArchiveTooLarge {
        /// How many are allowed.
        max: usize,
    },
    /// Two faces of one photo would be one person.
    #[error(
        "both are in one photo, and nobody is twice in a photo; first say whose the face there is"
    )]
    SamePhoto,
    /// Faces are not looked for.
    #[error("people are off: the server has no models to find faces with")]
    PeopleOff,
    /// A value cannot be what it was given as.
    #[error("{field}: {message}")]
    Invalid {
        /// The field, as it is called in JSON.
        field: &'static str,
        /// What kind of problem it is.
        problem: Problem,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// Somebody else changed it first.
    #[error("it was changed meanwhile and has version {current} now; load it and try again")]
    Conflict {
        /// The version it has now.
        current: i64,
    },
    /// An image is to be tried again that has not failed.
    #[error("the image has not failed, so there is nothing to try again")]
    NotFailed,
    /// The owner may keep no more images.
    #[error("the limit of {} images is reached; delete some or ask an administrator", .0.images_max)]
    NoImagesLeft(Quota),
    /// The owner may not keep so many more bytes.
    #[error("the limit of {} bytes is reached; delete some images or ask an administrator", .0.bytes_max)]
    NoBytesLeft(Quota),
    /// There are more tags than allowed.
    #[error("at most {max} tags are allowed")]
    TooManyTags {
        /// How many are allowed.
        max: usize,
    },
    /// An external image was thrown away and is not gone yet.
    #[error("its owner has thrown it away; it can be recorded again when it has left the trash")]
    ExternalInTrash,
    /// What arrived is no image that can be kept.
    #[error(transparent)]
    Image(#[from] imaging::Error),
    /// Fewer or more bytes arrived than were announced, or others.
    #[error("{message}")]
    BytesDiffer {
        /// What differs.
        message: String,
    },
    /// Nothing has been sent yet.
    #[error("no bytes have arrived for this upload; send them first")]
    BytesMissing,
    /// The bytes stopped coming.
    #[error("the upload broke off: {message}; send it again")]
    Interrupted {
        /// What was seen of it.
        message: String,
    },
    /// The upload's reservation has run out, or a repeated request has taken its place.
    #[error("the upload is no longer expected; begin it again")]
    UploadContested,
    /// A signed URL that was changed, or does not work any more.
    #[error("the link is wrong or has run out; ask for a new one")]
    BadSignature,
    /// None of the bytes that were asked for exists.
    #[error("there are {size_bytes} bytes, none of them in the range asked for")]
    BadRange {
        /// How many there are.
        size_bytes: u64,
    },
    /// An object that should be there is not.
    #[error("{message}")]
    ObjectMissing {
        /// Which.
        message: String,
    },
    /// A search that cannot be understood.
    #[error("{0}")]
    BadSearch(#[from] BadSearch),
    /// A page key that was not given out for this list.
    #[error("the cursor does not belong to this list; start from the first page")]
    BadCursor,
    /// A store cannot be used now; trying again later may help. For the operator: the text may
    /// name hosts and folders.
    #[error("{message}")]
    Unavailable {
        /// What it says.
        message: String,
    },
    /// There is no room for anything new; what is deleted makes some. For the operator: the text
    /// may name folders.
    #[error("{message}")]
    StorageFull {
        /// How full it is.
        message: String,
    },
    /// Something that must not happen. For the operator, too.
    #[error("{message}")]
    Internal {
        /// What happened.
        message: String,
    },
}

/// What can be wrong with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It is longer than allowed.
    TooLong,
    /// Anything else.
    NotPossible,
}

/// The result of a use case.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error about one field of a request.
    #[allow(clippy::needless_pass_by_value, reason = "errors come by value")]
    pub fn invalid(field: &'static str, error: impl ToString) -> Self {
        Self::Invalid { field, problem: Problem::NotPossible, message: error.to_string() }
    }

    /// An error about a text in one field of a request.
    pub fn bad_text(field: &'static str, bad: &BadText) -> Self {
        let problem = match bad {
            BadText::TooLong { .. } => Problem::TooLong,
            _ => Problem::NotPossible,
        };
        Self::Invalid { field, problem, message: bad.to_string() }
    }

    /// What the caller sees when something is wrong on our side.
    #[allow(clippy::needless_pass_by_value, reason = "errors come by value")]
    pub(crate) fn internal(error: impl ToString) -> Self {
        Self::Internal { message: error.to_string() }
    }
}

/// Rounded up, for people.
fn minutes(duration: Duration) -> u64 {
    duration.as_secs().div_ceil(60).max(1)
}

impl From<catalog::Error> for Error {
    fn from(error: catalog::Error) -> Self {
        match error {
            catalog::Error::BadCursor => Self::BadCursor,
            error if error.is_full() => Self::StorageFull { message: error.to_string() },
            catalog::Error::Table(error) if error.is_retryable() => {
                Self::Unavailable { message: error.to_string() }
            }
            error => Self::internal(error),
        }
    }
}

impl From<blob::Error> for Error {
    fn from(error: blob::Error) -> Self {
        let message = error.to_string();
        match error {
            blob::Error::TooLarge { limit_bytes } => {
                let bytes = limit_bytes.saturating_add(1);
                imaging::Error::TooManyBytes { bytes, limit: limit_bytes }.into()
            }
            blob::Error::SizeMismatch { .. } | blob::Error::ChecksumMismatch { .. } => {
                Self::BytesDiffer { message }
            }
            blob::Error::NotFound { .. } => Self::ObjectMissing { message },
            blob::Error::BadRange { size_bytes, .. } => Self::BadRange { size_bytes },
            blob::Error::Interrupted { cause } => Self::Interrupted { message: cause },
            blob::Error::Full { .. } => Self::StorageFull { message },
            error if error.is_retryable() => Self::Unavailable { message },
            _ => Self::Internal { message },
        }
    }
}
