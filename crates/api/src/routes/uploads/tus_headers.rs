//! The headers of tus 1.0, read and written.

use std::time::{Duration, SystemTime};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::Timestamp;
use service::PieceChecksum;

use crate::routes::images::NewImageFields;
use crate::{ApiError, ErrorCode};

pub(super) const RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
pub(super) const VERSION: HeaderName = HeaderName::from_static("tus-version");
pub(super) const EXTENSION: HeaderName = HeaderName::from_static("tus-extension");
pub(super) const MAX_SIZE: HeaderName = HeaderName::from_static("tus-max-size");
pub(super) const CHECKSUM_ALGORITHM: HeaderName = HeaderName::from_static("tus-checksum-algorithm");
pub(super) const LENGTH: HeaderName = HeaderName::from_static("upload-length");
pub(super) const OFFSET: HeaderName = HeaderName::from_static("upload-offset");
pub(super) const EXPIRES: HeaderName = HeaderName::from_static("upload-expires");
/// Not of tus: the image that the upload has become.
pub(super) const IMAGE: HeaderName = HeaderName::from_static("upload-image");
const METADATA: HeaderName = HeaderName::from_static("upload-metadata");
const CHECKSUM: HeaderName = HeaderName::from_static("upload-checksum");
const DEFER_LENGTH: HeaderName = HeaderName::from_static("upload-defer-length");

pub(super) const TUS_1_0: HeaderValue = HeaderValue::from_static("1.0.0");
/// The type of bodies with bytes of an upload.
const OFFSET_STREAM: &str = "application/offset+octet-stream";

/// A client that speaks our version of tus.
pub(super) struct Tus(pub(super) HeaderMap);

impl<S: Send + Sync> FromRequestParts<S> for Tus {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        if parts.headers.get(RESUMABLE) == Some(&TUS_1_0) {
            return Ok(Self(parts.headers.clone()));
        }
        let message = "Tus-Resumable: only version 1.0.0 is spoken here";
        let error = ApiError::new(ErrorCode::PreconditionFailed, message);
        Err(error.with_header(VERSION, TUS_1_0).with_header(RESUMABLE, TUS_1_0))
    }
}

impl Tus {
    /// How many bytes there will be.
    pub(super) fn length(&self) -> Result<u64, ApiError> {
        if self.0.contains_key(DEFER_LENGTH) {
            return Err(bad("Upload-Defer-Length is not offered; say Upload-Length"));
        }
        self.number(&LENGTH)?.ok_or_else(|| bad("Upload-Length is missing"))
    }

    /// Where the bytes of this request begin.
    pub(super) fn offset(&self) -> Result<u64, ApiError> {
        self.number(&OFFSET)?.ok_or_else(|| bad("Upload-Offset is missing"))
    }

    /// Whether the request brings bytes.
    pub(super) fn has_bytes(&self) -> bool {
        self.0.get(header::CONTENT_TYPE).is_some_and(|kind| kind == OFFSET_STREAM)
    }

    /// Refuses a request that does not say that it brings bytes.
    pub(super) fn require_bytes(&self) -> Result<(), ApiError> {
        if self.has_bytes() {
            return Ok(());
        }
        let message = format!("the body must be {OFFSET_STREAM}");
        Err(ApiError::new(ErrorCode::UnsupportedMediaType, message))
    }

    /// The checksum of the bytes of this request.
    pub(super) fn checksum(&self) -> Result<Option<PieceChecksum>, ApiError> {
        let Some(text) = self.text(&CHECKSUM)? else { return Ok(None) };
        let wrong =
            || bad("Upload-Checksum is sha1 or sha256, a space, and the checksum as base64");
        let (algorithm, sum) = text.split_once(' ').ok_or_else(wrong)?;
        let sum = STANDARD.decode(sum).map_err(|_| wrong())?;
        let checksum = match algorithm {
            "sha1" => sum.try_into().map(PieceChecksum::Sha1),
            "sha256" => sum.try_into().map(PieceChecksum::Sha256),
            _ => return Err(wrong()),
        };
        checksum.map(Some).map_err(|_| wrong())
    }

    /// What the client says about the image. Keys that mean nothing here are left alone, since
    /// clients send some of their own.
    pub(super) fn metadata(&self) -> Result<NewImageFields, ApiError> {
        let mut fields = NewImageFields::default();
        let text = self.text(&METADATA)?.unwrap_or_default();
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once(' ').unwrap_or((pair, ""));
            let value = STANDARD.decode(value.trim()).ok().and_then(|v| String::from_utf8(v).ok());
            let value = value.ok_or_else(|| {
                bad(&format!("Upload-Metadata: the value of {key:?} is not base64 of UTF-8"))
            })?;
            match key {
                "filename" | "title" | "description" | "altText" | "tags" | "visibility"
                | "sha256" | "expiresAt" | "keepDuplicate" | "onlyShown" | "takenAt"
                | "fileModifiedAt" => {
                    fields.set(key, value)?;
                }
                // What browsers call it, in milliseconds since 1970; clients hand on what they have.
                "lastModified" if fields.file_modified_at.is_none() => {
                    let millis = value.parse().ok().map(Timestamp::from_millis);
                    fields.file_modified_at = millis.map(|at| at.to_string());
                }
                // What uppy and others call it.
                "name" if fields.filename.is_none() => fields.set("filename", value)?,
                _ => {}
            }
        }
        Ok(fields)
    }

    fn number(&self, name: &HeaderName) -> Result<Option<u64>, ApiError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let number = is_number.then(|| text.parse().ok()).flatten();
        number.map(Some).ok_or_else(|| bad(&format!("{name} is a whole number of bytes")))
    }

    fn text(&self, name: &HeaderName) -> Result<Option<&str>, ApiError> {
        let text = self.0.get(name).map(HeaderValue::to_str).transpose();
        text.map_err(|_| bad(&format!("{name}: only plain characters are taken")))
    }
}

/// Headers that every answer to a tus client has, and these.
pub(super) fn answer_headers(more: impl IntoIterator<Item = (HeaderName, String)>) -> HeaderMap {
    let mut headers = HeaderMap::from_iter([
        (RESUMABLE, TUS_1_0),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]);
    for (name, value) in more {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
    headers
}

/// When an upload is given up, as HTTP writes dates.
pub(super) fn expires(until: Timestamp) -> (HeaderName, String) {
    let since_1970 = Duration::from_secs(u64::try_from(until.as_seconds()).unwrap_or(0));
    (EXPIRES, httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + since_1970))
}

/// Nothing to say but that it was done.
pub(super) const DONE: StatusCode = StatusCode::NO_CONTENT;

fn bad(message: &str) -> ApiError {
    ApiError::new(ErrorCode::BadRequest, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tus(name: HeaderName, value: &str) -> Tus {
        Tus(HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())]))
    }

    #[test]
    fn metadata_is_read_and_strangers_are_left_alone() {
        let text = "filename c3Vuc2V0LmpwZw==,filetype aW1hZ2UvanBlZw==, tags c3VuLHNlYQ==,is_new";
        let fields = tus(METADATA, text).metadata().unwrap();
        assert_eq!(fields.filename.as_deref(), Some("sunset.jpg"));
        assert_eq!(fields.tags, ["sun", "sea"]);
        assert!(tus(METADATA, "filename ???").metadata().is_err());
        assert!(tus(METADATA, "visibility bm9ib2R5").metadata().is_err());
    }

    #[test]
    fn a_file_says_when_it_was_changed_as_clients_have_it() {
        let modified = |text: &str| tus(METADATA, text).metadata().unwrap().file_modified_at;
        let pair = |key: &str, value: &str| format!("{key} {}", STANDARD.encode(value));
        let millis = pair("lastModified", "1714550400000");
        assert_eq!(modified(&millis).as_deref(), Some("2024-05-01T08:00:00.000Z"));
        let said = pair("fileModifiedAt", "2024-05-01T10:00:00+02:00");
        for both in [format!("{millis},{said}"), format!("{said},{millis}")] {
            assert_eq!(modified(&both).as_deref(), Some("2024-05-01T10:00:00+02:00"));
        }
        assert_eq!(modified(&pair("lastModified", "never")), None);
    }

    #[test]
    fn checksums_are_read_by_their_algorithm() {
        let sha1 = STANDARD.encode([7; 20]);
        let read = |text: &str| tus(CHECKSUM, text).checksum();
        assert_eq!(read(&format!("sha1 {sha1}")).unwrap(), Some(PieceChecksum::Sha1([7; 20])));
        for wrong in
            [format!("md5 {sha1}"), format!("sha256 {sha1}"), "sha1".into(), "sha1 ?".into()]
        {
            assert!(read(&wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_plain() {
        assert_eq!(tus(OFFSET, "12").offset().unwrap(), 12);
        for wrong in ["", "-1", "+1", "1e3", "99999999999999999999999"] {
            assert!(tus(OFFSET, wrong).offset().is_err(), "{wrong}");
        }
    }
}
