//! Photos that are kept but cannot be shown: why, how they are found, and trying again.

use serde_json::{Value, json};
use testkit::wait::wait_until;

use crate::site::Site;
use crate::support::client::{Client, Form, id_of};
use crate::support::program::DEADLINE;

pub fn what_could_not_be_shown_says_why_and_is_found(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let fine = ada.keep(&site.file());
    let failed = keep_damaged(&ada);
    assert_eq!(failed["failure"]["code"], "damaged_image", "{failed}");
    assert_eq!(failed["failure"]["message"], failed["error"]);
    assert_eq!(fine["failure"], Value::Null);
    assert!(failed["originalUrl"].is_string(), "its original is there");

    assert_eq!(found(&ada, "is:failed owner:me"), [id_of(&failed)]);
    assert_eq!(found(&ada, "-is:failed owner:me"), [id_of(&fine)]);
    assert_eq!(found(&bob, "is:failed owner:me"), [""; 0]);
    // It can be thrown away as any other.
    ada.delete(&format!("/api/v1/images/{}", id_of(&failed))).expect(204);
    assert_eq!(found(&ada, "is:failed owner:me"), [""; 0]);
}

pub fn its_owner_tries_again_what_could_not_be_shown(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let fine = ada.keep(&site.file());
    let failed = keep_damaged(&ada);
    let path = format!("/api/v1/images/{}", id_of(&failed));
    let retry = format!("{path}/retry");
    bob.post(&retry, &Value::Null).assert_refused(404, "not_found");
    ada.with_scopes(&["read"]).post(&retry, &Value::Null).assert_refused(403, "scope_missing");
    let not_failed = format!("/api/v1/images/{}/retry", id_of(&fine));
    ada.post(&not_failed, &Value::Null).assert_refused(409, "not_failed");

    let again = ada.post(&retry, &Value::Null).expect(200);
    assert_eq!((&again["status"], &again["failure"]), (&json!("processing"), &Value::Null));
    // The file is as damaged as before.
    let failed = failed_again(&ada, &path);
    let many = json!({ "ids": [id_of(&failed), id_of(&fine), "01ARZ3NDEKTSV4RRFFQ69G5FAV"] });
    let answer = ada.with_scopes(&["write"]).post("/api/v1/images/retry", &many).expect(200);
    let outcomes: Vec<_> =
        answer["items"].as_array().unwrap().iter().map(|one| &one["outcome"]).collect();
    assert_eq!(outcomes, ["retried", "notFailed", "notFound"], "{answer}");
    failed_again(&ada, &path);
    let too_many = json!({ "ids": vec![id_of(&fine); 101] });
    ada.post("/api/v1/images/retry", &too_many).assert_refused(422, "invalid_value");
}

pub fn administrators_see_whose_file_was_given_up_and_why(site: &Site) {
    let ada = site.user();
    let failed = keep_damaged(&ada);
    let mut path = "/api/v1/admin/dead-work?limit=100".to_owned();
    let work = loop {
        let page = site.administrator.get(&path).expect(200);
        let items = page["items"].as_array().unwrap();
        if let Some(work) = items.iter().find(|work| work["image"] == failed["id"]) {
            break work.clone();
        }
        let next = page["nextCursor"].as_str().expect("the work is in the list");
        path = format!("/api/v1/admin/dead-work?limit=100&cursor={next}");
    };
    assert_eq!(work["filename"], "broken.png", "{work}");
    assert_eq!(work["failure"]["code"], "damaged_image");
    let me = ada.get("/api/v1/me").expect(200);
    assert_eq!((&work["owner"], &work["ownerName"]), (&me["id"], &me["name"]));
}

/// An image that is one by its header, and nothing behind it.
fn keep_damaged(owner: &Client) -> Value {
    let form = Form { filename: Some("broken.png"), ..Form::default() };
    let kept = owner.upload_form(&damaged(), &form).expect(201);
    failed_again(owner, &format!("/api/v1/images/{}", id_of(&kept)))
}

fn failed_again(owner: &Client, path: &str) -> Value {
    let mut last = Value::Null;
    let failed = wait_until(DEADLINE, || {
        last = owner.get(path).json();
        last["status"] == "failed"
    });
    assert!(failed, "{last}");
    last
}

fn damaged() -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8], data: &[u8]| {
        let mut sum = flate2::Crc::new();
        sum.update(kind);
        sum.update(data);
        file.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        file.extend(kind.iter().chain(data));
        file.extend(sum.sum().to_be_bytes());
    };
    chunk(b"IHDR", &[0, 0, 0, 64, 0, 0, 0, 48, 8, 2, 0, 0, 0]);
    chunk(b"IDAT", b"this is not what zlib writes");
    chunk(b"IEND", b"");
    file
}

fn found(searcher: &Client, search: &str) -> Vec<String> {
    let search = search.replace(' ', "+");
    let found = searcher.get(&format!("/api/v1/search?q={search}&limit=100")).expect(200);
    found["items"].as_array().unwrap().iter().map(|image| id_of(image).to_owned()).collect()
}
