//! Changing what is said about an image.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::site::Site;
use crate::support::client::{Form, id_of};

pub fn an_edit_changes_what_it_names_and_nothing_else(site: &Site) {
    let ada = site.user();
    let form = Form { fields: vec![("title", "Old"), ("tags", "a")], ..Form::default() };
    let image = ada.upload_form(&site.file(), &form).expect(201);
    let image = ada.completed(id_of(&image));
    let path = format!("/api/v1/images/{}", id_of(&image));
    let edit = json!({ "description": "New", "tags": ["b", "c"] });
    let edited = ada.patch(&path, &edit);
    let version = edited.expect(200)["version"].clone();
    assert_ne!(version, image["version"]);
    let edited = ada.get(&path).expect(200);
    let told = (&edited["title"], &edited["description"], &edited["tags"]);
    assert_eq!(told, (&json!("Old"), &json!("New"), &json!(["b", "c"])));
    let cleared = ada.patch(&path, &json!({ "title": null, "tags": [] })).expect(200);
    assert_eq!((&cleared["title"], &cleared["tags"]), (&Value::Null, &json!([])));
    assert_eq!(cleared["description"], "New");
    assert_eq!(cleared["sizes"], ada.get(&path).expect(200)["sizes"]);
}

pub fn of_two_who_edit_the_same_version_one_wins(site: &Site) {
    let ada = site.user();
    let image = ada.keep(&site.file());
    let path = format!("/api/v1/images/{}", id_of(&image));
    let tag = ada.get(&path).header("etag").to_owned();
    let version = image["version"].clone();
    let edit = |title: &str| json!({ "title": title, "version": version });
    let answers: Vec<_> = std::thread::scope(|scope| {
        let sent: Vec<_> = (0..8)
            .map(|n| {
                let (ada, path, edit) = (&ada, &path, edit(&n.to_string()));
                scope.spawn(move || ada.patch(path, &edit))
            })
            .collect();
        sent.into_iter().map(|sent| sent.join().unwrap()).collect()
    });
    let won: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert_eq!(won.len(), 1);
    let current = won[0].json();
    for lost in answers.iter().filter(|answer| answer.status != 200) {
        lost.assert_refused(409, "conflict");
        assert_eq!(lost.json()["error"]["details"]["currentVersion"], current["version"]);
    }
    assert_eq!(ada.get(&path).expect(200)["title"], current["title"]);

    let request = ada.request("PATCH", &path).header("if-match", &tag);
    let request = request.header("content-type", "application/json");
    let late = ada.send(request, br#"{"title":"late"}"#.to_vec());
    late.assert_refused(412, "precondition_failed");
    let gone = ada.send(ada.request("DELETE", &path).header("if-match", &tag), Vec::new());
    gone.assert_refused(412, "precondition_failed");
}

pub fn a_bad_edit_changes_nothing(site: &Site) {
    let ada = site.user();
    let image = ada.keep(&site.file());
    let path = format!("/api/v1/images/{}", id_of(&image));
    let many: Vec<_> = (0..21).map(|n| n.to_string()).collect();
    let bad = [
        (json!({ "title": "x".repeat(256) }), 422, "title_too_long"),
        (json!({ "title": "ok", "tags": many }), 422, "too_many_tags"),
        (json!({ "title": "ok", "visibility": "maybe" }), 400, "bad_json"),
        (json!({ "title": 7 }), 400, "bad_json"),
        (json!({ "owner": "me" }), 400, "bad_json"),
        (json!([]), 400, "bad_json"),
    ];
    for (edit, status, code) in bad {
        let refused = ada.patch(&path, &edit);
        assert_eq!(refused.refusal(), (status, code.to_owned()), "{edit}");
    }
    let request = ada.request("PATCH", &path).header("content-type", "application/json");
    ada.send(request, b"{".to_vec()).assert_refused(400, "bad_json");
    let request = ada.request("PATCH", &path).header("content-type", "text/plain");
    ada.send(request, b"{}".to_vec()).assert_refused(415, "unsupported_media_type");
    assert_eq!(ada.get(&path).expect(200)["version"], image["version"]);
}

/// However often something is asked for, and whatever the server keeps in between.
pub fn whoever_looks_sees_the_last_change(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let image = ada.keep(&site.file());
    let path = format!("/api/v1/images/{}", id_of(&image));
    let own = |title: &Value| {
        for _ in 0..2 {
            let seen = ada.get(&path).expect(200);
            assert_eq!(&seen["title"], title);
            let listed = ada.get("/api/v1/images").expect(200);
            assert_eq!(listed["items"], json!([seen]));
        }
    };
    for n in 0..5 {
        let title = json!(n.to_string());
        ada.patch(&path, &json!({ "title": title })).expect(200);
        own(&title);
        bob.get(&path).assert_refused(404, "not_found");
        ada.patch(&path, &json!({ "visibility": "shared" })).expect(200);
        for _ in 0..2 {
            let seen = bob.get(&path).expect(200);
            assert_eq!((&seen["title"], &seen["originalUrl"]), (&title, &Value::Null));
        }
        own(&title);
        match n % 2 {
            0 => drop(ada.patch(&path, &json!({ "visibility": "private" })).expect(200)),
            _ => {
                assert_eq!(ada.delete(&path).status, 204);
                bob.get(&path).assert_refused(404, "not_found");
                for _ in 0..2 {
                    assert_eq!(ada.get("/api/v1/images").expect(200)["items"], json!([]));
                }
                ada.post(&format!("{path}/restore"), &json!({})).expect(200);
                ada.patch(&path, &json!({ "visibility": "private" })).expect(200);
            }
        }
    }
}

pub fn what_was_answered_is_never_unseen_again(site: &Site) {
    const EDITS: u64 = 40;
    let ada = site.user();
    let image = ada.keep(&site.file());
    let path = format!("/api/v1/images/{}", id_of(&image));
    let answered = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut newest = 0;
                while newest < EDITS {
                    let known = answered.load(Ordering::SeqCst);
                    let seen = ada.get(&path).expect(200);
                    let number = seen["title"].as_str().and_then(|title| title.parse().ok());
                    let number = number.unwrap_or(0);
                    assert!(number >= known && number >= newest, "{number}, {known}, {newest}");
                    newest = number;
                }
            });
        }
        for number in 1..=EDITS {
            ada.patch(&path, &json!({ "title": number.to_string() })).expect(200);
            answered.store(number, Ordering::SeqCst);
        }
    });
}
