//! Real faces, found by the real models: who is who, what is said about that, and who may know.

use imaging::Raster;
use serde_json::{Value, json};
use testkit::wait::wait_until;

use crate::site::Site;
use crate::support::client::{Client, id_of};
use crate::support::portraits::{beside, collins, darker, file, hopper, mirrored};
use crate::support::program::DEADLINE;

struct Library {
    user: Client,
    hopper: Vec<String>,
    collins: Vec<String>,
    both: Option<String>,
}

/// Two photos of each, and one of both if that is wanted.
fn library(site: &Site, with_both: bool) -> Library {
    let user = site.user();
    let (one, other) = (hopper(), collins());
    let keep = |photo: &Raster| id_of(&user.keep(&file(photo, rand::random()))).to_owned();
    let library = Library {
        hopper: vec![keep(&one), keep(&mirrored(&one))],
        collins: vec![keep(&other), keep(&darker(&other))],
        both: with_both.then(|| keep(&beside(&one, &other))),
        user: user.clone(),
    };
    let count = if with_both { 3 } else { 2 };
    expect_counts(&library.user, &[count, count]);
    library
}

fn persons(user: &Client) -> Vec<Value> {
    let page = user.get("/api/v1/persons?order=count&limit=100").expect(200);
    page["items"].as_array().unwrap().clone()
}

/// Waits until there are persons in so many images.
#[track_caller]
fn expect_counts(user: &Client, expected: &[u64]) {
    let mut last = Vec::new();
    let done = wait_until(DEADLINE, || {
        std::thread::sleep(std::time::Duration::from_millis(100));
        last = persons(user);
        let counts: Vec<u64> =
            last.iter().map(|person| person["count"].as_u64().unwrap()).collect();
        counts == expected
    });
    assert!(done, "{last:#?}, not {expected:?}");
}

/// The faces of an image, from left to right.
fn faces(user: &Client, image: &str) -> Vec<Value> {
    let answer = user.get(&format!("/api/v1/images/{image}/persons")).expect(200);
    assert_eq!(answer["looked"], true);
    answer["items"].as_array().unwrap().clone()
}

fn person_in(user: &Client, image: &str) -> String {
    let faces = faces(user, image);
    assert_eq!(faces.len(), 1, "{faces:#?}");
    faces[0]["person"]["id"].as_str().unwrap().to_owned()
}

fn rename(user: &Client, person: &str, name: &str) -> Value {
    user.patch(&format!("/api/v1/persons/{person}"), &json!({ "name": name })).expect(200)
}

fn undo(user: &Client, edit: &Value) {
    let undone = user.post(&format!("/api/v1/persons/edits/{}/undo", id_of(edit)), &Value::Null);
    assert!(undone.expect(200)["undoneAt"].is_string());
}

fn found(user: &Client, text: &str) -> usize {
    let text: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let page = user.get(&format!("/api/v1/search?q={text}")).expect(200);
    page["items"].as_array().unwrap().len()
}

pub fn faces_become_persons_who_are_named_found_and_shown(site: &Site) {
    let service = site.nobody.get("/api/v1/service").expect(200);
    assert_eq!(service["people"]["state"], "on", "{service}");
    let Library { user, hopper, collins, both } = library(site, true);
    let both = both.unwrap();
    let (grace, eileen) = (person_in(&user, &hopper[0]), person_in(&user, &collins[0]));
    assert_ne!(grace, eileen);
    assert_eq!(person_in(&user, &hopper[1]), grace);
    assert_eq!(person_in(&user, &collins[1]), eileen);
    let two = faces(&user, &both);
    let ids: Vec<_> = two.iter().map(|face| face["person"]["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [&grace, &eileen]);
    assert!(two[0]["box"]["left"].as_f64().unwrap() < 0.5);
    assert!(two[1]["box"]["left"].as_f64().unwrap() > 0.4);

    let named = rename(&user, &grace, "Grace Hopper");
    assert_eq!((named["name"].as_str(), named["count"].as_u64()), (Some("Grace Hopper"), Some(3)));
    assert_eq!(found(&user, "person:grace"), 3);
    assert_eq!(found(&user, "person:eileen"), 0);
    let listed = user.get("/api/v1/persons?q=hop").expect(200);
    assert_eq!(id_of(&listed["items"][0]), grace);
    assert_eq!(faces(&user, &both)[0]["person"]["name"], "Grace Hopper");
    let images = user.get(&format!("/api/v1/persons/{grace}/images")).expect(200);
    assert_eq!(images["items"].as_array().unwrap().len(), 3);
    let of_person = user.get(&format!("/api/v1/persons/{grace}/faces")).expect(200);
    assert_eq!(of_person["items"].as_array().unwrap().len(), 3);

    let picture = user.get(&format!("/api/v1/persons/{grace}/picture"));
    assert_eq!(picture.status, 302);
    let portrait = site.nobody.get(picture.header("location"));
    assert_eq!((portrait.status, portrait.header("content-type")), (200, "image/webp"));
    assert!(portrait.body.len() > 500);

    // Who comes too late is told.
    let late = json!({ "version": 1, "name": "Somebody" });
    let path = format!("/api/v1/persons/{grace}");
    user.patch(&path, &late).assert_refused(409, "conflict");
    user.patch(&path, &json!({ "name": "x".repeat(256) })).assert_refused(422, "name_too_long");
    let face = id_of(&of_person["items"][2]);
    let chosen = user.patch(&path, &json!({ "cover": face })).expect(200);
    assert_eq!(
        (chosen["cover"]["face"].as_str(), &chosen["cover"]["chosen"]),
        (Some(face), &json!(true))
    );
    user.patch(&path, &json!({ "cover": "01ARZ3NDEKTSV4RRFFQ69G5FAV" }))
        .assert_refused(422, "invalid_value");
    user.patch(&path, &json!({ "hidden": true })).expect(200);
    assert_eq!(persons(&user).len(), 1);
    let hidden = user.get("/api/v1/persons?hidden=true").expect(200);
    assert_eq!(id_of(&hidden["items"][0]), grace);
    let edits = user.get("/api/v1/persons/edits").expect(200);
    let kinds: Vec<_> =
        edits["items"].as_array().unwrap().iter().map(|edit| edit["kind"].clone()).collect();
    assert_eq!(kinds, ["hide", "cover", "rename"]);
    undo(&user, &edits["items"][0]);
    undo(&user, &edits["items"][2]);
    assert_eq!(persons(&user).len(), 2);
    assert_eq!(user.get(&path).expect(200)["name"], Value::Null);
}

pub fn persons_are_merged_and_deleted_and_both_is_undone(site: &Site) {
    let Library { user, hopper, collins, .. } = library(site, false);
    let (grace, eileen) = (person_in(&user, &hopper[0]), person_in(&user, &collins[0]));
    rename(&user, &grace, "Grace");
    let path = format!("/api/v1/persons/{grace}/merge");
    let merged = user.post(&path, &json!({ "with": [eileen] })).expect(200);
    assert_eq!(merged["person"]["count"], 4);
    user.get(&format!("/api/v1/persons/{eileen}")).assert_refused(404, "not_found");
    user.post(&path, &json!({ "with": [eileen] })).assert_refused(404, "not_found");
    user.post(&path, &json!({ "with": [grace] })).assert_refused(422, "invalid_value");
    expect_counts(&user, &[4]);
    let third = id_of(
        &user
            .keep(&file(&mirrored(&darker(&crate::support::portraits::collins())), rand::random())),
    )
    .to_owned();
    expect_counts(&user, &[5]);
    assert_eq!(person_in(&user, &third), grace);
    undo(&user, &merged["edits"][0]);
    // Also what came since, once it is grouped again.
    assert!(wait_until(DEADLINE, || person_in(&user, &third) == eileen));
    expect_counts(&user, &[3, 2]);

    user.delete(&format!("/api/v1/persons/{grace}")).expect(204);
    user.get(&format!("/api/v1/persons/{grace}")).assert_refused(404, "not_found");
    assert!(faces(&user, &hopper[0]).is_empty());
    expect_counts(&user, &[3]);
    let edits = user.get("/api/v1/persons/edits?limit=1").expect(200);
    assert_eq!(edits["items"][0]["kind"], "delete");
    undo(&user, &edits["items"][0]);
    expect_counts(&user, &[3, 2]);
    assert_eq!(user.get(&format!("/api/v1/persons/{grace}")).expect(200)["name"], "Grace");
}

pub fn faces_are_given_and_taken_away_by_hand(site: &Site) {
    let Library { user, hopper, collins, both } = library(site, true);
    let both = both.unwrap();
    let (grace, eileen) = (person_in(&user, &hopper[0]), person_in(&user, &collins[0]));
    let merge = format!("/api/v1/persons/{grace}/merge");
    user.post(&merge, &json!({ "with": [eileen] })).assert_refused(409, "same_photo");
    let face = faces(&user, &hopper[1])[0].clone();
    let reject = format!("/api/v1/faces/{}/reject", id_of(&face));
    let rejected = user.post(&reject, &json!({ "image": hopper[1] })).expect(200);
    let is_somebody_else = wait_until(DEADLINE, || {
        let now = &faces(&user, &hopper[1])[0];
        now["person"]["id"].is_string() && now["person"]["id"] != grace.as_str()
    });
    assert!(is_somebody_else, "{:?}", faces(&user, &hopper[1]));
    undo(&user, &rejected["edits"][0]);
    expect_counts(&user, &[3, 3]);

    let assign = format!("/api/v1/faces/{}/assign", id_of(&face));
    let body = json!({ "image": hopper[1], "name": "Her twin" });
    let given = user.post(&assign, &body).expect(200);
    let twin = id_of(&given["person"]).to_owned();
    expect_counts(&user, &[3, 2, 1]);
    assert_eq!(faces(&user, &hopper[1])[0]["confirmed"], true);
    let body = json!({ "image": hopper[1], "person": grace });
    user.post(&assign, &body).expect(200);
    expect_counts(&user, &[3, 3, 0]);
    user.get(&format!("/api/v1/persons/{twin}")).expect(200);
    let two = faces(&user, &both);
    let taken = format!("/api/v1/faces/{}/assign", id_of(&two[1]));
    let body = json!({ "image": both, "person": grace });
    user.post(&taken, &body).assert_refused(409, "same_photo");
    user.post(&taken, &json!({ "image": both })).assert_refused(422, "invalid_value");

    let split = format!("/api/v1/persons/{eileen}/split");
    let face = faces(&user, &collins[1])[0].clone();
    let new = user.post(&split, &json!({ "faces": [id_of(&face)] })).expect(201);
    expect_counts(&user, &[3, 2, 1, 0]);
    undo(&user, &new["edits"][0]);
    expect_counts(&user, &[3, 3, 0]);
    user.post(&split, &json!({ "faces": [] })).assert_refused(422, "invalid_value");
    let pair = json!({ "persons": [grace, eileen], "same": false });
    user.post("/api/v1/persons/suggestions", &pair).expect(200);
    let suggested = user.get("/api/v1/persons/suggestions").expect(200);
    assert!(suggested["items"].is_array());
}

pub fn nobody_learns_of_persons_but_by_photos_they_may_see(site: &Site) {
    let Library { user, hopper, .. } = library(site, true);
    let other = site.user();
    let grace = person_in(&user, &hopper[0]);
    let path = format!("/api/v1/persons/{grace}");
    let paths = [path.clone(), format!("{path}/images"), format!("{path}/picture")];
    rename(&user, &grace, "Grace");
    for path in &paths {
        other.get(path).assert_refused(404, "not_found");
        site.administrator.get(path).assert_refused(404, "not_found");
    }
    let album = user.post("/api/v1/albums", &json!({ "title": "Navy" })).expect(201);
    let album = format!("/api/v1/albums/{}", id_of(&album));
    user.post(&format!("{album}/images"), &json!({ "add": [hopper[0]] })).expect(200);
    let member = format!("{album}/members/{}", other.user_id());
    user.json("PUT", &member, &json!({ "role": "viewer" })).expect(200);

    let seen = other.get(&path).expect(200);
    assert_eq!((seen["count"].as_u64(), seen["isOwner"].as_bool()), (Some(1), Some(false)));
    assert_eq!(seen["cover"]["image"], hopper[0].as_str());
    let images = other.get(&format!("{path}/images")).expect(200);
    assert_eq!(images["items"].as_array().unwrap().len(), 1);
    assert_eq!(other.get(&format!("{path}/picture")).status, 302);
    assert_eq!(faces(&other, &hopper[0])[0]["person"]["name"], "Grace");
    assert_eq!(other.get("/api/v1/persons").expect(200)["items"], json!([]));
    other.get(&format!("{path}/faces")).assert_refused(404, "not_found");
    other.patch(&path, &json!({ "name": "Eve" })).assert_refused(404, "not_found");
    other.delete(&path).assert_refused(404, "not_found");
    let face = id_of(&faces(&user, &hopper[0])[0]).to_owned();
    let reject = json!({ "image": hopper[0] });
    other.post(&format!("/api/v1/faces/{face}/reject"), &reject).assert_refused(404, "not_found");
    let edits = user.get("/api/v1/persons/edits").expect(200);
    let undo = format!("/api/v1/persons/edits/{}/undo", id_of(&edits["items"][0]));
    other.post(&undo, &Value::Null).assert_refused(404, "not_found");

    // Who is said to be somebody finds the photos with them that they may see.
    user.patch(&path, &json!({ "user": other.user_id() })).expect(200);
    let found = wait_until(DEADLINE, || {
        let me = other.get("/api/v1/me/persons").expect(200);
        me["items"].as_array().unwrap().len() == 1
    });
    assert!(found);
    let photos = other.get("/api/v1/me/photos-with-me").expect(200);
    assert_eq!(photos["items"].as_array().unwrap().len(), 1);
    user.delete(&member).expect(204);
    other.get(&path).assert_refused(404, "not_found");
    let photos = other.get("/api/v1/me/photos-with-me").expect(200);
    assert_eq!(photos["items"], json!([]));
}

pub fn who_does_not_want_to_be_recognised_is_forgotten(site: &Site) {
    let Library { user, hopper, .. } = library(site, false);
    let picture = json!({ "picture": hopper[0] });
    user.patch("/api/v1/me", &picture).expect(200);
    let grace = person_in(&user, &hopper[0]);
    let known =
        wait_until(DEADLINE, || user.get("/api/v1/me").expect(200)["person"] == grace.as_str());
    assert!(known);
    let photos = user.get("/api/v1/me/photos-with-me").expect(200);
    assert_eq!(photos["items"].as_array().unwrap().len(), 2);
    let me = user.patch("/api/v1/me", &json!({ "people": false })).expect(200);
    assert_eq!(me["people"], false);
    expect_counts(&user, &[]);
    let answer = user.get(&format!("/api/v1/images/{}/persons", hopper[0])).expect(200);
    assert_eq!(answer, json!({ "items": [], "looked": false }));
    user.patch("/api/v1/me", &json!({ "people": true })).expect(200);
    expect_counts(&user, &[2, 2]);
}
