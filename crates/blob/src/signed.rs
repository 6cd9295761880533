use model::Timestamp;
use url::Url;

use crate::ContentType;

/// What the holder of a signed URL may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read the object.
    Get,
    /// Write the object, on these terms.
    Put(PutTerms),
}

impl Access {
    /// The HTTP method that uses this access.
    pub fn method(&self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Put(_) => "PUT",
        }
    }
}

/// The terms on which an object may be sent to a signed URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutTerms {
    /// How large it may be. A folder refuses more. S3 has no such limit for a PUT: whoever
    /// accepts the upload must look at its size first.
    pub size_bytes_max: u64,
    /// The only media type it may be sent as.
    pub content_type: Option<ContentType>,
}

/// A URL that works without credentials until a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedUrl {
    /// The URL; whoever has it has the access.
    pub url: Url,
    /// The method it must be used with.
    pub method: &'static str,
    /// Headers that must be sent along, exactly so.
    pub headers: Vec<(&'static str, String)>,
    /// The last moment at which it works.
    pub expires_at: Timestamp,
}

/// The headers a client must send for `access`.
pub(crate) fn required_headers(access: &Access) -> Vec<(&'static str, String)> {
    match access {
        Access::Put(PutTerms { content_type: Some(content_type), .. }) => {
            vec![("content-type", content_type.to_string())]
        }
        _ => Vec::new(),
    }
}
