use object_store::Error as StoreError;

use crate::Error;
use crate::error::whole_cause;

/// What an error of S3 means to someone who asked for a whole bucket or wrote an object:
/// when something is not found then, it is the bucket.
pub(super) fn classify(action: &str, error: &StoreError) -> Error {
    let action = action.to_owned();
    let cause = whole_cause(error);
    match status(error, &cause) {
        Some(404) => Error::Misconfigured {
            setting: "S3 bucket",
            problem: format!("it does not exist (found while {action}: {cause})"),
            remedy: "create the bucket, or correct its name, the endpoint or the region",
        },
        Some(401 | 403) => Error::Denied {
            action,
            cause,
            remedy: "check the S3 credentials, and that they may list, read, write and delete \
                     in the bucket",
        },
        Some(507) => Error::Full { action, cause },
        Some(300..=399) => Error::Misconfigured {
            setting: "S3 region",
            problem: format!("the bucket is not in it (found while {action}: {cause})"),
            remedy: "set the region and endpoint of the bucket",
        },
        Some(400..=407 | 409..=428 | 430..=499) => Error::Failed { action, cause },
        _ => Error::Unavailable { action, cause },
    }
}

/// What an error of S3 means to someone who asked for an object.
pub(super) fn classify_object(verb: &str, key: &str, error: &StoreError) -> Error {
    match error {
        StoreError::NotFound { .. } => Error::NotFound { key: key.to_owned() },
        _ => classify(&format!("{verb} {key}"), error),
    }
}

/// The HTTP status behind an error. Where the library does not tell by the kind of error,
/// it keeps the status to itself, so its own words, which our tests watch, are the only way.
fn status(error: &StoreError, message: &str) -> Option<u16> {
    match error {
        StoreError::NotFound { .. } => Some(404),
        StoreError::PermissionDenied { .. } => Some(403),
        StoreError::Unauthenticated { .. } => Some(401),
        _ if message.contains("Received redirect without LOCATION") => Some(301),
        _ => {
            let (_, after) = message.split_once("status code: ")?;
            after.get(..3)?.parse().ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generic(message: &'static str) -> StoreError {
        StoreError::Generic { store: "S3", source: message.into() }
    }

    #[test]
    fn what_may_pass_is_retryable_and_what_cannot_is_not() {
        let retryable = |message| classify("testing", &generic(message)).is_retryable();
        assert!(retryable("error sending request"));
        assert!(retryable("Server returned non-2xx status code: 503 Service Unavailable: "));
        assert!(retryable("Server returned non-2xx status code: 429 Too Many Requests: "));
        assert!(!retryable("Server returned non-2xx status code: 400 Bad Request: "));
        assert!(!retryable("Server returned non-2xx status code: 301 Moved Permanently: "));
    }
}
