//! An installation below a path of a host, such as `https://home.example.org/photos`.
//!
//! Everything inside speaks of addresses from the root. Here, and only here, they are moved below
//! the path and back: requests lose it before they are routed, and answers get it where they name
//! an address of ours (`Location`, the paths of cookies, the addresses in our pages). Addresses in
//! JSON are whole ones, made from `public_url`.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::uri::{PathAndQuery, Uri};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use tower::ServiceExt as _;

/// Our largest page is a link to an album, of some hundred kilobytes.
const PAGE_BYTES_MAX: usize = 16 << 20;

/// The same site below `path`, which begins with a slash and does not end with one. A request
/// without it is answered too, since some proxies take it away.
pub(crate) fn below(path: &str, site: Router) -> Router {
    if path.is_empty() {
        return site;
    }
    let path = path.to_owned();
    Router::new().fallback(move |mut request: Request| async move {
        if let Some(uri) = without(&path, request.uri()) {
            *request.uri_mut() = uri;
        }
        let Ok(answer) = site.oneshot(request).await;
        moved(&path, answer).await
    })
}

/// The address without the path, if it begins with it.
fn without(path: &str, uri: &Uri) -> Option<Uri> {
    let rest = uri.path().strip_prefix(path)?;
    if !rest.is_empty() && !rest.starts_with('/') {
        return None;
    }
    let mut text = if rest.is_empty() { "/".to_owned() } else { rest.to_owned() };
    if let Some(query) = uri.query() {
        text.push('?');
        text.push_str(query);
    }
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(text.parse::<PathAndQuery>().ok()?);
    Uri::from_parts(parts).ok()
}

async fn moved(path: &str, mut answer: Response) -> Response {
    move_location(path, answer.headers_mut());
    move_cookies(path, answer.headers_mut());
    match is_page(&answer) {
        true => move_page(path, answer).await,
        false => answer,
    }
}

fn move_location(path: &str, headers: &mut HeaderMap) {
    let location = headers.get(header::LOCATION).and_then(|value| value.to_str().ok());
    let ours = location.filter(|there| there.starts_with('/') && !there.starts_with("//"));
    if let Some(value) = ours.and_then(|there| HeaderValue::try_from([path, there].concat()).ok()) {
        headers.insert(header::LOCATION, value);
    }
}

/// A cookie for all of the host, which is what `__Host-` stands for, stays one.
fn move_cookies(path: &str, headers: &mut HeaderMap) {
    let cookies: Vec<_> = headers.get_all(header::SET_COOKIE).iter().cloned().collect();
    headers.remove(header::SET_COOKIE);
    for cookie in cookies {
        let text = cookie.to_str().ok().filter(|text| !text.starts_with("__Host-"));
        let moved = text.map(|text| text.replace("; Path=/", &format!("; Path={path}/")));
        let moved = moved.and_then(|text| HeaderValue::try_from(text).ok());
        headers.append(header::SET_COOKIE, moved.unwrap_or(cookie));
    }
}

fn is_page(answer: &Response) -> bool {
    let media_type = answer.headers().get(header::CONTENT_TYPE);
    let is_html = media_type.is_some_and(|value| value.as_bytes().starts_with(b"text/html"));
    is_html && !answer.headers().contains_key(header::CONTENT_ENCODING)
}

/// Addresses stand in attributes, and quotes in a text are escaped, so `="/` is nothing else.
async fn move_page(path: &str, answer: Response) -> Response {
    let (mut head, body) = answer.into_parts();
    head.headers.remove(header::CONTENT_LENGTH);
    let Ok(bytes) = to_bytes(body, PAGE_BYTES_MAX).await else {
        tracing::error!("a page is too large to be moved below {path}");
        return Response::from_parts(head, Body::empty());
    };
    let body = match std::str::from_utf8(&bytes) {
        Ok(page) => Body::from(page.replace("=\"/", &format!("=\"{path}/"))),
        Err(_) => Body::from(bytes),
    };
    Response::from_parts(head, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_path_itself_is_taken_away() {
        let without = |uri: &str| without("/photos", &uri.parse().unwrap()).map(|u| u.to_string());
        assert_eq!(without("/photos").as_deref(), Some("/"));
        assert_eq!(without("/photos/").as_deref(), Some("/"));
        assert_eq!(without("/photos?a=b").as_deref(), Some("/?a=b"));
        assert_eq!(without("/photos/api/v1/me?x").as_deref(), Some("/api/v1/me?x"));
        assert_eq!(without("/photos/photos/1").as_deref(), Some("/photos/1"));
        for other in ["/", "/photosynthesis", "/api/v1/me"] {
            assert_eq!(without(other), None, "{other}");
        }
    }

    #[test]
    fn a_location_of_ours_is_moved_and_no_other() {
        let moved = |there: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::LOCATION, HeaderValue::from_static(there));
            move_location("/photos", &mut headers);
            headers[header::LOCATION].to_str().unwrap().to_owned()
        };
        assert_eq!(moved("/api/v1/images/1"), "/photos/api/v1/images/1");
        assert_eq!(moved("https://bucket.example.org/x"), "https://bucket.example.org/x");
        assert_eq!(moved("//example.org"), "//example.org");
    }

    #[test]
    fn cookies_are_for_the_path_but_for_those_of_the_host() {
        let mut headers = HeaderMap::new();
        for cookie in ["a=1; Path=/s/x; HttpOnly", "__Host-b=2; Path=/; Secure"] {
            headers.append(header::SET_COOKIE, HeaderValue::from_static(cookie));
        }
        move_cookies("/photos", &mut headers);
        let all: Vec<_> = headers.get_all(header::SET_COOKIE).iter().collect();
        assert_eq!(all, ["a=1; Path=/photos/s/x; HttpOnly", "__Host-b=2; Path=/; Secure"]);
    }
}
