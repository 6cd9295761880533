//! Every way in which a request can be wrong has its code.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Multipart};
use axum::routing::{get, post};
use futures::{StreamExt, stream};
use serde::Deserialize;
use tower::Service;

use super::*;
use crate::{RequestLimits, limits};

#[derive(Deserialize)]
struct Wanted {
    #[serde(rename = "number")]
    _number: u32,
}

async fn take_json(Json(_): Json<Wanted>) {}
async fn take_query(Query(_): Query<Wanted>) {}
async fn take_path(Path(_): Path<model::ImageId>) {}
async fn take_parts(mut parts: Multipart) -> Result<(), ApiError> {
    while let Some(part) = parts.next_field().await.map_err(|error| multipart_error(&error))? {
        part.bytes().await.map_err(|error| multipart_error(&error))?;
    }
    Ok(())
}

async fn code(request: Request) -> Option<ErrorCode> {
    let mut router = Router::new()
        .route("/json", post(take_json))
        .route("/parts", post(take_parts))
        .route("/query", get(take_query))
        .route("/path/{id}", get(take_path))
        .layer(DefaultBodyLimit::max(100));
    let limits =
        RequestLimits { stall_time: Duration::from_millis(50), ..RequestLimits::default() };
    let answer = router.call(limits::watch_body(request, &limits)).await.unwrap();
    answer.extensions().get::<ApiError>().map(ApiError::code)
}

fn json(body: impl Into<Body>) -> Request {
    Request::post("/json").header("content-type", "application/json").body(body.into()).unwrap()
}

fn plain(path: &str) -> Request {
    Request::get(path).body(Body::empty()).unwrap()
}

#[tokio::test]
async fn a_body_that_is_not_the_json_wanted() {
    assert_eq!(code(json(r#"{"number":1}"#)).await, None);
    for wrong in ["", "{", r#"{"number":"x"}"#, "{}", "[]", "\u{0}"] {
        assert_eq!(code(json(wrong)).await, Some(ErrorCode::BadJson), "{wrong}");
    }
    let bare = Request::post("/json").body(Body::from("{}")).unwrap();
    assert_eq!(code(bare).await, Some(ErrorCode::UnsupportedMediaType));
    let long = format!(r#"{{"number":1{}}}"#, " ".repeat(100));
    assert_eq!(code(json(long)).await, Some(ErrorCode::BodyTooLarge));
}

#[tokio::test]
async fn a_body_that_stops_coming() {
    let begun = stream::iter([Ok::<_, axum::Error>(Bytes::from_static(b"{\"number\":"))]);
    let stalled = Body::from_stream(begun.chain(stream::pending()));
    assert_eq!(code(json(stalled)).await, Some(ErrorCode::RequestTimeout));
    let broken = stream::iter([Err::<Bytes, _>(axum::Error::new("the line is dead"))]);
    assert_eq!(code(json(Body::from_stream(broken))).await, Some(ErrorCode::BadRequest));
}

#[tokio::test]
async fn a_body_that_only_trickles() {
    let drop = |_| async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        Ok::<_, axum::Error>(Bytes::from_static(b" "))
    };
    let trickle = Body::from_stream(stream::iter(0..90).then(drop));
    assert_eq!(code(json(trickle)).await, Some(ErrorCode::RequestTimeout));
}

#[tokio::test]
async fn a_body_in_parts_that_makes_no_sense() {
    let parts = |body: String| {
        let kind = "multipart/form-data; boundary=x";
        Request::post("/parts").header("content-type", kind).body(Body::from(body)).unwrap()
    };
    let part = |text: &str| {
        format!("--x\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\n{text}\r\n--x--\r\n")
    };
    assert_eq!(code(parts(part("1"))).await, None);
    assert_eq!(code(parts("--x\r\nnonsense".to_owned())).await, Some(ErrorCode::BadRequest));
    assert_eq!(code(parts(part(&"1".repeat(200)))).await, Some(ErrorCode::BodyTooLarge));
}

#[tokio::test]
async fn a_query_or_a_path_that_is_not_possible() {
    assert_eq!(code(plain("/query?number=1")).await, None);
    for wrong in ["/query", "/query?number=x", "/query?number=1&number=2", "/query?number=-1"] {
        assert_eq!(code(plain(wrong)).await, Some(ErrorCode::BadQuery), "{wrong}");
    }
    assert_eq!(code(plain("/path/01ARZ3NDEKTSV4RRFFQ69G5FAV")).await, None);
    for wrong in ["/path/x", "/path/%ff"] {
        assert_eq!(code(plain(wrong)).await, Some(ErrorCode::NotFound), "{wrong}");
    }
}
