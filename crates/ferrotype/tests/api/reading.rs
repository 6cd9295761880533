//! Finding and reading images.

use serde_json::{Value, json};

use crate::site::Site;
use crate::support::client::{Client, Form, id_of};

pub fn pages_put_together_are_the_list_in_either_order(site: &Site) {
    let ada = site.user();
    let ids: Vec<_> = (0..5).map(|_| upload(site, &ada)).collect();
    let newest: Vec<_> = ids.iter().rev().cloned().collect();
    assert_eq!(walk(&ada, "/api/v1/images?limit=2"), newest);
    assert_eq!(walk(&ada, "/api/v1/images?limit=5"), newest);
    assert_eq!(walk(&ada, "/api/v1/images?limit=3&order=oldest"), ids);
    let mine = format!("/api/v1/users/{}/images?limit=2", ada.user_id());
    assert_eq!(walk(&ada, &mine), newest);
    for wrong in ["limit=0", "limit=101", "limit=x", "order=best"] {
        ada.get(&format!("/api/v1/images?{wrong}")).assert_refused(400, "bad_query");
    }
}

pub fn a_cursor_is_good_for_its_user_and_list_only(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    for _ in 0..3 {
        upload(site, &ada);
        upload(site, &bob);
    }
    let page = ada.get("/api/v1/images?limit=1").expect(200);
    let cursor = page["nextCursor"].as_str().unwrap();
    ada.get(&format!("/api/v1/images?limit=1&cursor={cursor}")).expect(200);
    let misused = [
        (&bob, format!("/api/v1/images?limit=1&cursor={cursor}")),
        (&ada, format!("/api/v1/images?limit=1&order=oldest&cursor={cursor}")),
        (&ada, format!("/api/v1/trash?limit=1&cursor={cursor}")),
        (&ada, format!("/api/v1/images?cursor={}", changed(cursor, cursor.len() / 2))),
        (&ada, format!("/api/v1/images?cursor={}", changed(cursor, 0))),
        (&ada, "/api/v1/images?cursor=nonsense".to_owned()),
    ];
    for (client, path) in misused {
        assert_eq!(client.get(&path).refusal(), (400, "bad_cursor".to_owned()), "{path}");
    }
}

pub fn only_what_is_shared_is_seen_by_others(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let private = ada.keep(&site.file());
    let form = Form { fields: vec![("visibility", "shared")], ..Form::default() };
    let shared = ada.upload_form(&site.file(), &form).expect(201);
    let shared = ada.completed(id_of(&shared));
    let path = |image: &Value| format!("/api/v1/images/{}", id_of(image));
    bob.get(&path(&private)).assert_refused(404, "not_found");
    let seen = bob.get(&path(&shared)).expect(200);
    assert_eq!(seen["originalUrl"], Value::Null);
    assert!(seen["sizes"]["thumb"]["url"].is_string());
    let of_ada = format!("/api/v1/users/{}/images", ada.user_id());
    assert_eq!(walk(&bob, &of_ada), [id_of(&shared)]);
    let feed = walk(&bob, "/api/v1/feed?limit=50");
    assert!(feed.iter().any(|id| id == id_of(&shared)));
    assert!(!feed.iter().any(|id| id == id_of(&private)));

    ada.patch(&path(&shared), &json!({ "visibility": "private" })).expect(200);
    bob.get(&path(&shared)).assert_refused(404, "not_found");
    assert!(walk(&bob, &of_ada).is_empty());
    assert!(!walk(&bob, "/api/v1/feed?limit=50").iter().any(|id| id == id_of(&shared)));
}

pub fn many_images_are_found_by_id_in_order(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let (first, second, foreign) = (upload(site, &ada), upload(site, &ada), upload(site, &bob));
    let ids = json!({ "ids": [second, foreign, first, "01ARZ3NDEKTSV4RRFFQ69G5FAV"] });
    let found = ada.post("/api/v1/images/batch-get", &ids).expect(200);
    assert_eq!(ids_of(&found), [second, first]);
    let bad = json!({ "ids": ["no id"] });
    ada.post("/api/v1/images/batch-get", &bad).assert_refused(422, "invalid_value");
    let many: Vec<_> = (0..101).map(|_| ids_of(&found)[0].clone()).collect();
    let many = json!({ "ids": many });
    ada.post("/api/v1/images/batch-get", &many).assert_refused(422, "invalid_value");
}

pub fn what_a_client_has_is_not_sent_again(site: &Site) {
    let ada = site.user();
    let image = ada.keep(&site.file());
    let path = format!("/api/v1/images/{}", id_of(&image));
    let tag = ada.get(&path).header("etag").to_owned();
    assert!(tag.starts_with('"'), "{tag}");
    let ask = |tag: &str| {
        let request = ada.request("GET", &path).header("if-none-match", tag);
        ada.send(request, Vec::new()).status
    };
    assert_eq!(ask(&tag), 304);
    ada.patch(&path, &json!({ "title": "New" })).expect(200);
    assert_eq!(ask(&tag), 200);
}

pub fn the_service_says_what_it_offers(site: &Site) {
    let offers = site.nobody.get("/api/v1/service").expect(200);
    let sizes: Vec<_> =
        offers["sizes"].as_array().unwrap().iter().map(|size| &size["name"]).collect();
    assert_eq!(sizes, ["thumb", "small", "medium", "large"]);
    let document = site.nobody.get("/api/openapi.json").expect(200);
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(site.nobody.get("/api/docs").status, 200);
    site.nobody.get("/api/v1/nonsense").assert_refused(404, "not_found");
    let put = site.nobody.request("PUT", "/api/v1/images");
    site.nobody.send(put, Vec::new()).assert_refused(405, "method_not_allowed");
}

/// A cursor with another character at one place.
fn changed(cursor: &str, place: usize) -> String {
    let other = if cursor[place..].starts_with('A') { 'B' } else { 'A' };
    format!("{}{other}{}", &cursor[..place], &cursor[place + 1..])
}

fn upload(site: &Site, client: &Client) -> String {
    id_of(&client.upload(&site.file()).expect(201)).to_owned()
}

/// All ids of a list, page by page.
fn walk(client: &Client, path: &str) -> Vec<String> {
    let mut ids = Vec::new();
    let mut next = path.to_owned();
    loop {
        let page = client.get(&next).expect(200);
        ids.extend(ids_of(&page));
        let Some(cursor) = page["nextCursor"].as_str() else { return ids };
        let joint = if path.contains('?') { '&' } else { '?' };
        next = format!("{path}{joint}cursor={cursor}");
    }
}

fn ids_of(page: &Value) -> Vec<String> {
    page["items"].as_array().unwrap().iter().map(|item| id_of(item).to_owned()).collect()
}
