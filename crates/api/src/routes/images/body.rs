//! An image as the bytes of an answer, which are kept as long as the image is the same.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use bytes::{BufMut, Bytes, BytesMut};
use model::Image;
use service::{Caller, KeptView, Listed, View};

use super::ImageInfo;
use crate::app::App;
use crate::etag::ETag;
use crate::{ApiError, ErrorCode};

/// An image as JSON.
pub(crate) struct ImageBody {
    etag: ETag,
    json: Bytes,
}

/// Images as JSON, each of a version.
pub(crate) type Kept = Arc<KeptView<ImageBody>>;

impl View for ImageBody {
    fn size_bytes(&self) -> usize {
        self.json.len()
    }
}

impl ImageBody {
    /// The image as its owner, or somebody else, sees it.
    pub(super) fn of(app: &App, image: Image, is_owner: bool) -> Self {
        let etag = ETag::of(image.id, image.version);
        let json = serde_json::to_vec(&ImageInfo::of(app, image, is_owner));
        // What it is made of can be written as JSON: none of it has keys that are no texts.
        debug_assert!(json.is_ok(), "{json:?}");
        Self { etag, json: json.unwrap_or_default().into() }
    }

    /// The image with its tag, or 304. URLs in the answer change with time, which is no change of
    /// the image: those that a client has work for an hour at least, and it is told to ask again.
    pub(super) fn respond(&self, headers: Option<&HeaderMap>) -> Response<Body> {
        if self.json.is_empty() {
            return ApiError::plain(ErrorCode::Internal).into_response();
        }
        let is_known = headers.is_some_and(|headers| self.etag.is_known_by(headers));
        let mut response = match is_known {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => json(self.json.clone()),
        };
        let headers = response.headers_mut();
        headers.extend(self.etag.header());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        response
    }
}

/// An image with its tag, after it was changed.
pub(super) fn tagged(app: &App, caller: &Caller, image: Image) -> Response<Body> {
    let is_owner = image.owner == caller.user;
    ImageBody::of(app, image, is_owner).respond(None)
}

/// A page of images, as [`Page`](crate::paging::Page) would be written.
pub(super) fn page_of(
    app: &App,
    caller: &Caller,
    list: &str,
    listed: &Listed<Kept>,
) -> Response<Body> {
    let bytes = listed.entries.iter().map(|kept| kept.view.json.len() + 1).sum::<usize>();
    let mut page = BytesMut::with_capacity(bytes + PAGE_BYTES);
    page.put_slice(br#"{"items":["#);
    for (index, kept) in listed.entries.iter().enumerate() {
        if index > 0 {
            page.put_u8(b',');
        }
        page.put_slice(&kept.view.json);
    }
    page.put_u8(b']');
    if let Some(next) = &listed.next {
        let next = app.service.seal_cursor(caller.user, list, next);
        page.put_slice(br#","nextCursor":"#);
        page.put_slice(serde_json::Value::from(next).to_string().as_bytes());
    }
    page.put_u8(b'}');
    json(page.freeze())
}

/// What a page takes beside its images, about.
const PAGE_BYTES: usize = 512;

fn json(bytes: Bytes) -> Response<Body> {
    let mut response = Response::new(Body::from(bytes));
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}
