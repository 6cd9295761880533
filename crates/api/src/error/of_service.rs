//! From the errors of the use cases to those of the API.

use std::str::FromStr;
use std::time::Duration;

use model::{BadSearch, BadText, Quota};
use serde_json::{Value, json};
use service::{Error, Problem};

use super::{ApiError, ErrorCode, current_version};

/// When to try again something that a store could not do.
const PAUSE: Duration = Duration::from_secs(2);
/// When to see whether a request that is being worked on was answered.
const PAUSE_WHILE_RUNNING: Duration = Duration::from_secs(1);
/// When to see whether somebody has made room.
const PAUSE_WHEN_FULL: Duration = Duration::from_secs(5);

/// A field of a request as what it must be, or the error that says which field is wrong and how.
pub(crate) fn field<T: FromStr<Err = BadText>>(
    name: &'static str,
    text: &str,
) -> Result<T, ApiError> {
    text.parse().map_err(|bad| Error::bad_text(name, &bad).into())
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        let code = code_of(&error);
        match error {
            // For the operator alone: the texts may name hosts and folders.
            Error::Unavailable { message } => {
                tracing::error!(problem = message, "a store cannot be used");
                Self::plain(code).with_retry_after(PAUSE)
            }
            Error::StorageFull { message } => {
                tracing::warn!(problem = message, "there is no room");
                Self::plain(code).with_retry_after(PAUSE_WHEN_FULL)
            }
            Error::ObjectMissing { message } | Error::Internal { message } => {
                tracing::error!(problem = message, "a request failed by our fault");
                Self::plain(code)
            }
            Error::Image(imaging) if code == ErrorCode::Internal => {
                tracing::error!(problem = %imaging, "an image could not be processed");
                Self::plain(code)
            }
            Error::RequestRunning => {
                Self::new(code, error.to_string()).with_retry_after(PAUSE_WHILE_RUNNING)
            }
            Error::TooManyAttempts { retry_after } => {
                Self::new(code, error.to_string()).with_retry_after(retry_after)
            }
            error => match details_of(&error) {
                Some(details) => Self::new(code, error.to_string()).with_details(details),
                None => Self::new(code, error.to_string()),
            },
        }
    }
}

fn code_of(error: &Error) -> ErrorCode {
    match error {
        Error::NotFound { .. } => ErrorCode::NotFound,
        Error::Unauthenticated => ErrorCode::Unauthenticated,
        Error::WrongPassword | Error::WrongLinkPassword => ErrorCode::WrongPassword,
        Error::BadPasskey => ErrorCode::BadPasskey,
        Error::PasskeyRefused(_) | Error::PasskeyTooLate => ErrorCode::PasskeyRefused,
        Error::PasskeyTaken => ErrorCode::PasskeyTaken,
        Error::TooManyPasskeys { .. } => ErrorCode::TooManyPasskeys,
        Error::BrowserOnly => ErrorCode::BrowserOnly,
        Error::LinkLocked => ErrorCode::LinkLocked,
        Error::LinkExpired => ErrorCode::LinkExpired,
        Error::DownloadOff => ErrorCode::DownloadOff,
        Error::TooManyLinks { .. } => ErrorCode::TooManyLinks,
        Error::ArchiveTooLarge { .. } => ErrorCode::ArchiveTooLarge,
        Error::TooManyAttempts { .. } => ErrorCode::TooManyAttempts,
        Error::SignUpClosed => ErrorCode::SignUpClosed,
        Error::BadInvitation => ErrorCode::BadInvitation,
        Error::BadSetUp => ErrorCode::BadSetUp,
        Error::EmailTaken => ErrorCode::EmailTaken,
        Error::LastAdministrator => ErrorCode::LastAdministrator,
        Error::UnknownIdentity => ErrorCode::UnknownIdentity,
        Error::NotAdministrator => ErrorCode::Forbidden,
        Error::ScopeMissing { .. } => ErrorCode::ScopeMissing,
        Error::RoleMissing => ErrorCode::RoleMissing,
        Error::AlbumInsideItself => ErrorCode::AlbumInsideItself,
        Error::AlbumTooDeep { .. } => ErrorCode::AlbumTooDeep,
        Error::AlbumHasAlbums => ErrorCode::AlbumHasAlbums,
        Error::TooManyMembers { .. } => ErrorCode::TooManyMembers,
        Error::SamePhoto => ErrorCode::SamePhoto,
        Error::PeopleOff => ErrorCode::PeopleOff,
        Error::Invalid { field, problem, .. } => code_of_field(field, *problem),
        Error::Conflict { .. } => ErrorCode::Conflict,
        Error::NotFailed => ErrorCode::NotFailed,
        Error::NoImagesLeft(_) => ErrorCode::QuotaImages,
        Error::NoBytesLeft(_) => ErrorCode::QuotaBytes,
        Error::ExternalInTrash => ErrorCode::AlreadyExists,
        Error::TooManyTags { .. } => ErrorCode::TooManyTags,
        Error::Image(error) => code_of_image(error),
        Error::BytesDiffer { .. } => ErrorCode::BytesDiffer,
        Error::Interrupted { .. } => ErrorCode::UploadInterrupted,
        Error::BytesMissing => ErrorCode::BytesMissing,
        Error::UploadContested => ErrorCode::UploadGone,
        Error::KeyTaken => ErrorCode::IdempotencyMismatch,
        Error::RequestRunning => ErrorCode::RequestRunning,
        Error::ResultDeleted { .. } => ErrorCode::ResultDeleted,
        Error::BadSignature => ErrorCode::BadSignature,
        Error::BadRange { .. } => ErrorCode::BadRange,
        Error::BadSearch(_) => ErrorCode::BadSearch,
        Error::BadCursor => ErrorCode::BadCursor,
        Error::Unavailable { .. } => ErrorCode::Unavailable,
        Error::StorageFull { .. } => ErrorCode::StorageFull,
        Error::ObjectMissing { .. } | Error::Internal { .. } => ErrorCode::Internal,
    }
}

/// Texts that are too long have a code each.
fn code_of_field(field: &str, problem: Problem) -> ErrorCode {
    match (problem, field) {
        (Problem::TooLong, "title") => ErrorCode::TitleTooLong,
        (Problem::TooLong, "description") => ErrorCode::DescriptionTooLong,
        (Problem::TooLong, "altText") => ErrorCode::AltTextTooLong,
        (Problem::TooLong, "filename") => ErrorCode::FilenameTooLong,
        (Problem::TooLong, "name") => ErrorCode::NameTooLong,
        (Problem::TooLong, "tags" | "tag") => ErrorCode::TagTooLong,
        _ => ErrorCode::InvalidValue,
    }
}

fn code_of_image(error: &service::ImageError) -> ErrorCode {
    use service::ImageError as Image;
    match error {
        Image::Unsupported { .. } => ErrorCode::UnsupportedImage,
        Image::Truncated { .. } => ErrorCode::TruncatedImage,
        Image::Damaged { .. } => ErrorCode::DamagedImage,
        Image::TooManyBytes { .. } => ErrorCode::FileTooLarge,
        Image::TooManyPixels { .. } => ErrorCode::TooManyPixels,
        Image::SideTooLong { .. } => ErrorCode::SideTooLong,
        Image::TooManyFrames { .. } => ErrorCode::TooManyFrames,
        Image::TooMuchMemory { .. } => ErrorCode::TooMuchMemory,
        Image::BadSpec { .. } => ErrorCode::BadTransform,
        Image::Internal { .. } => ErrorCode::Internal,
    }
}

fn details_of(error: &Error) -> Option<Value> {
    use service::ImageError as Image;
    match error {
        Error::ScopeMissing { scope } => Some(json!({ "scope": scope.to_string() })),
        Error::Invalid { field, .. } => Some(json!({ "field": field })),
        Error::BadSearch(bad) => Some(search_details(bad)),
        Error::Conflict { current } => Some(current_version(*current)),
        Error::ResultDeleted { image } => Some(json!({ "image": image.to_string() })),
        Error::NoImagesLeft(quota) | Error::NoBytesLeft(quota) => Some(quota_details(*quota)),
        Error::TooManyTags { max }
        | Error::AlbumTooDeep { max }
        | Error::TooManyMembers { max }
        | Error::TooManyLinks { max }
        | Error::TooManyPasskeys { max }
        | Error::ArchiveTooLarge { max } => Some(json!({ "limit": max })),
        Error::Image(Image::TooManyBytes { limit, .. }) => Some(json!({ "limit": limit })),
        Error::Image(Image::TooManyPixels { pixels, limit }) => {
            Some(json!({ "pixels": pixels, "limit": limit }))
        }
        Error::Image(Image::SideTooLong { side, limit }) => {
            Some(json!({ "side": side, "limit": limit }))
        }
        Error::Image(Image::TooManyFrames { limit, .. }) => Some(json!({ "limit": limit })),
        Error::Image(Image::TooMuchMemory { limit, .. }) => Some(json!({ "limit": limit })),
        _ => None,
    }
}

fn search_details(bad: &BadSearch) -> Value {
    let BadSearch { offset, found, allowed, .. } = bad;
    let mut details = json!({ "offset": offset, "found": found });
    if !allowed.is_empty()
        && let Some(details) = details.as_object_mut()
    {
        details.insert("allowed".to_owned(), json!(allowed));
    }
    details
}

fn quota_details(quota: Quota) -> Value {
    let Quota { images_max, images_left, bytes_max, bytes_left } = quota;
    json!({
        "imagesMax": images_max, "imagesLeft": images_left,
        "bytesMax": bytes_max, "bytesLeft": bytes_left,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_the_operator_is_not_told_to_clients() {
        let message = "no route to 10.0.0.7".to_owned();
        for error in [Error::Unavailable { message: message.clone() }, Error::Internal { message }]
        {
            let answer = format!("{:?}", ApiError::from(error));
            assert!(!answer.contains("10.0.0.7"), "{answer}");
        }
    }

    #[test]
    fn a_text_that_is_too_long_has_the_code_of_its_field() {
        let title = field::<model::Title>("title", &"x".repeat(256)).unwrap_err();
        assert_eq!(title.code(), ErrorCode::TitleTooLong);
        let title = field::<model::Title>("title", "a\u{0}b").unwrap_err();
        assert_eq!(title.code(), ErrorCode::InvalidValue);
        assert_eq!(title.details.as_deref(), Some(&json!({ "field": "title" })));
    }

    #[test]
    fn a_conflict_names_the_current_version() {
        let error = ApiError::from(Error::Conflict { current: 7 });
        assert_eq!(error.details.as_deref(), Some(&json!({ "currentVersion": 7 })));
    }
}
