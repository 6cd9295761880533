//! The gallery: its files, and its page for every address that is nothing else.

use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::{error, html};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().route("/", get(front_page))
}

async fn front_page(State(app): State<App>, headers: HeaderMap) -> Response {
    match app.gallery.index() {
        Some(page) => page.respond(&headers, &app.settings),
        None => Html(without_gallery(app.gallery.why_missing())).into_response(),
    }
}

/// What answers where no route does.
pub(super) async fn find_page(
    State(app): State<App>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if method == Method::GET || method == Method::HEAD {
        let path = uri.path();
        let page = || app.gallery.index().filter(|_| is_page(path, &headers));
        if let Some(file) = app.gallery.find(path).or_else(page) {
            return file.respond(&headers, &app.settings);
        }
    }
    error::not_found(uri).await.into_response()
}

/// What belongs to programs, and is never a page of the gallery.
const OTHERS: [&str; 8] =
    ["/api", "/assets", "/auth", "/health", "/i", "/metrics", "/s", "/storage"];

/// Whether somebody goes to an address with a browser that the gallery may know.
fn is_page(path: &str, headers: &HeaderMap) -> bool {
    let is_others = |other: &&str| {
        path.strip_prefix(*other).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let names_a_file = path.rsplit('/').next().is_some_and(|last| last.contains('.'));
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let wants_page = accepts.is_some_and(|accepts| accepts.contains("text/html"));
    wants_page && !names_a_file && !OTHERS.iter().any(is_others)
}

/// The front page of an installation that has no gallery.
fn without_gallery(why: Option<&str>) -> String {
    let why = html::escape(why.unwrap_or("it has no page"));
    let version = env!("CARGO_PKG_VERSION");
    format!(
        r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Ferrotype</title>
<h1>Ferrotype {version}</h1>
<p>An image service. It is running, but this binary does not carry the gallery: {why}.
<p>Everything else works:
<ul>
<li><a href="/signin">Sign in</a>
<li><a href="/api/docs">The API</a>
<li><a href="/health/ready">Is it ready?</a>
<li><a href="/metrics">Metrics</a>
</ul>
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_nobody_else_has_are_pages() {
        let browser = HeaderMap::from_iter([(
            header::ACCEPT,
            header::HeaderValue::from_static("text/html,application/xhtml+xml,*/*;q=0.8"),
        )]);
        for page in ["/photos", "/albums/01ARZ", "/api-keys", "/search", "/shared/x"] {
            assert!(is_page(page, &browser), "{page}");
            assert!(!is_page(page, &HeaderMap::new()), "{page}");
        }
        for other in ["/api", "/api/v1/nothing", "/i/x", "/s/x/y", "/assets/x", "/favicon.ico"] {
            assert!(!is_page(other, &browser), "{other}");
        }
    }
}
