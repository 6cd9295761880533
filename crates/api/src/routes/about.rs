//! The front page, until the gallery takes its place.

use axum::response::Html;
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().route("/", get(about))
}

async fn about() -> Html<&'static str> {
    Html(PAGE)
}

const PAGE: &str = concat!(
    r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Ferrotype</title>
<h1>Ferrotype "#,
    env!("CARGO_PKG_VERSION"),
    r#"</h1>
<p>An image service. It is running.
<ul>
<li><a href="/health/ready">Is it ready?</a>
<li><a href="/metrics">Metrics</a>
<li><a href="/api/docs">The API</a>
</ul>
"#
);
