use std::error::Error as StdError;
use std::io::{self, ErrorKind};

use crate::Error;
use crate::error::whole_cause;

const EMFILE: i32 = 24;
const ENFILE: i32 = 23;

/// What an error of the operating system means to the caller.
pub(super) fn classify(action: &str, error: &io::Error) -> Error {
    let action = action.to_owned();
    let cause = whole_cause(error);
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            Error::Full { action, cause }
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Error::Denied {
            action,
            cause,
            remedy: "give the user that runs this process read and write access to the folder",
        },
        ErrorKind::CrossesDevices => Error::Misconfigured {
            setting: "blob folder",
            problem: format!("it spans several file systems ({cause})"),
            remedy: "keep the whole folder on one file system",
        },
        ErrorKind::NotFound | ErrorKind::NotADirectory => Error::Misconfigured {
            setting: "blob folder",
            problem: format!("it has gone while {action} ({cause})"),
            remedy: "mount or restore the folder, then start again",
        },
        _ if matches!(error.raw_os_error(), Some(EMFILE | ENFILE)) => {
            Error::Unavailable { action, cause }
        }
        _ => Error::Failed { action, cause },
    }
}

/// What an error of the reading side means to the caller.
pub(super) fn classify_read(key: &str, error: &object_store::Error) -> Error {
    let action = format!("reading {key}");
    if matches!(error, object_store::Error::NotFound { .. }) {
        return Error::NotFound { key: key.to_owned() };
    }
    match io_error(error) {
        Some(error) => classify(&action, error),
        None => Error::Failed { action, cause: whole_cause(error) },
    }
}

fn io_error<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a io::Error> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        next = error.source();
    }
    None
}
