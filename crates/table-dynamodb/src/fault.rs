//! What went wrong with one request, by what can be done about it.
//!
//! Told apart by error types, error codes and HTTP statuses, never by message texts.

use std::error::Error as StdError;

use aws_credential_types::provider::error::CredentialsError;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::ConnectorError;
use table::Error;

/// Why a request failed.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Somebody else was changing the same item. Nothing was written.
    Conflict,
    /// The server has too much to do. Nothing was written.
    Throttled(String),
    /// No connection could be made. Nothing was sent.
    Unreachable(String),
    /// The request was sent, but no answer told whether it was carried out.
    Lost(String),
    /// An earlier attempt of the same transaction is still being carried out.
    InProgress,
    /// There is no such table or index.
    NoTable,
    /// The credentials are missing, wrong or expired.
    Credentials(String),
    /// These credentials may not do this.
    Denied(String),
    /// The server takes the request itself to be wrong.
    Rejected {
        /// The server's error code.
        code: String,
        /// What it said, for people only.
        message: String,
    },
    /// Trying again is useless.
    Final(Error),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Final(error)
    }
}

impl<E> From<SdkError<E, HttpResponse>> for Fault
where
    E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
{
    fn from(error: SdkError<E, HttpResponse>) -> Self {
        let shown = causes(&error);
        match &error {
            SdkError::ConstructionFailure(_) => match find::<CredentialsError>(&error) {
                Some(reason) => without_credentials(reason),
                None => Self::Rejected { code: "ConstructionFailure".to_owned(), message: shown },
            },
            SdkError::DispatchFailure(failure) => match failure.as_connector_error() {
                Some(reason) => from_connector(reason, shown),
                None => Self::Lost(shown),
            },
            SdkError::ServiceError(service) => {
                from_code(service.err().code(), service.err().message(), service.raw())
            }
            // No answer in time, or one that cannot be read.
            _ => Self::Lost(shown),
        }
    }
}

fn from_connector(reason: &ConnectorError, shown: String) -> Fault {
    if let Some(reason) = find::<CredentialsError>(reason) {
        return without_credentials(reason);
    }
    let never_connected = find::<hyper_util::client::legacy::Error>(reason)
        .is_some_and(hyper_util::client::legacy::Error::is_connect);
    if never_connected { Fault::Unreachable(shown) } else { Fault::Lost(shown) }
}

fn without_credentials(reason: &CredentialsError) -> Fault {
    let shown = causes(reason);
    match reason {
        CredentialsError::ProviderTimedOut(_) => Fault::Unreachable(shown),
        _ => Fault::Credentials(shown),
    }
}

fn from_code(code: Option<&str>, message: Option<&str>, raw: &HttpResponse) -> Fault {
    let status = raw.status().as_u16();
    let code = code.unwrap_or("without a code");
    let shown = format!("{code} (HTTP {status}): {}", message.unwrap_or("no message"));
    match code {
        "TransactionConflictException" | "ReplicatedWriteConflictException" => Fault::Conflict,
        "TransactionInProgressException" => Fault::InProgress,
        "ProvisionedThroughputExceededException"
        | "ProvisionedThroughputExceeded"
        | "RequestLimitExceeded"
        | "Throttling"
        | "ThrottlingException"
        | "ThrottledException"
        | "TooManyRequestsException"
        | "SlowDown" => Fault::Throttled(shown),
        "ResourceNotFoundException" | "TableNotFoundException" => Fault::NoTable,
        "UnrecognizedClientException"
        | "InvalidSignatureException"
        | "SignatureDoesNotMatch"
        | "InvalidClientTokenId"
        | "IncompleteSignature"
        | "IncompleteSignatureException"
        | "MissingAuthenticationToken"
        | "MissingAuthenticationTokenException"
        | "ExpiredToken"
        | "ExpiredTokenException"
        | "RequestExpired" => Fault::Credentials(shown),
        "AccessDenied" | "AccessDeniedException" | "OptInRequired" => Fault::Denied(shown),
        _ if status == 429 => Fault::Throttled(shown),
        // A success that cannot be read is no answer.
        _ if !(400..500).contains(&status) || status == 408 => Fault::Lost(shown),
        _ => Fault::Rejected {
            code: code.to_owned(),
            message: message.unwrap_or_default().to_owned(),
        },
    }
}

/// An error and its causes, in one line.
fn causes(error: &(dyn StdError + 'static)) -> String {
    let mut shown = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_shown = cause.to_string();
        // Some errors repeat their cause in their own text.
        if !shown.ends_with(&cause_shown) {
            shown = format!("{shown}: {cause_shown}");
        }
        next = cause.source();
    }
    shown
}

/// The first error of this type among an error and its causes.
fn find<'e, E: StdError + 'static>(error: &'e (dyn StdError + 'static)) -> Option<&'e E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<E>() {
            return Some(found);
        }
        next = error.source();
    }
    None
}
