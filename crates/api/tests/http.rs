//! Health, metrics, request ids and the end, asked by a real HTTP client over a real socket.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod support;

use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::time::Duration;

use api::Drained;
use serde_json::json;
use support::{DEADLINE, Hold, Options, Server, Wellness, code_of, json_of, send};
use ureq::http::Request;

async fn start(wellness: Wellness, grace: Duration) -> Server {
    Server::with(Options { wellness, grace: Some(grace), ..Options::default() }).await
}

async fn get(address: SocketAddr, path: &str) -> ureq::http::Response<ureq::Body> {
    send(address, Request::get(path).body(String::new()).unwrap()).await
}

#[tokio::test]
async fn live_says_alive_without_asking_any_part() {
    let server = start(Wellness::default(), DEADLINE).await;
    let answer = server.get("/health/live").await;
    assert_eq!(answer.status(), 200);
    assert_eq!(json_of(answer), json!({ "status": "alive" }));
    assert_eq!(server.wellness.asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn ready_names_its_parts() {
    let server = start(Wellness::default(), DEADLINE).await;
    let answer = server.get("/health/ready").await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let parts = json!({ "table": { "status": "ok" }, "blobs": { "status": "ok" } });
    assert_eq!(json_of(answer), json!({ "status": "ready", "parts": parts }));
}

#[tokio::test]
async fn not_ready_is_503_and_tells_strangers_no_details() {
    let wellness = Wellness { table_broken: true.into(), ..Wellness::default() };
    let server = start(wellness, DEADLINE).await;
    let answer = server.get("/health/ready").await;
    assert_eq!(answer.status(), 503);
    let parts = json!({ "table": { "status": "failed" }, "blobs": { "status": "ok" } });
    assert_eq!(json_of(answer), json!({ "status": "unavailable", "parts": parts }));
}

#[tokio::test]
async fn many_questions_cost_one_check() {
    let server = start(Wellness::default(), DEADLINE).await;
    let asked = std::time::Instant::now();
    for _ in 0..20 {
        server.get("/health/ready").await;
    }
    let checks_max = 1 + asked.elapsed().as_secs() as usize;
    assert!(server.wellness.asked.load(Ordering::SeqCst) <= checks_max);
}

#[tokio::test]
async fn metrics_are_plain_text() {
    let server = start(Wellness::default(), DEADLINE).await;
    let mut answer = server.get("/metrics").await;
    assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("text/plain"));
    assert_eq!(answer.body_mut().read_to_string().unwrap(), "some_metric 1\n");
}

#[tokio::test]
async fn the_front_page_says_what_this_is() {
    let server = start(Wellness::default(), DEADLINE).await;
    let mut answer = server.get("/").await;
    let text = answer.body_mut().read_to_string().unwrap();
    assert!(text.contains("Ferrotype") && text.contains(env!("CARGO_PKG_VERSION")), "{text}");
}

#[tokio::test]
async fn an_unknown_path_is_a_json_error_with_the_id_of_the_request() {
    let server = start(Wellness::default(), DEADLINE).await;
    let answer = server.get("/no/such/thing").await;
    assert_eq!(answer.status(), 404);
    let id = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
    let error = json!({
        "code": "not_found", "message": "there is nothing at /no/such/thing", "requestId": id,
    });
    assert_eq!(json_of(answer), json!({ "error": error }));
}

#[tokio::test]
async fn a_callers_request_id_is_kept() {
    let server = start(Wellness::default(), DEADLINE).await;
    let answer = server
        .send(
            Request::get("/nothing").header("x-request-id", "abc-123").body(String::new()).unwrap(),
        )
        .await;
    assert_eq!(answer.headers()["x-request-id"], "abc-123");
    assert_eq!(json_of(answer)["error"]["requestId"], "abc-123");
}

#[tokio::test]
async fn a_wrong_method_is_a_json_error_that_says_which_are_right() {
    let server = start(Wellness::default(), DEADLINE).await;
    let answer = server.send(Request::delete("/health/live").body(String::new()).unwrap()).await;
    assert_eq!(answer.status(), 405);
    assert_eq!(answer.headers()["allow"], "GET,HEAD");
    assert_eq!(code_of(answer), "method_not_allowed");
}

#[tokio::test]
async fn a_panic_is_a_json_error_and_the_server_goes_on() {
    let server = start(Wellness { panics: true.into(), ..Wellness::default() }, DEADLINE).await;
    let answer = server.get("/health/ready").await;
    assert_eq!(answer.status(), 500);
    assert_eq!(code_of(answer), "internal");
    server.wellness.panics.store(false, Ordering::SeqCst);
    assert_eq!(server.get("/health/ready").await.status(), 200);
}

#[tokio::test]
async fn a_request_that_has_begun_is_finished_after_the_stop() {
    let server =
        start(Wellness { hold: Some(Hold::default()), ..Wellness::default() }, DEADLINE).await;
    let address = server.address;
    let asked = tokio::spawn(async move { get(address, "/health/ready").await });
    let hold = server.wellness.hold.as_ref().unwrap();
    hold.entered.notified().await;

    server.stop.send(()).unwrap();
    let refused = wait_until_refused(address).await;
    hold.release.notify_one();

    assert!(refused, "new connections are still accepted");
    assert_eq!(asked.await.unwrap().status(), 200);
    assert_eq!(server.serving.await.unwrap().unwrap(), Drained::Wholly);
}

#[tokio::test]
async fn a_request_that_never_ends_does_not_outlast_the_grace_period() {
    let grace = Duration::from_millis(50);
    let server =
        start(Wellness { hold: Some(Hold::default()), ..Wellness::default() }, grace).await;
    let address = server.address;
    let asked = tokio::spawn(async move { get(address, "/health/ready").await });
    server.wellness.hold.as_ref().unwrap().entered.notified().await;

    server.stop.send(()).unwrap();
    let ended = tokio::time::timeout(DEADLINE, server.serving).await;

    assert_eq!(ended.expect("serving goes on").unwrap().unwrap(), Drained::CutOff);
    assert!(asked.await.is_err(), "the client sees that its request was cut off");
}

async fn wait_until_refused(address: SocketAddr) -> bool {
    let refused = async {
        while tokio::net::TcpStream::connect(address).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(DEADLINE, refused).await.is_ok()
}
