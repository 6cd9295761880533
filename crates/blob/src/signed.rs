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
    /// How large it may be.
    pub size: SizeTerm,
    /// The only media type it may be sent as.
    pub content_type: Option<ContentType>,
}

/// How large an object sent to a signed URL may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeTerm {
    /// This many bytes; every engine refuses another size.
    Exactly(u64),
    /// At most this many bytes. S3 cannot check this for a plain PUT: whoever accepts the
    /// upload must look at its size first.
    AtMost(u64),
}

impl SizeTerm {
    /// The most bytes that can arrive on these terms.
    pub fn size_bytes_max(self) -> u64 {
        match self {
            Self::Exactly(size_bytes) | Self::AtMost(size_bytes) => size_bytes,
        }
    }
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
    let Access::Put(terms) = access else { return Vec::new() };
    let mut headers = Vec::new();
    if let SizeTerm::Exactly(size_bytes) = terms.size {
        headers.push(("content-length", size_bytes.to_string()));
    }
    if let Some(content_type) = &terms.content_type {
        headers.push(("content-type", content_type.to_string()));
    }
    headers
}
