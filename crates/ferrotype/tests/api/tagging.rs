//! Tags of each author and of everyone, favourites, and images that live elsewhere.

use serde_json::{Value, json};

use crate::albums::{album, change, expect_ids, join, path, upload};
use crate::site::Site;
use crate::support::client::{Client, id_of};

fn shared(site: &Site, client: &Client) -> String {
    let image = upload(site, client);
    let edit = json!({ "visibility": "shared" });
    client.patch(&format!("/api/v1/images/{image}"), &edit).expect(200);
    image
}

fn tag(client: &Client, image: &str, tags: &Value) -> Value {
    client.json("PUT", &format!("/api/v1/images/{image}/tags"), tags).expect(200)
}

/// A word that no other case uses.
fn word(start: &str) -> String {
    format!("{start}{:08x}", rand::random::<u32>())
}

pub fn each_author_has_tags_of_their_own(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let image = shared(site, &ada);
    let hers = json!({ "public": ["  Red   SPORTS car", "Caf\u{e9}"], "private": ["Wish"] });
    let told = tag(&ada, &image, &hers);
    assert_eq!(told["public"], json!(["caf\u{e9}", "red sports car"]));
    assert_eq!(told["private"], json!(["wish"]));
    let info = ada.get(&format!("/api/v1/images/{image}")).expect(200);
    assert_eq!(info["tags"], json!(["caf\u{e9}", "red sports car"]));
    let told = tag(&bob, &image, &json!({ "public": ["caf\u{e9}"] }));
    assert_eq!(told["everyone"], json!({ "caf\u{e9}": 2, "red sports car": 1 }));
    assert_eq!(told["private"], json!([]));
    tag(&ada, &image, &json!({}));
    let told = bob.get(&format!("/api/v1/images/{image}/tags")).expect(200);
    assert_eq!(told["everyone"], json!({ "caf\u{e9}": 1 }));
    tag(&bob, &image, &json!({ "private": ["caf\u{e9}"] }));
    let told = ada.get(&format!("/api/v1/images/{image}/tags")).expect(200);
    assert_eq!(told["everyone"], json!({}), "the last public author has gone");

    let many = |n: usize| -> Value { (0..n).map(|n| n.to_string()).collect() };
    let tags = format!("/api/v1/images/{image}/tags");
    let refused = bob.json("PUT", &tags, &json!({ "public": many(11) }));
    refused.assert_refused(422, "too_many_tags");
    assert_eq!(refused.json()["error"]["details"]["limit"], 10);
    ada.json("PUT", &tags, &json!({ "public": many(20) })).expect(200);
    let long = json!({ "public": ["x".repeat(51)] });
    bob.json("PUT", &tags, &long).assert_refused(422, "tag_too_long");
    let hidden = upload(site, &ada);
    let tags = format!("/api/v1/images/{hidden}/tags");
    bob.get(&tags).assert_refused(404, "not_found");
    bob.json("PUT", &tags, &json!({ "public": ["x"] })).assert_refused(404, "not_found");
}

/// Authors set and take back the same tags all at once. At the end those count whose last word was
/// to set them, and a tag that nobody has left is found by nobody.
pub fn what_everyone_has_is_exact_however_many_tag_at_once(site: &Site) {
    let ada = site.user();
    let image = shared(site, &ada);
    let authors: Vec<Client> = (0..6).map(|_| site.user()).collect();
    let (stays, goes) = (word("stays"), word("goes"));
    std::thread::scope(|scope| {
        for (n, author) in authors.iter().enumerate() {
            let (image, stays, goes) = (&image, &stays, &goes);
            scope.spawn(move || {
                for round in 0..4 {
                    let has_any = (n + round) % 2 == 0;
                    let tags = if has_any { json!({ "public": [stays, goes] }) } else { json!({}) };
                    tag(author, image, &tags);
                }
                let last = if n < 2 { json!({ "public": [stays] }) } else { json!({}) };
                tag(author, image, &last);
            });
        }
    });
    let told = ada.get(&format!("/api/v1/images/{image}/tags")).expect(200);
    assert_eq!(told["everyone"], json!({ stays.as_str(): 2 }));
    let find = |tag: &str| format!("/api/v1/tags/images?by=everyone&tag={tag}");
    expect_ids(&ada, &find(&stays), &[&image]);
    expect_ids(&ada, &find(&goes), &[]);
    for author in &authors[..2] {
        tag(author, &image, &json!({ "private": [stays] }));
    }
    expect_ids(&ada, &find(&stays), &[]);
}

pub fn many_images_are_tagged_with_one_request(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let (one, two, hidden) = (shared(site, &ada), shared(site, &ada), upload(site, &ada));
    let many: Vec<_> = (0..11).map(|n| n.to_string()).collect();
    let asked = json!({ "items": [
        { "image": one, "public": ["first"] },
        { "image": hidden, "public": ["first"] },
        { "image": two, "private": many },
        { "image": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "public": ["first"] },
    ] });
    let told = bob.post("/api/v1/tags/set", &asked).expect(200);
    let told = told["items"].as_array().unwrap();
    let outcomes: Vec<_> = told.iter().map(|one| one["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["set", "notFound", "tooMany", "notFound"]);
    let tags = bob.get(&format!("/api/v1/images/{one}/tags")).expect(200);
    assert_eq!(tags["public"], json!(["first"]));
}

pub fn images_are_found_by_tags_by_those_who_may_see_them(site: &Site) {
    let (ada, bob, eve) = (site.user(), site.user(), site.user());
    let (open, hidden) = (shared(site, &ada), upload(site, &ada));
    let family = album(&ada, "Family");
    change(&ada, &family, &[&hidden], &[]);
    join(&ada, &family, &bob, "viewer");
    let (cat, secret) = (word("cat"), word("secret"));
    tag(&ada, &open, &json!({ "public": [format!("big {cat}")], "private": [secret] }));
    tag(&ada, &hidden, &json!({ "public": [cat, format!("other {cat}")] }));
    let everyone = format!("/api/v1/tags/images?by=everyone&prefix={}", &cat[..9]);
    // Both by an inner word or the whole, and neither twice.
    let both = |client: &Client| {
        let mut found = crate::albums::all_ids(client, &everyone);
        found.sort();
        found
    };
    let mut expected = [open.clone(), hidden.clone()];
    expected.sort();
    let deadline = crate::support::program::DEADLINE;
    for client in [&ada, &bob] {
        assert!(testkit::wait::wait_until(deadline, || both(client) == expected));
    }
    expect_ids(&eve, &everyone, &[&open]);
    expect_ids(&eve, "/api/v1/tags/images?prefix=cat", &[]);
    let exactly = format!("/api/v1/tags/images?by=everyone&tag={cat}");
    expect_ids(&bob, &exactly, &[&hidden]);
    expect_ids(&eve, &exactly, &[]);
    expect_ids(&ada, &format!("/api/v1/tags/images?tag={secret}"), &[&open]);
    expect_ids(&ada, &format!("/api/v1/tags/images?by=everyone&tag={secret}"), &[]);
    // Nor is a tag suggested to those who may not see its image.
    let suggested = |client: &Client, by: &str| {
        let page = client.get(&format!("/api/v1/tags?by={by}&prefix={cat}")).expect(200);
        page["items"].clone()
    };
    assert_eq!(suggested(&ada, "me"), json!([{ "tag": cat, "count": 1, "more": false }]));
    assert_eq!(suggested(&ada, "everyone"), suggested(&ada, "me"));
    assert_eq!((suggested(&eve, "everyone"), suggested(&eve, "me")), (json!([]), json!([])));
    ada.get("/api/v1/tags/images").assert_refused(400, "bad_query");
    ada.get("/api/v1/tags/images?tag=a&prefix=b").assert_refused(400, "bad_query");
    let page = ada.get(&format!("{everyone}&limit=1")).expect(200);
    let cursor = page["nextCursor"].as_str().unwrap();
    let elsewhere = format!("/api/v1/tags/images?by=everyone&prefix=dog&cursor={cursor}");
    ada.get(&elsewhere).assert_refused(400, "bad_cursor");
}

pub fn tags_are_listed_counted_renamed_and_merged(site: &Site) {
    let ada = site.user();
    let (one, two) = (upload(site, &ada), upload(site, &ada));
    tag(&ada, &one, &json!({ "public": ["kitty", "sun"] }));
    tag(&ada, &two, &json!({ "public": ["kitty", "cat"], "private": ["sea"] }));
    let tags = || {
        let first = ada.get("/api/v1/tags?limit=2").expect(200);
        let mut all = first["items"].as_array().unwrap().clone();
        if let Some(cursor) = first["nextCursor"].as_str() {
            let rest = ada.get(&format!("/api/v1/tags?limit=2&cursor={cursor}")).expect(200);
            all.extend(rest["items"].as_array().unwrap().iter().cloned());
        }
        let pair = |one: &Value| format!("{} {}", one["tag"].as_str().unwrap(), one["count"]);
        all.iter().map(pair).collect::<Vec<_>>()
    };
    let deadline = crate::support::program::DEADLINE;
    let expect = |expected: &[&str]| {
        assert!(testkit::wait::wait_until(deadline, || tags() == expected), "{:?}", tags());
    };
    expect(&["cat 1", "kitty 2", "sea 1", "sun 1"]);
    let set = album(&ada, "Set");
    let three = upload(site, &ada);
    change(&ada, &set, &[&two, &three], &[]);
    let status = path(&set, "/tag-status");
    let expected = json!([
        { "image": two, "mine": 3, "everyone": 2 }, { "image": three, "mine": 0, "everyone": 0 },
    ]);
    let told = || ada.get(&status).expect(200)["items"].clone();
    assert!(testkit::wait::wait_until(deadline, || told() == expected), "{}", told());
    let inside = ada.get(&path(&set, "/tags")).expect(200);
    let items = inside["items"].as_array().unwrap();
    let names: Vec<_> = items.iter().map(|one| one["tag"].as_str().unwrap()).collect();
    assert_eq!((names, &inside["complete"]), (vec!["cat", "kitty", "sea"], &json!(true)));

    let rename = json!({ "from": "Kitty", "to": "CAT" });
    let told = ada.post("/api/v1/tags/rename", &rename).expect(200);
    assert_eq!(told, json!({ "changed": 2, "refused": 0, "more": false }));
    expect(&["cat 2", "sea 1", "sun 1"]);
    let info = ada.get(&format!("/api/v1/images/{one}")).expect(200);
    assert_eq!(info["tags"], json!(["cat", "sun"]));
    let bad = json!({ "from": "cat", "to": "" });
    ada.post("/api/v1/tags/rename", &bad).assert_refused(422, "invalid_value");
}

pub fn favourites_are_ones_own_as_long_as_they_can_be_seen(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let (one, two) = (shared(site, &ada), shared(site, &ada));
    let mark = |image: &str| format!("/api/v1/images/{image}/favourite");
    for image in [&one, &two, &one] {
        bob.json("PUT", &mark(image), &Value::Null).expect(204);
    }
    expect_ids(&bob, "/api/v1/favourites", &[&two, &one]);
    expect_ids(&ada, "/api/v1/favourites", &[]);
    let favourite = |client: &Client| {
        client.get(&format!("/api/v1/images/{two}/tags")).expect(200)["favourite"].clone()
    };
    assert_eq!((favourite(&bob), favourite(&ada)), (json!(true), json!(false)));
    let private = json!({ "visibility": "private" });
    ada.patch(&format!("/api/v1/images/{two}"), &private).expect(200);
    expect_ids(&bob, "/api/v1/favourites", &[&one]);
    bob.json("PUT", &mark(&two), &Value::Null).assert_refused(404, "not_found");
    bob.delete(&mark(&one)).expect(204);
    bob.delete(&mark(&one)).expect(204);
    expect_ids(&bob, "/api/v1/favourites", &[]);
}

pub fn an_image_that_lives_elsewhere_is_recorded_once_and_tagged_by_all(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let at = format!("/api/v1/external/telegram/{}", word("AgAD"));
    let left = ada.left();
    let new = json!({
        "fileId": "CAACAg", "setName": "Cats", "title": "Laughing cat", "tags": ["laugh"],
    });
    let sticker = ada.json("PUT", &at, &new).expect(201);
    let expected = json!({
        "source": "telegram", "uniqueId": at.rsplit('/').next().unwrap(),
        "fileId": "CAACAg", "setName": "Cats",
    });
    assert_eq!(sticker["external"], expected);
    assert_eq!(
        (&sticker["status"], &sticker["visibility"]),
        (&json!("completed"), &json!("shared"))
    );
    assert_eq!(ada.left(), left, "it takes nothing from the quota");
    let again = bob.json("PUT", &at, &json!({ "fileId": "other" })).expect(200);
    assert_eq!((id_of(&again), &again["external"]), (id_of(&sticker), &expected));
    let moved = ada.json("PUT", &at, &json!({ "fileId": "new" })).expect(200);
    assert_eq!(
        (&moved["external"]["fileId"], &moved["title"]),
        (&json!("new"), &json!("Laughing cat"))
    );
    assert_eq!(id_of(&bob.get(&at).expect(200)), id_of(&sticker));
    let id = id_of(&sticker);
    let funny = word("funny");
    tag(&bob, id, &json!({ "public": [funny] }));
    expect_ids(&ada, &format!("/api/v1/tags/images?by=everyone&prefix={funny}"), &[id]);
    let private = json!({ "visibility": "private" });
    ada.patch(&format!("/api/v1/images/{id}"), &private).assert_refused(422, "invalid_value");
    bob.patch(&format!("/api/v1/images/{id}"), &private).assert_refused(404, "not_found");
    ada.get("/api/v1/external/telegram/unknown").assert_refused(404, "not_found");
    ada.get("/api/v1/external/Telegram!/x").assert_refused(422, "invalid_value");

    let racers: Vec<Client> = (0..4).map(|_| site.user()).collect();
    let at_once = format!("/api/v1/external/telegram/{}", word("Race"));
    let answers: Vec<_> = std::thread::scope(|scope| {
        let sent = racers.iter().map(|user| scope.spawn(|| user.json("PUT", &at_once, &json!({}))));
        let sent: Vec<_> = sent.collect();
        sent.into_iter().map(|sent| sent.join().unwrap()).collect()
    });
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    let first = answers[0].json();
    assert!(answers.iter().all(|answer| id_of(&answer.json()) == id_of(&first)));

    ada.delete(&format!("/api/v1/images/{id}")).expect(204);
    bob.json("PUT", &at, &json!({})).assert_refused(409, "already_exists");
    bob.get(&at).assert_refused(404, "not_found");
    ada.delete(&format!("/api/v1/images/{id}?permanent=true")).expect(204);
    let deadline = crate::support::program::DEADLINE;
    let anew = || bob.json("PUT", &at, &json!({})).status;
    assert!(testkit::wait::wait_until(deadline, || anew() == 201), "it can be recorded anew");
}
