//! What happened, by pull and by events.

use std::io::{BufRead, BufReader};

use serde_json::{Value, json};
use testkit::wait::wait_until;
use ureq::Agent;

use crate::site::Site;
use crate::support::client::{Client, id_of};
use crate::support::program::DEADLINE;

pub fn what_happened_is_told_in_order_to_those_who_may_know(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let start = |client: &Client| {
        let page = client.get("/api/v1/changes?after=now").expect(200);
        page["nextCursor"].as_str().unwrap().to_owned()
    };
    let (of_ada, of_bob) = (start(&ada), start(&bob));
    let image = ada.keep(&site.file());
    let path = format!("/api/v1/images/{}", id_of(&image));
    ada.patch(&path, &json!({ "title": "New" })).expect(200);
    ada.delete(&path).expect(204);
    let mut seen = Vec::new();
    let mut cursor = of_ada;
    let all = wait_until(DEADLINE, || {
        std::thread::sleep(std::time::Duration::from_millis(200));
        let page = ada.get(&format!("/api/v1/changes?after={cursor}")).expect(200);
        page["nextCursor"].as_str().unwrap().clone_into(&mut cursor);
        seen.extend(page["items"].as_array().unwrap().iter().cloned());
        seen.iter().filter(|change| change["id"] == image["id"]).count() >= 4
    });
    assert!(all, "{seen:#?}");
    let times: Vec<_> = seen.iter().map(|change| change["at"].as_str().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let page = bob.get(&format!("/api/v1/changes?after={of_bob}")).expect(200);
    let told = page["items"].as_array().unwrap();
    assert!(!told.iter().any(|change| change["id"] == image["id"]), "{told:?}");
    bob.get(&format!("/api/v1/changes?after={cursor}")).assert_refused(400, "bad_cursor");
}

pub fn events_arrive_while_they_happen(site: &Site) {
    let ada = site.user();
    let agent: Agent = Agent::config_builder().proxy(None).build().into();
    let request = ada.request("GET", "/api/v1/changes/stream").body(()).unwrap();
    let stream = agent.run(request).unwrap();
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    let lines = BufReader::new(stream.into_body().into_reader()).lines();
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    let image = ada.upload(&site.file()).expect(201);
    // Taken in, and then rendered: two events at least.
    let mut told = 0;
    while told < 2 {
        let line = receive.recv_timeout(DEADLINE).expect("an event");
        let Some(data) = line.strip_prefix("data:") else { continue };
        let change: Value = serde_json::from_str(data).unwrap();
        told += usize::from(change["id"] == image["id"]);
    }
}
