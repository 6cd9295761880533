//! One box for everything: words, keys, minus, suggestions, and what is wrong with a search.

use serde_json::{Value, json};
use testkit::wait::wait_until;

use crate::albums::{album, all_ids, change, expect_ids, join, upload};
use crate::site::Site;
use crate::support::client::Client;
use crate::support::program::DEADLINE;

/// A word that no other case uses.
fn word(start: &str) -> String {
    format!("{start}{:08x}", rand::random::<u32>())
}

fn titled(site: &Site, client: &Client, title: &str) -> String {
    let image = upload(site, client);
    client.completed(&image);
    client.patch(&format!("/api/v1/images/{image}"), &json!({ "title": title })).expect(200);
    image
}

fn share(client: &Client, image: &str, visibility: &str) {
    let edit = json!({ "visibility": visibility });
    client.patch(&format!("/api/v1/images/{image}"), &edit).expect(200);
}

/// The address of a search; texts are written as addresses need them.
fn search(text: &str) -> String {
    format!("/api/v1/search?q={}", encoded(text))
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

pub fn images_are_searched_by_words_and_keys(site: &Site) {
    let ada = site.user();
    let lake = word("lake");
    let (one, two) = (titled(site, &ada, &format!("{lake} one")), titled(site, &ada, &lake));
    let tags = json!({ "public": ["Red  Car"], "private": ["secret"] });
    ada.json("PUT", &format!("/api/v1/images/{one}/tags"), &tags).expect(200);
    let set = album(&ada, "Summer trip");
    change(&ada, &set, &[&two], &[]);
    ada.json("PUT", &format!("/api/v1/images/{two}/favourite"), &Value::Null).expect(204);
    for (text, expected) in [
        (lake.clone(), vec![&two, &one]),
        (lake[..lake.len() - 2].to_owned(), vec![&two, &one]),
        (format!("\"{}\"", &lake[..lake.len() - 2]), vec![]),
        (format!("{lake} -one"), vec![&two]),
        (format!("{lake} tag:\"red car\""), vec![&one]),
        (format!("{lake} secret"), vec![&one]),
        (format!("{lake} album:summer type:bmp"), vec![&two]),
        (format!("{lake} trip"), vec![&two]),
        (format!("{lake} is:favourite owner:me"), vec![&two]),
        (format!("{lake} taken:2024"), vec![]),
    ] {
        let expected: Vec<&str> = expected.into_iter().map(String::as_str).collect();
        expect_ids(&ada, &search(&text), &expected);
    }
    expect_ids(&ada, &format!("{}&order=relevance", search(&lake)), &[&two, &one]);
    let first = ada.get(&format!("{}&limit=1", search(&lake))).expect(200);
    let cursor = first["nextCursor"].as_str().unwrap();
    let other = format!("{}&limit=1&cursor={cursor}", search("other"));
    ada.get(&other).assert_refused(400, "bad_cursor");
    ada.delete(&format!("/api/v1/images/{one}")).expect(204);
    expect_ids(&ada, &search(&lake), &[&two]);
}

pub fn a_search_finds_only_what_its_caller_may_see(site: &Site) {
    let (ada, bob, eve) = (site.user(), site.user(), site.user());
    let sunset = word("sunset");
    let image = titled(site, &ada, &sunset);
    expect_ids(&ada, &search(&sunset), &[&image]);
    expect_ids(&bob, &search(&sunset), &[]);
    share(&ada, &image, "shared");
    expect_ids(&bob, &search(&sunset), &[&image]);
    share(&ada, &image, "private");
    assert_eq!(all_ids(&bob, &search(&sunset)), [""; 0], "at once");
    let set = album(&ada, "Ours");
    change(&ada, &set, &[&image], &[]);
    join(&ada, &set, &bob, "contributor");
    expect_ids(&bob, &search(&sunset), &[&image]);
    let his = titled(site, &bob, &format!("{sunset} too"));
    change(&bob, &set, &[&his], &[]);
    for who in [&ada, &bob] {
        expect_ids(who, &search(&sunset), &[&his, &image]);
        expect_ids(who, &search(&format!("{sunset} album:ours")), &[&his, &image]);
    }
    expect_ids(&eve, &search(&sunset), &[]);
    let told = bob.get(&search(&sunset)).expect(200);
    assert_eq!(told["items"][1]["originalUrl"], Value::Null);
}

pub fn a_search_that_is_not_understood_is_told_where_and_why(site: &Site) {
    let ada = site.user();
    let refused = ada.get(&search("été colour:red"));
    refused.assert_refused(400, "bad_search");
    let error = &refused.json()["error"];
    assert_eq!(
        (&error["details"]["offset"], &error["details"]["found"]),
        (&json!(4), &json!("colour"))
    );
    assert_eq!(error["details"]["allowed"][0], "album");
    assert!(error["message"].as_str().unwrap().starts_with("at character 5: "), "{error}");
    for bad in ["tag:", "\"open", "is:nice", "taken:never", &"x".repeat(501)] {
        ada.get(&search(bad)).assert_refused(400, "bad_search");
    }
    ada.get("/api/v1/search?order=best").assert_refused(400, "bad_query");
}

pub fn searches_are_completed_while_they_are_written(site: &Site) {
    let ada = site.user();
    let (start, image) = (word("tag"), upload(site, &ada));
    let tags = json!({ "public": [format!("{start} one")] });
    ada.json("PUT", &format!("/api/v1/images/{image}/tags"), &tags).expect(200);
    ada.patch(&format!("/api/v1/images/{image}"), &json!({ "title": format!("{start}word") }))
        .expect(200);
    album(&ada, &format!("{start} album"));
    let suggest = |text: &str| {
        let path = format!("/api/v1/search/suggestions?q={}", encoded(text));
        ada.get(&path).expect(200)["items"].as_array().unwrap().clone()
    };
    let of = |text: &str| -> Vec<(String, String)> {
        let text_of = |value: &Value| value.as_str().unwrap().to_owned();
        let pair = |one: &Value| (text_of(&one["kind"]), text_of(&one["query"]));
        suggest(text).iter().map(pair).collect()
    };
    let pair = |kind: &str, query: String| (kind.to_owned(), query);
    let expected = vec![
        pair("tag", format!("x -tag:\"{start} one\" ")),
        pair("album", format!("x -album:\"{start} album\" ")),
        pair("word", format!("x -{start}word ")),
    ];
    let asked = format!("x -{start}");
    assert!(wait_until(DEADLINE, || of(&asked) == expected), "{:?}", of(&asked));
    let tag = &suggest(&asked)[0];
    assert_eq!((&tag["count"], &tag["more"]), (&json!(1), &json!(false)));
    assert_eq!(of("ta")[..2], [pair("key", "tag:".to_owned()), pair("key", "taken:".to_owned())]);
    assert_eq!(of("a is:fav"), [pair("value", "a is:favourite ".to_owned())]);
    assert_eq!(of("type:pn"), [pair("value", "type:png ".to_owned())]);
    assert_eq!(of("person:m"), [pair("value", "person:me ".to_owned())]);
    assert_eq!(of(""), []);
    let asked = format!("tag:\"{start} o");
    assert_eq!(of(&asked), [pair("tag", format!("tag:\"{start} one\" "))]);
}
