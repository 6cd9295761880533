//! Versions of things as HTTP knows them: `ETag`, `If-None-Match` and `If-Match`.

use std::fmt::Display;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::error::current_version;
use crate::{ApiError, ErrorCode};

/// The strong tag of one version of one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ETag(String);

impl ETag {
    /// The tag of a version. Whatever else the answer depends on, such as who asks, belongs into
    /// the name.
    pub(crate) fn of(name: impl Display, version: i64) -> Self {
        Self(format!("\"{name}-{version}\""))
    }

    /// The tag of what has this hash, which must be text that headers take.
    pub(crate) fn of_hash(hash: impl Display) -> Self {
        Self(format!("\"{hash}\""))
    }

    /// The header.
    pub(crate) fn header(&self) -> Option<(HeaderName, HeaderValue)> {
        Some((header::ETAG, HeaderValue::from_str(&self.0).ok()?))
    }

    /// Whether the client has this version already, so that 304 is the answer.
    pub(crate) fn is_known_by(&self, headers: &HeaderMap) -> bool {
        tags(headers, &header::IF_NONE_MATCH)
            .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == self.0)
    }
}

/// Which version is to be deleted, in the query.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DeleteParams {
    /// The version that is to be deleted, unless `If-Match` says so.
    pub(crate) version: Option<i64>,
}

/// Which version a client wants to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Whichever there is.
    Any,
    /// The one that `If-Match` names.
    ByHeader(i64),
    /// The one that the field `version` names.
    ByField(i64),
}

impl Expected {
    /// What a request expects of the thing of this name, which its tags were made with.
    ///
    /// # Errors
    /// When it expects two versions.
    pub(crate) fn of(
        headers: &HeaderMap,
        name: impl Display,
        field: Option<i64>,
    ) -> Result<Self, ApiError> {
        let by_header = header_version(headers, &name.to_string());
        match (by_header, field) {
            (Some(header), Some(field)) if header != field => {
                let message = "If-Match and version name different versions; send one of them";
                Err(ApiError::new(ErrorCode::BadRequest, message))
            }
            (Some(version), _) => Ok(Self::ByHeader(version)),
            (None, Some(version)) => Ok(Self::ByField(version)),
            (None, None) => Ok(Self::Any),
        }
    }

    /// The version, if it must be one.
    pub(crate) fn version(self) -> Option<i64> {
        match self {
            Self::Any => None,
            Self::ByHeader(version) | Self::ByField(version) => Some(version),
        }
    }

    /// The error of a change. That it came too late is a failed precondition for those who used
    /// `If-Match`, and a conflict for all others.
    pub(crate) fn error(self, error: service::Error) -> ApiError {
        match (self, error) {
            (Self::ByHeader(_), service::Error::Conflict { current }) => failed(current),
            (_, error) => error.into(),
        }
    }
}

/// No version is like this: whoever expects it learns which one there is.
const NO_VERSION: i64 = -1;

/// The newest version among the tags in `If-Match`; none if the header is absent or takes any.
fn header_version(headers: &HeaderMap, name: &str) -> Option<i64> {
    if !headers.contains_key(header::IF_MATCH) || tags(headers, &header::IF_MATCH).any(|t| t == "*")
    {
        return None;
    }
    let version = |tag: &str| {
        let inner = tag.strip_prefix('"')?.strip_suffix('"')?;
        inner.strip_prefix(name)?.strip_prefix('-')?.parse().ok()
    };
    // Tags of other things, and weak ones, never match.
    Some(tags(headers, &header::IF_MATCH).filter_map(version).max().unwrap_or(NO_VERSION))
}

fn failed(current: i64) -> ApiError {
    ApiError::plain(ErrorCode::PreconditionFailed).with_details(current_version(current))
}

/// All tags of a header. Ours have no commas, so a tag that has one is not ours.
fn tags<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> + use<'a> {
    let values = headers.get_all(name).into_iter();
    values.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn a_client_that_has_the_version_need_not_get_it_again() {
        let tag = ETag::of("A", 3);
        for known in ["\"A-3\"", "W/\"A-3\"", "\"x\", \"A-3\"", "*"] {
            assert!(tag.is_known_by(&with(header::IF_NONE_MATCH, known)), "{known}");
        }
        for other in ["\"A-2\"", "A-3", "", "\"B-3\""] {
            assert!(!tag.is_known_by(&with(header::IF_NONE_MATCH, other)), "{other}");
        }
        assert!(!tag.is_known_by(&HeaderMap::new()));
    }

    #[test]
    fn the_expected_version_comes_from_the_header_or_the_field() {
        let of = |value: &str, field| Expected::of(&with(header::IF_MATCH, value), "A", field);
        assert_eq!(of("\"A-3\"", None), Ok(Expected::ByHeader(3)));
        assert_eq!(of("\"A-3\"", Some(3)), Ok(Expected::ByHeader(3)));
        assert_eq!(of("*", None), Ok(Expected::Any));
        assert_eq!(Expected::of(&HeaderMap::new(), "A", Some(4)), Ok(Expected::ByField(4)));
        assert_eq!(of("\"A-3\"", Some(4)).unwrap_err().code(), ErrorCode::BadRequest);
        for never in ["\"B-3\"", "W/\"A-3\"", "\"A-x\"", ""] {
            let Expected::ByHeader(version) = of(never, None).unwrap() else { panic!("{never}") };
            assert!(version < 0, "no version is like {never}");
        }
    }

    #[test]
    fn who_comes_too_late_learns_the_current_version() {
        let conflict = || service::Error::Conflict { current: 9 };
        let by_header = Expected::ByHeader(3).error(conflict());
        assert_eq!(by_header.code(), ErrorCode::PreconditionFailed);
        assert_eq!(by_header, failed(9));
        assert_eq!(Expected::ByField(3).error(conflict()).code(), ErrorCode::Conflict);
    }
}
