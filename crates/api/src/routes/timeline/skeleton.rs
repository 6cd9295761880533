//! A timeline as bytes. docs/api.md has the same form in prose.

use std::io::Write as _;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use model::{TimelineOrder, UserId};
use quick_cache::sync::Cache;
use service::{Caller, Timeline};

use super::kept;
use crate::app::App;
use crate::etag::ETag;
use crate::gallery::takes;
use crate::{ApiError, ErrorCode};

const MAGIC: &[u8; 4] = b"FTTL";
const FORM: u8 = 1;
/// Answers that are kept for those who ask again.
const KEPT_MAX: usize = 32;
/// Fast: who waits for a new one gets most of what more work would bring.
const LEVEL: u32 = 3;

/// What was last made of timelines.
pub(crate) struct KeptSkeletons(Cache<(UserId, TimelineOrder), Arc<Skeleton>>);

struct Skeleton {
    of: Arc<Timeline>,
    plain: Bytes,
    gzip: Bytes,
}

impl KeptSkeletons {
    pub(crate) fn new() -> Self {
        Self(Cache::new(KEPT_MAX))
    }
}

/// The timeline, or 304.
pub(super) async fn respond(
    app: &App,
    caller: &Caller,
    timeline: &Arc<Timeline>,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    if let Some(known) = not_modified(timeline, headers) {
        return Ok(known);
    }
    let key = (caller.user, timeline.order);
    let same = |kept: &Arc<Skeleton>| Arc::ptr_eq(&kept.of, timeline);
    let skeleton = match app.skeletons.0.get(&key).filter(same) {
        Some(kept) => kept,
        None => {
            let of = Arc::clone(timeline);
            // A million images take some ten milliseconds.
            let made = tokio::task::spawn_blocking(move || Skeleton::of(of)).await;
            let failed = |_| ApiError::plain(ErrorCode::Internal);
            let made = Arc::new(made.map_err(failed)?);
            app.skeletons.0.insert(key, Arc::clone(&made));
            made
        }
    };
    Ok(answer(&skeleton, headers))
}

/// The same of a timeline that is not worth keeping.
pub(super) fn respond_small(timeline: &Timeline, headers: &HeaderMap) -> Response {
    not_modified(timeline, headers)
        .unwrap_or_else(|| answer(&Skeleton::of(Arc::new(timeline.clone())), headers))
}

/// A strong tag is about the very bytes that are sent.
fn etag(timeline: &Timeline, headers: &HeaderMap) -> ETag {
    let form = if takes(headers, "gzip") { "gzip" } else { "plain" };
    ETag::of_hash(format_args!("{:016x}-{FORM}-{form}", timeline.tag()))
}

fn not_modified(timeline: &Timeline, headers: &HeaderMap) -> Option<Response> {
    let etag = etag(timeline, headers);
    etag.is_known_by(headers).then(|| kept(StatusCode::NOT_MODIFIED.into_response(), &etag))
}

fn answer(skeleton: &Skeleton, headers: &HeaderMap) -> Response {
    let is_gzip = takes(headers, "gzip");
    let bytes = if is_gzip { &skeleton.gzip } else { &skeleton.plain };
    let mut response = Response::new(Body::from(bytes.clone()));
    let fields = response.headers_mut();
    let media_type = HeaderValue::from_static("application/octet-stream");
    fields.insert(header::CONTENT_TYPE, media_type);
    if is_gzip {
        fields.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    kept(response, &etag(&skeleton.of, headers))
}

impl Skeleton {
    fn of(of: Arc<Timeline>) -> Self {
        let plain = encode(&of);
        let mut encoder = GzEncoder::new(Vec::new(), Compression::new(LEVEL));
        // Writing into memory does not fail.
        let gzip = encoder.write_all(&plain).and_then(|()| encoder.finish()).unwrap_or_default();
        Self { of, plain: plain.into(), gzip: gzip.into() }
    }
}

fn encode(timeline: &Timeline) -> Vec<u8> {
    let hours = timeline.months.iter().flat_map(|month| &month.hours);
    let mut bytes = Vec::with_capacity(timeline.count() + 64 * timeline.months.len() + 64);
    bytes.extend(MAGIC);
    bytes.push(FORM);
    bytes.push(match timeline.order {
        TimelineOrder::Uploaded => 0,
        TimelineOrder::Taken => 1,
    });
    bytes.extend([0; 2]);
    bytes.extend(number(timeline.months.len()));
    bytes.extend(number(timeline.count()));
    for month in &timeline.months {
        bytes.extend(month.month.year().cast_unsigned().to_le_bytes());
        bytes.extend([month.month.number().cast_unsigned(), 0]);
        bytes.extend(number(month.count()));
        bytes.extend(number(month.hours.len()));
        bytes.extend([0; 4]);
        bytes.extend(month.tag().to_le_bytes());
    }
    for hour in hours.clone() {
        bytes.extend(hour.hour.to_le_bytes());
        bytes.extend(number(hour.count()));
    }
    for hour in hours {
        bytes.extend(&hour.shapes);
    }
    bytes
}

fn number(count: usize) -> [u8; 4] {
    u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes()
}
