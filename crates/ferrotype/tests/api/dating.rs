//! When photos were taken: said with the upload, corrected afterwards, and given back.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use testkit::wait::wait_until;

use crate::site::Site;
use crate::support::client::{Client, Form, id_of};
use crate::support::program::DEADLINE;

const MANY: &str = "/api/v1/images/taken";

pub fn a_date_comes_with_every_way_to_upload(site: &Site) {
    let ada = site.user();
    let (said, file) = ("2024-05-01T10:00:00.000+02:00", "2020-02-02T08:30:00.000-05:00");
    let form = |fields| Form { fields, ..Form::default() };
    let taken = |image: &Value| image["taken"].clone();
    let sent = |fields| ada.upload_form(&site.file(), &form(fields)).expect(201);
    let both = sent(vec![("takenAt", said), ("fileModifiedAt", file)]);
    assert_eq!(taken(&both), json!({ "at": said, "source": "owner" }));
    let from_file = json!({ "at": file, "source": "file" });
    assert_eq!(taken(&sent(vec![("fileModifiedAt", file)])), from_file);
    let day = sent(vec![("takenAt", "1950-06-01")]);
    assert_eq!(taken(&day), json!({ "at": "1950-06-01T00:00:00.000", "source": "owner" }));
    assert_eq!(taken(&sent(vec![])), Value::Null);
    // A clock that is wrong is no reason to refuse a file, and tells nothing.
    for nonsense in ["2238-01-01T00:00:00Z", "1970-01-01T00:00:00Z"] {
        assert_eq!(taken(&sent(vec![("fileModifiedAt", nonsense)])), Value::Null);
    }

    let bytes = site.file();
    let pair = |key: &str, value: &str| format!("{key} {}", STANDARD.encode(value));
    let metadata = format!("{},{}", pair("takenAt", said), pair("fileModifiedAt", file));
    let request = ada
        .request("POST", "/api/v1/uploads")
        .header("tus-resumable", "1.0.0")
        .header("upload-length", bytes.len().to_string())
        .header("upload-metadata", &metadata)
        .header("content-type", "application/offset+octet-stream");
    let in_pieces = ada.send(request, bytes);
    assert_eq!(in_pieces.status, 201);
    let path = format!("/api/v1/images/{}", in_pieces.header("upload-image"));
    assert_eq!(taken(&ada.get(&path).expect(200))["at"], said);

    let bytes = site.file();
    let new = json!({ "sizeBytes": bytes.len(), "fileModifiedAt": file });
    let direct = ada.post("/api/v1/uploads/direct", &new).expect(201);
    let path = format!("/api/v1/images/{}", id_of(&direct));
    assert_eq!(taken(&ada.get(&path).expect(200)), from_file);

    for (field, wrong) in [
        ("takenAt", "yesterday"),
        ("takenAt", "2024-02-30T10:00:00"),
        ("takenAt", "2238-01-01T00:00:00Z"),
        ("fileModifiedAt", "noon"),
    ] {
        let refused = ada.upload_form(&site.file(), &form(vec![(field, wrong)]));
        refused.assert_refused(422, "invalid_value");
        assert_eq!(refused.json()["error"]["details"]["field"], field);
    }
}

pub fn an_owner_says_when_a_photo_was_taken_and_goes_back(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let file = "2020-02-02T08:30:00.000+00:00";
    let form = Form { fields: vec![("fileModifiedAt", file)], ..Form::default() };
    let image = ada.upload_form(&site.file(), &form).expect(201);
    let path = format!("/api/v1/images/{}", id_of(&image));
    let image = ada.completed(id_of(&image));
    let edit = json!({ "takenAt": "2021-03-04T23:30:00+09:00", "visibility": "shared" });
    let edited = ada.patch(&path, &edit).expect(200);
    assert_eq!(edited["taken"]["at"], "2021-03-04T23:30:00.000+09:00");
    let stale = json!({ "takenAt": null, "version": image["version"] });
    ada.patch(&path, &stale).assert_refused(409, "conflict");
    bob.patch(&path, &json!({ "takenAt": null })).assert_refused(404, "not_found");
    expect_months(&ada, &["2021-03"]);
    assert_eq!(found(&ada, "taken:2021-03-04"), [id_of(&image)]);
    // When it was taken is told as little as what the camera wrote.
    assert_eq!(bob.get(&path).expect(200)["taken"], Value::Null);
    assert_eq!(found(&bob, "taken:2021-03-04"), [""; 0]);
    for wrong in [json!("soon"), json!("2238-01-01"), json!(5)] {
        let refused = ada.patch(&path, &json!({ "takenAt": wrong }));
        assert!([400, 422].contains(&refused.status), "{}", refused.json());
    }
    let back = ada.patch(&path, &json!({ "takenAt": null })).expect(200);
    assert_eq!(back["taken"], json!({ "at": file, "source": "file" }));
    expect_months(&ada, &["2020-02"]);
}

pub fn many_dates_are_changed_each_is_told_and_all_are_given_back(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let keep = |fields| {
        let form = Form { fields, ..Form::default() };
        id_of(&ada.upload_form(&site.file(), &form).expect(201)).to_owned()
    };
    let said = keep(vec![("takenAt", "2019-12-31T23:00:00")]);
    let of_file = keep(vec![("fileModifiedAt", "2020-01-01T10:00:00Z")]);
    let unknown = keep(vec![]);
    let theirs = id_of(&bob.upload(&site.file()).expect(201)).to_owned();
    let ids = json!([said, of_file, unknown, theirs]);

    let shifted =
        ada.with_scopes(&["write"]).post(MANY, &json!({ "ids": ids, "shiftSeconds": 7200 }));
    let shifted = shifted.expect(200);
    let ends: Vec<_> = items(&shifted).iter().map(|one| one["outcome"].clone()).collect();
    assert_eq!(ends, ["changed", "changed", "noDate", "notFound"], "{shifted}");
    let dates = |answer: &Value| {
        items(answer)[..2].iter().map(|one| one["taken"]["at"].clone()).collect::<Vec<_>>()
    };
    let moved = ["2020-01-01T01:00:00.000", "2020-01-01T12:00:00.000+00:00"];
    assert_eq!(dates(&shifted), moved);
    let previous: Vec<_> = items(&shifted)[..2].iter().map(|one| one["previous"].clone()).collect();
    assert_eq!(previous, [json!("2019-12-31T23:00:00.000"), Value::Null]);
    expect_months_have(&ada, "2020-01", 2);

    // The clock was right, but showed the time at home.
    let zone = json!({ "ids": [said], "offsetMinutes": 540, "clockOffsetMinutes": 60 });
    let zone = ada.post(MANY, &zone).expect(200);
    assert_eq!(items(&zone)[0]["taken"]["at"], "2020-01-01T09:00:00.000+09:00");
    let fixed = json!({ "ids": [said, of_file], "takenAt": "1999-09-09T09:09:09" });
    let fixed = ada.post(MANY, &fixed).expect(200);
    assert_eq!(dates(&fixed), ["1999-09-09T09:09:09.000"; 2]);

    let undo: Vec<_> = items(&shifted)[..2]
        .iter()
        .map(|one| json!({ "id": one["id"], "takenAt": one["previous"] }))
        .collect();
    let undone = ada.post(MANY, &json!({ "items": undo })).expect(200);
    assert_eq!(dates(&undone), ["2019-12-31T23:00:00.000", "2020-01-01T10:00:00.000+00:00"]);
    assert_eq!(items(&undone)[1]["taken"]["source"], "file");

    let future = json!({ "ids": [said], "shiftSeconds": 40_000_000_000_i64 });
    assert_eq!(items(&ada.post(MANY, &future).expect(200))[0]["outcome"], "impossible");
    for wrong in [
        json!({ "ids": [said] }),
        json!({ "ids": [said], "takenAt": "2020-01-01", "shiftSeconds": 1 }),
        json!({ "ids": [said], "takenAt": "2238-01-01" }),
        json!({ "ids": [said], "clockOffsetMinutes": 60, "shiftSeconds": 1 }),
        json!({ "ids": [said], "offsetMinutes": 5000 }),
        json!({ "ids": [said], "items": [] }),
        json!({ "ids": ["x"], "shiftSeconds": 1 }),
        json!({ "ids": vec![&said; 501], "shiftSeconds": 1 }),
    ] {
        ada.post(MANY, &wrong).assert_refused(422, "invalid_value");
    }
    ada.with_scopes(&["read"])
        .post(MANY, &json!({ "ids": ids, "shiftSeconds": 1 }))
        .assert_refused(403, "scope_missing");
}

pub fn results_stand_by_upload_or_by_when_they_were_taken(site: &Site) {
    let ada = site.user();
    let mut images = Vec::new();
    for year in ["2003", "2001", "2002"] {
        let date = format!("{year}-01-01T00:00:00");
        let fields = vec![("takenAt", date.as_str()), ("title", "Breakwater")];
        let form = Form { fields, ..Form::default() };
        images.push(id_of(&ada.upload_form(&site.file(), &form).expect(201)).to_owned());
    }
    let [third, first, second] = &images[..] else { panic!("three") };
    let by = |order: &str| {
        let page =
            ada.get(&format!("/api/v1/search?q=breakwater&order={order}&limit=2")).expect(200);
        let next = page["nextCursor"].as_str().expect("there is a next page");
        let path = format!("/api/v1/search?q=breakwater&order={order}&limit=2&cursor={next}");
        [ids(&page), ids(&ada.get(&path).expect(200))].concat()
    };
    let is_so = |order: &str, expected: &[&String]| {
        assert!(wait_until(DEADLINE, || by(order).iter().eq(expected.iter().copied())), "{order}");
    };
    is_so("newest", &[second, first, third]);
    is_so("taken", &[third, second, first]);
    ada.get("/api/v1/search?q=breakwater&order=oldest").assert_refused(400, "bad_query");
}

fn items(answer: &Value) -> &[Value] {
    answer["items"].as_array().unwrap()
}

fn ids(page: &Value) -> Vec<String> {
    items(page).iter().map(|image| id_of(image).to_owned()).collect()
}

fn found(searcher: &Client, search: &str) -> Vec<String> {
    ids(&searcher.get(&format!("/api/v1/search?q={search}&limit=100")).expect(200))
}

/// The index of a distant table may lag behind.
fn expect_months(user: &Client, expected: &[&str]) {
    let months = || {
        let answer = user.get("/api/v1/timeline/months?by=taken").expect(200);
        let months = answer["months"].as_array().unwrap().clone();
        months.iter().map(|month| month["month"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(wait_until(DEADLINE, || months() == expected), "{:?}", months());
}

fn expect_months_have(user: &Client, month: &str, count: u64) {
    let there = || {
        let answer = user.get("/api/v1/timeline/months?by=taken").expect(200);
        let months = answer["months"].as_array().unwrap().clone();
        months.iter().any(|one| one["month"] == month && one["count"] == count)
    };
    assert!(wait_until(DEADLINE, there), "{month}");
}
