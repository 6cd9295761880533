//! The routes that exist now, asked by a real HTTP client over a real socket.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use api::{Drained, Health, Part, Readiness, Site};
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;
use ureq::http::Response;
use ureq::{Agent, Body};

/// Long enough for a busy machine; nothing waits this long when all is well.
const DEADLINE: Duration = Duration::from_secs(30);

#[derive(Default)]
struct Parts {
    table_broken: AtomicBool,
    panics: AtomicBool,
    asked: AtomicUsize,
    hold: Option<Hold>,
}

/// Lets a test stop a request in the middle.
#[derive(Default)]
struct Hold {
    entered: Notify,
    release: Notify,
}

#[async_trait]
impl Health for Parts {
    async fn check(&self) -> Readiness {
        self.asked.fetch_add(1, Ordering::SeqCst);
        assert!(!self.panics.load(Ordering::SeqCst), "a bug");
        if let Some(hold) = &self.hold {
            hold.entered.notify_one();
            hold.release.notified().await;
        }
        let broken = self.table_broken.load(Ordering::SeqCst);
        let table = if broken { Err("no route to 10.0.0.7") } else { Ok(()) };
        let parts = vec![Part::new("table", table), Part::new("blobs", Ok::<_, String>(()))];
        Readiness { parts }
    }
}

struct Server {
    address: SocketAddr,
    parts: Arc<Parts>,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<std::io::Result<Drained>>,
}

async fn start(parts: Parts, grace: Duration) -> Server {
    let parts = Arc::new(parts);
    let metrics = Arc::new(|| "some_metric 1\n".to_owned());
    let site = Site { health: parts.clone(), metrics };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let stopped = async move { stopped.await.unwrap_or_default() };
    let serving = tokio::spawn(api::serve(listener, api::router(site), stopped, grace));
    Server { address, parts, stop, serving }
}

impl Server {
    async fn get(&self, path: &str) -> Response<Body> {
        get(self.address, path, None).await
    }
}

async fn get(address: SocketAddr, path: &str, id: Option<&'static str>) -> Response<Body> {
    let url = format!("http://{address}{path}");
    let agent: Agent =
        Agent::config_builder().http_status_as_error(false).proxy(None).build().into();
    let ask = move || {
        let request = agent.get(url);
        let request = if let Some(id) = id { request.header("x-request-id", id) } else { request };
        request.call().unwrap()
    };
    tokio::task::spawn_blocking(ask).await.unwrap()
}

fn json_of(mut response: Response<Body>) -> Value {
    response.body_mut().read_json().unwrap()
}

#[tokio::test]
async fn live_says_alive_without_asking_any_part() {
    let server = start(Parts::default(), DEADLINE).await;
    let answer = server.get("/health/live").await;
    assert_eq!(answer.status(), 200);
    assert_eq!(json_of(answer), json!({ "status": "alive" }));
    assert_eq!(server.parts.asked.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn ready_names_its_parts() {
    let server = start(Parts::default(), DEADLINE).await;
    let answer = server.get("/health/ready").await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let parts = json!({ "table": { "status": "ok" }, "blobs": { "status": "ok" } });
    assert_eq!(json_of(answer), json!({ "status": "ready", "parts": parts }));
}

#[tokio::test]
async fn not_ready_is_503_and_tells_strangers_no_details() {
    let parts = Parts { table_broken: true.into(), ..Parts::default() };
    let server = start(parts, DEADLINE).await;
    let answer = server.get("/health/ready").await;
    assert_eq!(answer.status(), 503);
    let parts = json!({ "table": { "status": "failed" }, "blobs": { "status": "ok" } });
    assert_eq!(json_of(answer), json!({ "status": "unavailable", "parts": parts }));
}

#[tokio::test]
async fn many_questions_cost_one_check() {
    let server = start(Parts::default(), DEADLINE).await;
    let asked = std::time::Instant::now();
    for _ in 0..20 {
        server.get("/health/ready").await;
    }
    let checks_max = 1 + asked.elapsed().as_secs() as usize;
    assert!(server.parts.asked.load(Ordering::SeqCst) <= checks_max);
}

#[tokio::test]
async fn metrics_are_plain_text() {
    let server = start(Parts::default(), DEADLINE).await;
    let mut answer = server.get("/metrics").await;
    assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("text/plain"));
    assert_eq!(answer.body_mut().read_to_string().unwrap(), "some_metric 1\n");
}

#[tokio::test]
async fn the_front_page_says_what_this_is() {
    let server = start(Parts::default(), DEADLINE).await;
    let mut answer = server.get("/").await;
    let text = answer.body_mut().read_to_string().unwrap();
    assert!(text.contains("Ferrotype") && text.contains(env!("CARGO_PKG_VERSION")), "{text}");
}

#[tokio::test]
async fn an_unknown_path_is_a_json_error_with_the_id_of_the_request() {
    let server = start(Parts::default(), DEADLINE).await;
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
    let server = start(Parts::default(), DEADLINE).await;
    let answer = get(server.address, "/nothing", Some("abc-123")).await;
    assert_eq!(answer.headers()["x-request-id"], "abc-123");
    assert_eq!(json_of(answer)["error"]["requestId"], "abc-123");
}

#[tokio::test]
async fn a_wrong_method_is_a_json_error_that_says_which_are_right() {
    let server = start(Parts::default(), DEADLINE).await;
    let url = format!("http://{}/health/live", server.address);
    let agent: Agent = Agent::config_builder().http_status_as_error(false).build().into();
    let ask = move || agent.delete(url).call().unwrap();
    let answer = tokio::task::spawn_blocking(ask).await.unwrap();
    assert_eq!(answer.status(), 405);
    assert_eq!(answer.headers()["allow"], "GET,HEAD");
    assert_eq!(json_of(answer)["error"]["code"], "method_not_allowed");
}

#[tokio::test]
async fn a_panic_is_a_json_error_and_the_server_goes_on() {
    let server = start(Parts { panics: true.into(), ..Parts::default() }, DEADLINE).await;
    let answer = server.get("/health/ready").await;
    assert_eq!(answer.status(), 500);
    assert_eq!(json_of(answer)["error"]["code"], "internal");
    server.parts.panics.store(false, Ordering::SeqCst);
    assert_eq!(server.get("/health/ready").await.status(), 200);
}

#[tokio::test]
async fn a_request_that_has_begun_is_finished_after_the_stop() {
    let server = start(Parts { hold: Some(Hold::default()), ..Parts::default() }, DEADLINE).await;
    let address = server.address;
    let asked = tokio::spawn(async move { get(address, "/health/ready", None).await });
    let hold = server.parts.hold.as_ref().unwrap();
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
    let server = start(Parts { hold: Some(Hold::default()), ..Parts::default() }, grace).await;
    let address = server.address;
    let asked = tokio::spawn(async move { get(address, "/health/ready", None).await });
    server.parts.hold.as_ref().unwrap().entered.notified().await;

    server.stop.send(()).unwrap();
    let ended = tokio::time::timeout(DEADLINE, server.serving).await;

    assert_eq!(ended.expect("serving goes on").unwrap().unwrap(), Drained::CutOff);
    server.parts.hold.as_ref().unwrap().release.notify_one();
    assert_eq!(asked.await.unwrap().status(), 200);
}

async fn wait_until_refused(address: SocketAddr) -> bool {
    let refused = async {
        while tokio::net::TcpStream::connect(address).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(DEADLINE, refused).await.is_ok()
}
