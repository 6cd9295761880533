use axum::Router;
use axum::body::{Body, BodyDataStream};
use axum::extract::Request;
use axum::http::StatusCode;
use futures::StreamExt;
use serde_json::Value;
use tower::Service;

use super::*;
use crate::testing::World;

/// Long enough for a busy machine; nothing waits this long when all is well.
const DEADLINE: Duration = Duration::from_secs(20);
const MINUTE: Duration = Duration::from_secs(60);

async fn get(router: &Router, path: &str, last_event: Option<&str>) -> Response {
    let mut request = Request::get(path);
    if let Some(id) = last_event {
        request = request.header("last-event-id", id);
    }
    router.clone().call(request.body(Body::empty()).unwrap()).await.unwrap()
}

async fn page(router: &Router, path: &str) -> Value {
    let answer = get(router, path, None).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let bytes = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// The code of an error.
async fn code(router: &Router, path: &str) -> String {
    let answer = get(router, path, None).await;
    let bytes = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    let body: Value = serde_json::from_slice(&bytes).unwrap();
    body["error"]["code"].as_str().unwrap().to_owned()
}

struct Events {
    stream: BodyDataStream,
    text: String,
}

impl Events {
    async fn open(router: &Router, path: &str, last_event: Option<&str>) -> Self {
        let answer = get(router, path, last_event).await;
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        Self { stream: answer.into_body().into_data_stream(), text: String::new() }
    }

    /// The next event as its fields.
    async fn next(&mut self) -> Vec<(String, String)> {
        tokio::time::timeout(DEADLINE, self.read_event()).await.expect("no event comes")
    }

    async fn read_event(&mut self) -> Vec<(String, String)> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |line: &str| {
                    let (name, value) = line.split_once(':').unwrap();
                    (name.to_owned(), value.trim().to_owned())
                };
                let fields: Vec<_> = event.lines().map(field).collect();
                self.text = rest.to_owned();
                if fields.iter().any(|(name, _)| !name.is_empty()) {
                    return fields;
                }
                continue;
            }
            let bytes = self.stream.next().await.expect("the stream ends").unwrap();
            self.text.push_str(std::str::from_utf8(&bytes).unwrap());
        }
    }

    /// The next change, with its cursor.
    async fn next_change(&mut self) -> (String, Value) {
        let fields = self.next().await;
        let field = |wanted: &str| {
            let found = fields.iter().find(|(name, _)| name == wanted);
            found.unwrap_or_else(|| panic!("no {wanted} in {fields:?}")).1.clone()
        };
        assert_eq!(field("event"), "change");
        (field("id"), serde_json::from_str(&field("data")).unwrap())
    }
}

#[tokio::test]
async fn changes_are_pulled_page_by_page() {
    let world = World::new().await;
    let ada = world.caller();
    let router = world.router_for(ada.clone());
    let first = world.make_album(&ada).await.to_string();
    world.advance(MINUTE);
    let second = world.make_album(&ada).await.to_string();
    world.advance(MINUTE);

    let one = page(&router, "/api/v1/changes?limit=1").await;
    assert_eq!((&one["items"][0]["id"], &one["more"]), (&first.into(), &true.into()));
    assert_eq!(one["items"][0]["entity"], "album");
    assert_eq!(one["items"][0]["kind"], "created");
    let next = one["nextCursor"].as_str().unwrap();
    let two = page(&router, &format!("/api/v1/changes?after={next}")).await;
    assert_eq!((&two["items"][0]["id"], &two["more"]), (&second.into(), &false.into()));
    let next = two["nextCursor"].as_str().unwrap();
    let three = page(&router, &format!("/api/v1/changes?after={next}")).await;
    assert_eq!(three["items"].as_array().unwrap().len(), 0);
    let now = page(&router, "/api/v1/changes?after=now").await;
    assert_eq!(now["items"].as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn a_cursor_is_good_for_one_user_only_and_cannot_be_made_up() {
    let world = World::new().await;
    let (ada, bob) = (world.caller(), world.caller());
    let (ada_s, bob_s) = (world.router_for(ada.clone()), world.router_for(bob));
    world.make_album(&ada).await;
    world.advance(MINUTE);
    let page = page(&ada_s, "/api/v1/changes").await;
    let cursor = page["nextCursor"].as_str().unwrap().to_owned();
    let with = |cursor: &str| format!("/api/v1/changes?after={cursor}");
    assert_eq!(code(&bob_s, &with(&cursor)).await, "bad_cursor");
    let forged = cursor.replacen("20", "19", 1);
    for wrong in [forged.as_str(), &format!("{cursor}A"), "x", "x.y", "."] {
        assert_eq!(code(&ada_s, &with(wrong)).await, "bad_cursor", "{wrong}");
    }
    let tomorrow = world.now();
    world.advance(MINUTE * 60 * 24 * 40);
    assert!(world.now() > tomorrow);
    assert_eq!(code(&ada_s, &with(&cursor)).await, "bad_cursor", "too old to miss nothing");
}

#[tokio::test]
async fn events_come_as_they_happen_and_go_on_where_they_broke_off() {
    let world = World::new().await;
    let (ada, bob) = (world.caller(), world.caller());
    let router = world.router_for(ada.clone());
    world.make_album(&ada).await;
    world.advance(MINUTE);

    let mut events = Events::open(&router, "/api/v1/changes/stream", None).await;
    assert!(events.next().await.iter().any(|(name, _)| name == "retry"), "how soon to come back");
    world.make_album(&bob).await;
    let second = world.make_album(&ada).await.to_string();
    let (_, change) = events.next_change().await;
    assert_eq!(change["id"], second, "neither what was before nor what others do");
    world.advance(MINUTE);
    let third = world.make_album(&ada).await.to_string();
    let (cursor, change) = events.next_change().await;
    assert_eq!(change["id"], third);
    drop(events);

    world.advance(MINUTE);
    let fourth = world.make_album(&ada).await.to_string();
    let mut events = Events::open(&router, "/api/v1/changes/stream", Some(&cursor)).await;
    events.next().await;
    let mut ids = Vec::new();
    while ids.last() != Some(&fourth) {
        ids.push(events.next_change().await.1["id"].as_str().unwrap().to_owned());
    }
    assert!(ids == [third, fourth.clone()] || ids == [fourth], "some twice, none lost: {ids:?}");
    let refused = get(&router, "/api/v1/changes/stream", Some("made up")).await;
    assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_hint_is_faster_than_the_next_look() {
    let world = World::new().await;
    let ada = world.caller();
    let router = world.router_for(ada.clone());
    let mut events = Events::open(&router, "/api/v1/changes/stream", None).await;
    events.next().await;
    let album = world.make_album(&ada).await.to_string();
    world.app.service.hint_change();
    let told = tokio::time::timeout(Duration::from_secs(1), events.next_change()).await;
    assert_eq!(told.expect("it takes longer than a second").1["id"], album);
}
