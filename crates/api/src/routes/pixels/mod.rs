//! The bytes of images and renditions.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use blob_range::parse_range;
use model::{ImageId, Timestamp};
use serde::Deserialize;
use service::{
    Accepts, Caller, OpenedPixels, PixelBody, PixelName, PixelSource, Signature, SignedUrl,
};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::disposition::disposition;
use crate::error::error_answers;
use crate::extract::{Path, Query};
use crate::openapi::tag;
use crate::security::{ANY_SITE, RESOURCE_POLICY};
use crate::{ApiError, ErrorCode};

mod blob_range;
mod storage;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_pixels)).merge(storage::router())
}

error_answers!(PixelErrors: Unauthenticated, BadSignature, NotFound, BadRange, BadTransform, InvalidValue);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PixelParams {
    /// Until when a signed URL works, in seconds since 1970.
    e: Option<String>,
    /// Its signature.
    s: Option<String>,
    /// Whether the URL is signed for showing the picture only.
    show: Option<String>,
    /// Whether a browser shall save it instead of showing it. Has no effect on a URL that is signed
    /// for showing only.
    #[serde(default)]
    download: bool,
}

/// A picture
///
/// `name` is a size such as `thumb`, `original`, or a rendition on demand such as
/// `w640-h480-cover-q80`, with an ending such as `.jpeg` to have exactly that format; without one
/// it is the best that `Accept` takes. Signed URLs come with images; without a signature the caller
/// must be signed in and may see the image.
#[utoipa::path(
    get,
    path = "/i/{image}/{name}",
    tag = tag::PIXELS,
    params(
        ("image" = String, Path, description = "The image's id"),
        ("name" = String, Path, description = "Which picture"),
        PixelParams
    ),
    responses(
        (status = 200, description = "The picture.", content_type = "image/*"),
        (status = 206, description = "A part of it.", content_type = "image/*"),
        (status = 302, description = "It is there, if the installation lets its storage hand out pictures."),
        (status = 304, description = "The client has it."),
        PixelErrors
    ),
    security((), ("bearer" = []), ("session" = []))
)]
async fn get_pixels(
    State(app): State<App>,
    Path((image, name)): Path<(ImageId, String)>,
    Query(params): Query<PixelParams>,
    caller: Option<axum::Extension<Caller>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Ok(name) = name.parse::<PixelName>() else {
        return Err(crate::error::not_found(uri).await);
    };
    let kept = admit(&app, image, &name, &params, caller.as_deref()).await?;
    let mut response = send(&app, image, &name, &params, &headers, kept).await?;
    if params.e.is_some() && params.s.is_some() {
        // Whoever has the address may have the picture, so any page may show it.
        response.headers_mut().insert(RESOURCE_POLICY, ANY_SITE);
    }
    Ok(response)
}

async fn send(
    app: &App,
    image: ImageId,
    name: &PixelName,
    params: &PixelParams,
    headers: &HeaderMap,
    kept: u64,
) -> Result<Response, ApiError> {
    let range = parse_range(headers);
    let accepts = accepts(headers);
    if let Some(there) = app.service.redirect_pixels(image, name, accepts).await? {
        return Ok(redirect(name, &there, kept, app.service.now()));
    }
    let opened = app.service.open_pixels(image, name, accepts, range.as_ref()).await?;
    Ok(answer(opened, name, params, headers, kept, range.is_some()))
}

/// Refuses whoever may not have the picture. Returns for how many seconds caches may keep it.
async fn admit(
    app: &App,
    image: ImageId,
    name: &PixelName,
    params: &PixelParams,
    caller: Option<&Caller>,
) -> Result<u64, ApiError> {
    match (&params.e, &params.s) {
        (Some(expires), Some(proof)) => {
            let signature = Signature::parse(expires, proof, params.show.is_some())?;
            if app.service.check_signature(image, name, &signature) {
                return Ok(app.service.seconds_left(&signature));
            }
            Err(service::Error::BadSignature.into())
        }
        _ => {
            let caller = caller.ok_or_else(|| ApiError::plain(ErrorCode::Unauthenticated))?;
            app.service.check_pixels(caller, image, name).await?;
            Ok(0)
        }
    }
}

/// Sends the client to the storage. Caches keep the way as long as it is open, and not until its
/// last second.
fn redirect(name: &PixelName, there: &SignedUrl, kept: u64, now: Timestamp) -> Response {
    let left = there.expires_at.as_seconds().saturating_sub(now.as_seconds());
    let open = u64::try_from(left).unwrap_or(0).saturating_sub(REDIRECT_MARGIN_SECONDS);
    let caching = match kept.min(open) {
        0 => "private, no-cache".to_owned(),
        seconds => format!("public, max-age={seconds}"),
    };
    let location = (header::LOCATION, there.url.to_string());
    let mut headers = vec![location, (header::CACHE_CONTROL, caching)];
    if name.format.is_none() {
        headers.push((header::VARY, "accept".to_owned()));
    }
    (StatusCode::FOUND, AppendHeaders(headers)).into_response()
}

const REDIRECT_MARGIN_SECONDS: u64 = 60;

fn answer(
    opened: OpenedPixels,
    name: &PixelName,
    params: &PixelParams,
    request: &HeaderMap,
    kept: u64,
    is_part: bool,
) -> Response {
    let etag = opened.etag();
    let mut headers = HeaderMap::new();
    let mut set = |name: header::HeaderName, value: String| {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    };
    set(header::ETAG, etag.clone());
    set(header::ACCEPT_RANGES, "bytes".to_owned());
    set(header::CACHE_CONTROL, cache_control(kept));
    if name.format.is_none() && name.source != PixelSource::Original {
        set(header::VARY, "accept".to_owned());
    }
    let known = request.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    if known.is_some_and(|known| known.split(',').any(|tag| tag.trim() == etag)) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    set(header::CONTENT_TYPE, opened.content_type.to_owned());
    set(header::CONTENT_LENGTH, (opened.range.end - opened.range.start).to_string());
    let download = params.download && params.show.is_none();
    if name.source == PixelSource::Original || download {
        set(header::CONTENT_DISPOSITION, disposition_of(&opened, name, download));
    }
    let status = if is_part {
        let (first, last) = (opened.range.start, opened.range.end.saturating_sub(1));
        let size = opened.meta.size_bytes;
        set(header::CONTENT_RANGE, format!("bytes {first}-{last}/{size}"));
        StatusCode::PARTIAL_CONTENT
    } else {
        StatusCode::OK
    };
    let body = match opened.body {
        PixelBody::Bytes(bytes) => Body::from(bytes),
        PixelBody::Stream(stream) => Body::from_stream(stream),
    };
    (status, headers, body).into_response()
}

/// A URL that is signed leads to the same bytes until it ends; without a signature, rights may
/// change at any time.
fn cache_control(kept: u64) -> String {
    match kept {
        0 => "private, no-cache".to_owned(),
        seconds => format!("public, max-age={seconds}, immutable"),
    }
}

/// Originals may be of kinds that browsers would run, such as SVG one day; they are saved under
/// their own name unless they are plain pictures.
fn disposition_of(opened: &OpenedPixels, name: &PixelName, download: bool) -> String {
    let kind = if download { "attachment" } else { "inline" };
    disposition(kind, &opened.filename.clone().unwrap_or_else(|| name.to_string()))
}

/// Which formats a client says that it takes. `image/*` and `*/*` do not count: every client sends
/// them, also those that cannot show WebP.
fn accepts(headers: &HeaderMap) -> Accepts {
    let names = headers.get_all(header::ACCEPT).into_iter();
    let listed: Vec<&str> = names
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|range| range.split(';').next())
        .map(str::trim)
        .collect();
    Accepts { avif: listed.contains(&"image/avif"), webp: listed.contains(&"image/webp") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(accept: &str) -> Accepts {
        accepts(&HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_str(accept).unwrap())]))
    }

    #[test]
    fn only_formats_that_are_named_are_taken_for_granted() {
        assert_eq!(with("*/*"), Accepts { avif: false, webp: false });
        assert_eq!(with("image/*,*/*;q=0.8"), Accepts { avif: false, webp: false });
        let browser = "image/avif,image/webp,image/apng,image/*,*/*;q=0.8";
        assert_eq!(with(browser), Accepts { avif: true, webp: true });
        assert_eq!(with("text/html, image/webp;q=0.5"), Accepts { avif: false, webp: true });
    }
}
