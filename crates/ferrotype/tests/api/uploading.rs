//! Taking photos in, in one request or straight to storage.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::site::Site;
use crate::support::client::{Answer, Client, Form, id_of};

pub fn what_is_said_about_a_photo_is_kept_with_it(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let form = Form {
        fields: vec![
            ("title", "Evening"),
            ("description", "At the sea"),
            ("altText", "A red sun above water"),
            ("tags", "sun, sea"),
            ("visibility", "shared"),
        ],
        filename: Some("sunset over the sea.bmp"),
        ..Form::default()
    };
    let uploaded = ada.upload_form(&file, &form);
    let image = uploaded.expect(201);
    assert_eq!(uploaded.header("upload-outcome"), "created");
    assert_eq!(uploaded.header("location"), format!("/api/v1/images/{}", id_of(&image)));
    let image = ada.completed(id_of(&image));
    let told = ["title", "description", "altText", "filename", "visibility", "mimeType"];
    let told = told.map(|name| image[name].as_str().unwrap_or_default());
    let expected = [
        "Evening",
        "At the sea",
        "A red sun above water",
        "sunset over the sea.bmp",
        "shared",
        // By its bytes, whatever it is called.
        "image/bmp",
    ];
    assert_eq!(told, expected, "{image}");
    assert_eq!(image["tags"], json!(["sea", "sun"]));
    assert_eq!((&image["width"], &image["height"]), (&json!(320), &json!(200)));
    assert_eq!(image["sizeBytes"], json!(file.len()));
    assert_eq!(image["sha256"], hex(&file));
    assert_eq!(image["sizes"].as_object().unwrap().len(), 4);
}

pub fn a_repeated_request_is_answered_by_the_same_image(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let form = Form { headers: vec![("idempotency-key", "first try")], ..Form::default() };
    let first = ada.upload_form(&file, &form).expect(201);
    let left = ada.left();
    let again = ada.upload_form(&file, &form);
    assert_eq!(id_of(&again.expect(200)), id_of(&first));
    assert_eq!(again.header("upload-outcome"), "repeated");
    assert_eq!(ada.left(), left);
    // Somebody else's key is another key.
    let bob = site.user();
    let other = bob.upload_form(&file, &form).expect(201);
    assert_ne!(id_of(&other), id_of(&first));
}

pub fn a_file_that_the_owner_has_is_not_kept_twice_unless_wanted(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let first = ada.upload(&file).expect(201);
    let left = ada.left();
    let again = ada.upload(&file);
    assert_eq!(id_of(&again.expect(200)), id_of(&first));
    assert_eq!(again.header("upload-outcome"), "duplicate");
    assert_eq!(ada.left(), left);
    let wanted = Form { fields: vec![("keepDuplicate", "true")], ..Form::default() };
    let second = ada.upload_form(&file, &wanted).expect(201);
    assert_ne!(id_of(&second), id_of(&first));
    assert_eq!(ada.left().0, left.0 - 1);
}

pub fn hundreds_of_files_are_asked_about_with_one_request(site: &Site) {
    let (ada, file, other) = (site.user(), site.file(), site.file());
    let first = ada.upload(&file).expect(201);
    let trashed = ada.upload(&other).expect(201);
    ada.delete(&format!("/api/v1/images/{}", id_of(&trashed))).expect(204);
    let mut sums: Vec<String> = (0..497).map(|n| format!("{n:064x}")).collect();
    sums.extend([hex(&file), hex(&other), hex(&file).to_uppercase()]);
    let ask = |client: &Client| client.post("/api/v1/images/exists", &json!({ "sha256": sums }));

    let told = ask(&ada).expect(200);
    let items = told["items"].as_array().unwrap();
    assert_eq!(items.len(), 500);
    assert_eq!(items[0], json!({ "sha256": sums[0], "exists": false, "trashed": false }));
    let (id, sum) = (id_of(&first), hex(&file));
    let there = json!({ "sha256": sum, "exists": true, "image": id, "trashed": false });
    assert_eq!((&items[497], &items[499]), (&there, &there));
    let (id, sum) = (id_of(&trashed), hex(&other));
    let there = json!({ "sha256": sum, "exists": true, "image": id, "trashed": true });
    assert_eq!(items[498], there);
    // Of what others have, nobody learns.
    let told = ask(&site.user()).expect(200);
    assert!(told["items"].as_array().unwrap().iter().all(|item| item["exists"] == false));
    // Whoever may send may ask, and so may whoever may read.
    for scope in ["read", "write"] {
        ask(&ada.with_scopes(&[scope])).expect(200);
    }
    ask(&ada.with_scopes(&["delete"])).assert_refused(403, "scope_missing");
    let ask = |sums: Value| ada.post("/api/v1/images/exists", &json!({ "sha256": sums }));
    ask(json!(vec!["0".repeat(64); 501])).assert_refused(422, "invalid_value");
    ask(json!(["x"])).assert_refused(422, "invalid_value");
}

pub fn the_quota_of_images_is_exact_under_concurrency(site: &Site) {
    let ada = site.user();
    set_quota(site, &ada, 3, 1 << 30);
    let files: Vec<_> = (0..12).map(|_| site.file()).collect();
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let sent = files.iter().map(|file| scope.spawn(|| ada.upload(file)));
        let sent: Vec<_> = sent.collect();
        sent.into_iter().map(|sent| sent.join().unwrap()).collect()
    });
    let (kept, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|sent| sent.status == 201);
    assert_eq!((kept.len(), refused.len()), (3, 9));
    for answer in refused {
        answer.assert_refused(403, "quota_images");
    }
    assert_eq!(ada.left().0, 0);
    let listed = ada.get("/api/v1/images").expect(200);
    assert_eq!(listed["items"].as_array().unwrap().len(), 3);
}

pub fn the_quota_of_bytes_is_taken_and_given_back(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let size = i64::try_from(file.len()).unwrap();
    set_quota(site, &ada, 10, size + 5);
    let first = ada.upload(&file).expect(201);
    assert_eq!(ada.left(), (9, 5));
    ada.upload(&site.file()).assert_refused(403, "quota_bytes");
    assert_eq!(ada.left(), (9, 5));
    ada.delete(&format!("/api/v1/images/{}?permanent=true", id_of(&first))).expect(204);
    ada.wait_for(&format!("/api/v1/images/{}", id_of(&first)), 404);
    let given_back = testkit::wait::wait_until(crate::support::program::DEADLINE, || {
        ada.left() == (10, size + 5)
    });
    assert!(given_back, "{:?}", ada.left());
}

pub fn what_cannot_be_is_refused_by_its_own_code(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let left = ada.left();
    let long = "x".repeat(5001);
    let title = &long[..256];
    let many: Vec<_> = (0..21).map(|n| format!("tag{n}")).collect();
    let many = many.join(",");
    let other = "0".repeat(64);
    let expected: &[(&str, &str, u16, &str)] = &[
        ("title", title, 422, "title_too_long"),
        ("altText", title, 422, "alt_text_too_long"),
        ("description", &long, 422, "description_too_long"),
        ("tags", &long[..51], 422, "tag_too_long"),
        ("tags", &many, 422, "too_many_tags"),
        ("visibility", "everybody", 422, "invalid_value"),
        ("sizeBytes", "many", 422, "invalid_value"),
        ("sizeBytes", "7", 400, "bytes_differ"),
        ("sizeBytes", "99999999999", 413, "file_too_large"),
        ("sha256", "zz", 422, "invalid_value"),
        ("sha256", &other, 400, "bytes_differ"),
        ("expiresAt", "yesterday", 422, "invalid_value"),
        ("expiresAt", "2001-01-01T00:00:00Z", 422, "invalid_value"),
        ("keepDuplicate", "maybe", 422, "invalid_value"),
        ("colour", "red", 400, "bad_request"),
    ];
    for (name, value, status, code) in expected {
        let form = Form { fields: vec![(name, value)], ..Form::default() };
        let refused = ada.upload_form(&file, &form);
        assert_eq!(refused.refusal(), (*status, (*code).to_owned()), "{name}={value}");
    }
    let named = Form { filename: Some(title), ..Form::default() };
    ada.upload_form(&file, &named).assert_refused(422, "filename_too_long");
    let request = ada.request("POST", "/api/v1/images").header("content-type", "image/jpeg");
    ada.send(request, file).assert_refused(415, "unsupported_media_type");
    assert_eq!(ada.left(), left);
    let listed = ada.get("/api/v1/images").expect(200);
    assert_eq!(listed["items"], json!([]));
}

pub fn bytes_that_are_no_image_leave_nothing(site: &Site) {
    let ada = site.user();
    let left = ada.left();
    ada.upload(b"<html>plain text, however long it may be, is no picture</html>")
        .assert_refused(415, "unsupported_image");
    let file = site.file();
    let shown = Form { fields: vec![("onlyShown", "true")], ..Form::default() };
    ada.upload_form(&file[..20], &shown).assert_refused(422, "truncated_image");
    assert_eq!(ada.left(), left);
}

pub fn an_image_that_cannot_be_shown_is_kept_with_the_reason(site: &Site) {
    let ada = site.user();
    let file = site.file();
    let cut = &file[..20];
    let image = ada.upload(cut).expect(201);
    let id = id_of(&image);
    assert_eq!((&image["status"], &image["mimeType"]), (&json!("processing"), &json!("image/bmp")));
    let image = ada.failed(id);
    assert!(image["error"].as_str().unwrap().contains("cut off"), "{image}");
    assert_eq!(ada.get(image["originalUrl"].as_str().unwrap()).body, cut);
    let maybe = Form { fields: vec![("onlyShown", "maybe")], ..Form::default() };
    ada.upload_form(cut, &maybe).assert_refused(422, "invalid_value");
}

pub fn what_is_shown_of_an_image_is_said(site: &Site) {
    let ada = site.user();
    let file = site.file();
    let image = ada.upload(&file).expect(201);
    assert_eq!(ada.completed(id_of(&image)).get("shown"), None, "all of it");
    let image = ada.upload(&file[..file.len() - 40]).expect(201);
    assert_eq!(ada.completed(id_of(&image))["shown"], "incomplete");
}

pub fn a_file_goes_straight_to_storage_by_a_signed_address(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let (images, bytes) = ada.left();
    let upload = begin_direct(&ada, &json!({ "filename": "a.bmp", "sizeBytes": file.len() }));
    let size = i64::try_from(file.len()).unwrap();
    assert_eq!(ada.left(), (images - 1, bytes - size), "taken at once");
    let complete = upload["completeUrl"].as_str().unwrap();
    ada.post(complete, &Value::Null).assert_refused(409, "bytes_missing");
    put(site, &upload, &file).expect_success();
    let image = ada.post(complete, &Value::Null).expect(201);
    assert_eq!(id_of(&image), id_of(&upload));
    assert_eq!(id_of(&ada.post(complete, &Value::Null).expect(200)), id_of(&image));
    let image = ada.completed(id_of(&image));
    assert_eq!(image["sha256"], hex(&file));
    assert_eq!(ada.get(image["originalUrl"].as_str().unwrap()).body, file);
}

pub fn an_address_of_storage_is_good_for_one_upload_only(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let one = begin_direct(&ada, &json!({ "sizeBytes": file.len() }));
    let other = begin_direct(&ada, &json!({ "sizeBytes": file.len() }));
    let mut forged = one.clone();
    let url = one["url"].as_str().unwrap().replace(id_of(&one), id_of(&other));
    assert_ne!(url, one["url"].as_str().unwrap());
    forged["url"] = url.into();
    assert_eq!(put(site, &forged, &file).status, 403);
    let complete = other["completeUrl"].as_str().unwrap();
    ada.post(complete, &Value::Null).assert_refused(409, "bytes_missing");
    // What is not as announced is not kept.
    put(site, &other, &file[..100]);
    let refused = ada.post(complete, &Value::Null);
    assert!((400..500).contains(&refused.status), "{refused:?}");
    refused.refusal();
}

fn begin_direct(client: &Client, new: &Value) -> Value {
    client.post("/api/v1/uploads/direct", new).expect(201)
}

/// Sends a file as the answer says.
fn put(site: &Site, upload: &Value, file: &[u8]) -> Answer {
    let url = upload["url"].as_str().unwrap();
    let mut request = site.nobody.request(upload["method"].as_str().unwrap(), url);
    for (name, value) in upload["headers"].as_object().unwrap() {
        request = request.header(name, value.as_str().unwrap());
    }
    site.nobody.send(request, file.to_vec())
}

impl Answer {
    #[track_caller]
    fn expect_success(&self) {
        let text = String::from_utf8_lossy(&self.body);
        assert!((200..300).contains(&self.status), "{} {text}", self.status);
    }
}

pub fn set_quota(site: &Site, user: &Client, images: i64, bytes: i64) {
    let path = format!("/api/v1/users/{}/quota", user.user_id());
    let quota = json!({ "imagesMax": images, "bytesMax": bytes });
    site.administrator.json("PUT", &path, &quota).expect(200);
}

fn hex(file: &[u8]) -> String {
    Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect()
}
