//! What somebody meets who writes a program against the API, from its documents alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::site::Site;
use crate::support::client::{Answer, Client, Form, id_of};

const BOUNDARY: &str = "8f14e45fceea167a";

pub fn the_fields_of_a_form_come_in_any_order(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let size = file.len().to_string();
    let after = [
        ("title", "After the file"),
        ("tags", "late"),
        ("visibility", "shared"),
        ("sizeBytes", &size),
    ];
    let image = send_form(&ada, &[], &file, &after, &[]).expect(201);
    let image = ada.completed(id_of(&image));
    let told = (&image["title"], &image["tags"], &image["visibility"], &image["filename"]);
    let expected = (json!("After the file"), json!(["late"]), json!("shared"), json!("sunset.jpg"));
    assert_eq!(told, (&expected.0, &expected.1, &expected.2, &expected.3));
    assert_eq!(ada.get("/api/v1/search?q=after").expect(200)["items"][0]["id"], image["id"]);
    // Some before and some after, and what is said twice counts as said last.
    let before = [("title", "Before"), ("description", "Stays")];
    let image = send_form(&ada, &before, &site.file(), &[("title", "Last")], &[]).expect(201);
    assert_eq!((&image["title"], &image["description"]), (&json!("Last"), &json!("Stays")));
}

pub fn what_is_wrong_with_a_form_is_said_wherever_it_stands(site: &Site) {
    let ada = site.user();
    let left = ada.left();
    let long = "x".repeat(300);
    let zeros = "0".repeat(64);
    for (name, value, status, code) in [
        ("title", long.as_str(), 422, "title_too_long"),
        ("no_such_field", "x", 400, "bad_request"),
        ("expiresAt", "yesterday", 422, "invalid_value"),
        ("sizeBytes", "7", 400, "bytes_differ"),
        ("sha256", &zeros, 400, "bytes_differ"),
        ("file", "again", 400, "bad_request"),
    ] {
        let refused = send_form(&ada, &[], &site.file(), &[(name, value)], &[]);
        refused.assert_refused(status, code);
        let message = refused.json()["error"]["message"].as_str().unwrap().to_owned();
        let names_it = message.contains(name) || code == "bytes_differ";
        assert!(names_it, "{name}: {message}");
    }
    // Many fields are held as one long one would be.
    let tags = "a,".repeat(30_000);
    let many = vec![("tags", tags.as_str()); 6];
    send_form(&ada, &[], &site.file(), &many, &[]).assert_refused(413, "body_too_large");
    let cut = form_of(&[], &site.file(), &[("title", "x")]);
    let cut = cut[..cut.len() - 20].to_vec();
    post_form(&ada, cut, &[]).assert_refused(400, "upload_interrupted");
    assert_eq!(ada.left(), left, "nothing is left of what was refused");
    assert!(ada.get("/api/v1/images").expect(200)["items"].as_array().unwrap().is_empty());
}

pub fn every_picture_that_the_documents_name_is_made(site: &Site) {
    let ada = site.user();
    let image = ada.keep(&site.file());
    let examples = pictures_named_in_documents();
    assert!(examples.contains("w640-h480-cover"), "{examples:?}");
    for name in examples {
        let picture = ada.get(&format!("/i/{}/{name}", id_of(&image)));
        let text = String::from_utf8_lossy(&picture.body);
        assert_eq!(picture.status, 200, "{name}: {text}");
        assert!(picture.header("content-type").starts_with("image/"), "{name}");
    }
}

pub fn a_parameter_that_a_route_does_not_take_is_refused_by_name(site: &Site) {
    let document = site.nobody.get("/api/openapi.json").expect(200);
    let mut ignored = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        if !path.starts_with("/api/v1/") {
            continue;
        }
        for method in item.as_object().unwrap().keys() {
            let path = path.replace(['{', '}'], "");
            let request = site.administrator.request(&method.to_uppercase(), &path);
            let uri = format!("{}?fields=id", request.uri_ref().unwrap());
            let answer = site.administrator.send(request.uri(uri), Vec::new());
            let error = &answer.json()["error"];
            let is_refused = answer.status == 400
                && (method == "head" || error["details"]["parameter"] == "fields");
            if !is_refused {
                ignored.push(format!("{method} {path}: {} {error}", answer.status));
            }
        }
    }
    assert!(ignored.is_empty(), "{ignored:#?}");
    let ada = site.user();
    let refused = ada.get("/api/v1/images?limit=3&expand=tags");
    refused.assert_refused(400, "bad_query");
    let message = refused.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(
        message.contains("\"expand\"") && message.contains("cursor, limit, order"),
        "{message}"
    );
    // Addresses of pictures are signed as a whole, and have rules of their own.
    let image = ada.keep(&site.file());
    let thumb = image["sizes"]["thumb"]["url"].as_str().unwrap();
    assert_eq!(site.nobody.get(&format!("{thumb}&utm_source=mail")).status, 200);
}

pub fn a_key_that_may_only_write_learns_what_became_of_its_upload(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let sender = ada.with_scopes(&["write"]);
    let upload = begin_direct(&sender, &file);
    put(site, &upload, &file);
    let complete = upload["completeUrl"].as_str().unwrap();
    let first = sender.post(complete, &Value::Null);
    let image = first.expect(201);
    for _ in 0..2 {
        let again = sender.post(complete, &Value::Null);
        assert_eq!(id_of(&again.expect(200)), id_of(&image));
        assert_eq!(again.header("location"), first.header("location"));
    }
    // The same where the bytes were there already.
    let upload = begin_direct(&sender, &file);
    put(site, &upload, &file);
    let complete = upload["completeUrl"].as_str().unwrap();
    for _ in 0..2 {
        let ended = sender.post(complete, &Value::Null);
        assert_eq!(id_of(&ended.expect(200)), id_of(&image));
        assert_eq!(ended.header("upload-outcome"), "duplicate");
    }
    // And by tus.
    let file = site.file();
    let created = create(&sender, &file, &[]);
    let sent = append(&sender, created.header("location"), 0, &file);
    sent.expect(204);
    let head = look(&sender, created.header("location"));
    let size = file.len().to_string();
    assert_eq!((head.status, head.header("upload-offset")), (200, size.as_str()));
    assert_eq!(head.header("upload-length"), size);
    assert_eq!(head.header("upload-image"), sent.header("upload-image"));
    // What was sent already is not lost, it only begins elsewhere.
    let again = append(&sender, created.header("location"), 0, &file);
    again.assert_refused(409, "wrong_offset");
    assert_eq!(again.header("upload-offset"), size);
    // Nobody else learns of it.
    assert_eq!(look(&site.user(), created.header("location")).status, 404);
    site.user().post(complete, &Value::Null).assert_refused(404, "not_found");
}

pub fn an_upload_of_bytes_that_are_there_is_found_where_it_was_sent(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let first = ada.upload(&file).expect(201);
    for in_one in [true, false] {
        let created = create(&ada, &file, if in_one { &file } else { &[] });
        let location = created.header("location").to_owned();
        let ended = if in_one { created } else { append(&ada, &location, 0, &file) };
        assert_eq!(ended.header("upload-image"), id_of(&first), "{ended:?}");
        assert_eq!(ended.header("upload-outcome"), "duplicate");
        let head = look(&ada, &location);
        assert_eq!((head.status, head.header("upload-image")), (200, id_of(&first)));
        assert_eq!(head.header("upload-offset"), file.len().to_string());
        assert_eq!(head.header("upload-outcome"), "duplicate");
    }
}

pub fn a_key_with_another_body_is_refused(site: &Site) {
    let (ada, file, other) = (site.user(), site.file(), site.file());
    let key = [("idempotency-key", "k1")];
    let keyed = |file: &[u8], fields: &[(&str, &str)]| send_form(&ada, fields, file, &[], &key);
    let image = keyed(&file, &[("title", "One")]).expect(201);
    let again = keyed(&file, &[("title", "One")]);
    assert_eq!(id_of(&again.expect(200)), id_of(&image));
    assert_eq!(again.header("idempotency-replayed"), "true");
    let digits = image["sha256"].as_str().unwrap();
    for refused in [
        keyed(&other, &[("title", "One")]),
        keyed(&file, &[("title", "Two")]),
        keyed(&file, &[]),
        keyed(&other, &[("title", "One"), ("sha256", &digits.replace('0', "1"))]),
    ] {
        refused.assert_refused(422, "idempotency_mismatch");
    }
    let new = json!({ "title": "One", "filename": "sunset.jpg", "sizeBytes": other.len() + 1 });
    keyed_post(&ada, "/api/v1/uploads/direct", &new, "k1")
        .assert_refused(422, "idempotency_mismatch");
    // A key that is used for something else altogether.
    let album = json!({ "title": "One" });
    keyed_post(&ada, "/api/v1/albums", &album, "k1").assert_refused(422, "idempotency_mismatch");
    assert_eq!(ada.get("/api/v1/images").expect(200)["items"].as_array().unwrap().len(), 1);
    // What was refused has not used its key up.
    let title = "x".repeat(300);
    let bad = send_form(&ada, &[("title", &title)], &other, &[], &[("idempotency-key", "k2")]);
    bad.assert_refused(422, "title_too_long");
    send_form(&ada, &[], &other, &[], &[("idempotency-key", "k2")]).expect(201);
}

pub fn albums_links_tags_and_people_honour_the_key(site: &Site) {
    let ada = site.user();
    let image = ada.upload(&site.file()).expect(201);
    let album = json!({ "title": "Once" });
    let first = keyed_post(&ada, "/api/v1/albums", &album, "album");
    let made = first.expect(201);
    assert_eq!(first.header("idempotency-replayed"), "");
    let again = keyed_post(&ada, "/api/v1/albums", &album, "album");
    assert_eq!((again.expect(201), again.header("idempotency-replayed")), (made.clone(), "true"));
    for name in ["location", "etag", "content-type"] {
        assert_eq!(again.header(name), first.header(name), "{name}");
    }
    let renamed = json!({ "title": "Twice" });
    let refused = keyed_post(&ada, "/api/v1/albums", &renamed, "album");
    refused.assert_refused(422, "idempotency_mismatch");
    // Many at once make one.
    let link = json!({ "image": id_of(&image), "password": "at the sea" });
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let ask = || keyed_post(&ada, "/api/v1/links", &link, "link");
        let sent: Vec<_> = (0..6).map(|_| scope.spawn(ask)).collect();
        sent.into_iter().map(|sent| sent.join().unwrap()).collect()
    });
    for answer in &answers {
        assert!(answer.status == 201 || answer.refusal().1 == "request_running", "{answer:?}");
    }
    let link = keyed_post(&ada, "/api/v1/links", &link, "link").expect(201);
    let kept = ada.get("/api/v1/links").expect(200);
    assert_eq!(kept["items"].as_array().unwrap().len(), 1);
    assert_eq!(kept["items"][0]["url"], link["url"]);
    // Refused, and then right, with the same key.
    let wrong = json!({ "from": "", "to": "lake" });
    assert!((400..500).contains(&keyed_post(&ada, "/api/v1/tags/rename", &wrong, "tag").status));
    let tags = json!({ "tags": ["sea"] });
    ada.patch(&format!("/api/v1/images/{}", id_of(&image)), &tags).expect(200);
    let rename = json!({ "from": "sea", "to": "lake" });
    let first = keyed_post(&ada, "/api/v1/tags/rename", &rename, "tag").expect(200);
    let again = keyed_post(&ada, "/api/v1/tags/rename", &rename, "tag");
    assert_eq!((again.expect(200), again.header("idempotency-replayed")), (first, "true"));
    // Keys are each user's own, and whoever may not write learns no answer.
    let bobs = keyed_post(&site.user(), "/api/v1/albums", &album, "album").expect(201);
    assert_ne!(id_of(&bobs), id_of(&made));
    let reader = ada.with_scopes(&["read"]);
    keyed_post(&reader, "/api/v1/albums", &album, "album").assert_refused(403, "scope_missing");
    let key = "x".repeat(256);
    keyed_post(&ada, "/api/v1/albums", &album, &key).assert_refused(422, "invalid_value");
    let nobody = "/api/v1/persons/01ARZ3NDEKTSV4RRFFQ69G5FAV/merge";
    for _ in 0..2 {
        let merge = json!({ "with": ["01ARZ3NDEKTSV4RRFFQ69G5FAV"] });
        let refused = keyed_post(&ada, nobody, &merge, "person");
        assert!((400..500).contains(&refused.status), "{refused:?}");
        assert_eq!(refused.header("idempotency-replayed"), "");
    }
}

pub fn a_key_whose_image_is_gone_says_so(site: &Site) {
    let (ada, file) = (site.user(), site.file());
    let form = Form { headers: vec![("idempotency-key", "gone")], ..Form::default() };
    let image = ada.upload_form(&file, &form).expect(201);
    ada.delete(&format!("/api/v1/images/{}?permanent=true", id_of(&image))).expect(204);
    ada.wait_for(&format!("/api/v1/images/{}", id_of(&image)), 404);
    let refused = ada.upload_form(&file, &form);
    refused.assert_refused(410, "result_deleted");
    assert_eq!(refused.json()["error"]["details"]["image"], image["id"]);
    let other = Form { headers: vec![("idempotency-key", "anew")], ..Form::default() };
    ada.upload_form(&file, &other).expect(201);
}

pub fn a_tag_that_is_none_of_ours_is_told_the_version_there_is(site: &Site) {
    let ada = site.user();
    let image = ada.upload(&site.file()).expect(201);
    let album = ada.post("/api/v1/albums", &json!({ "title": "A" })).expect(201);
    let link = ada.post("/api/v1/links", &json!({ "album": id_of(&album) })).expect(201);
    let there = [
        format!("/api/v1/images/{}", id_of(&image)),
        format!("/api/v1/albums/{}", id_of(&album)),
        format!("/api/v1/links/{}", id_of(&link)),
        "/api/v1/me".to_owned(),
    ];
    for path in there {
        let is_me = path.ends_with("me");
        let field = if is_me { "name" } else { "title" };
        for tag in ["\"x\"", "x", "W/\"1\"", "\"7\""] {
            let request = ada.request("PATCH", &path).header("if-match", tag);
            let request = request.header("content-type", "application/json");
            let body = json!({ field: "Other" }).to_string();
            let refused = ada.send(request, body.into());
            refused.assert_refused(412, "precondition_failed");
            let current = refused.json()["error"]["details"]["currentVersion"].clone();
            let now = ada.get(&path).expect(200)["version"].clone();
            assert_eq!(current, now, "{path} {tag}");
        }
    }
}

pub fn both_addresses_of_an_upload_to_storage_are_whole(site: &Site) {
    let ada = site.user();
    let upload = begin_direct(&ada, &site.file());
    for name in ["url", "completeUrl"] {
        let url = upload[name].as_str().unwrap();
        assert!(url.starts_with("http://"), "{name}: {url}");
    }
    let complete = upload["completeUrl"].as_str().unwrap();
    assert!(complete.starts_with(&ada.base), "{complete}");
}

fn form_of(before: &[(&str, &str)], file: &[u8], after: &[(&str, &str)]) -> Vec<u8> {
    let field = |(name, value): &(&str, &str)| {
        format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        )
    };
    let mut body: Vec<u8> = before.iter().flat_map(|one| field(one).into_bytes()).collect();
    let head = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"sunset.jpg\"\r\n\
         content-type: image/jpeg\r\n\r\n"
    );
    body.extend_from_slice(head.as_bytes());
    body.extend_from_slice(file);
    body.extend_from_slice(b"\r\n");
    body.extend(after.iter().flat_map(|one| field(one).into_bytes()));
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    body
}

fn send_form(
    client: &Client,
    before: &[(&str, &str)],
    file: &[u8],
    after: &[(&str, &str)],
    headers: &[(&str, &str)],
) -> Answer {
    post_form(client, form_of(before, file, after), headers)
}

fn post_form(client: &Client, body: Vec<u8>, headers: &[(&str, &str)]) -> Answer {
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let mut request = client.request("POST", "/api/v1/images").header("content-type", kind);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    client.send(request, body)
}

fn keyed_post(client: &Client, path: &str, body: &Value, key: &str) -> Answer {
    let request = client.request("POST", path).header("idempotency-key", key);
    client.send(request.header("content-type", "application/json"), body.to_string().into())
}

/// Names of pictures on demand, wherever a document has one.
fn pictures_named_in_documents() -> BTreeSet<String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let documents = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let is_document =
        |path: &PathBuf| path.extension().is_some_and(|ending| ending == "md" || ending == "json");
    let mut texts: Vec<_> = documents.filter(is_document).collect();
    texts.push(root.join("README.md"));
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
    let mut names = BTreeSet::new();
    for path in texts {
        let text = fs::read_to_string(&path).unwrap();
        let words = text.split(|letter| !is_part(letter)).map(|word| word.trim_end_matches('.'));
        names.extend(words.filter(|word| is_picture(word)).map(str::to_owned));
    }
    names
}

/// `w640`, `h480`, `w640-h480-cover-q80.jpeg`.
fn is_picture(word: &str) -> bool {
    let (name, ending) = word.split_once('.').unwrap_or((word, "webp"));
    let number = |part: &str, letter: char| {
        let digits = part.strip_prefix(letter).unwrap_or_default();
        (2..=4).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit())
    };
    let has_side = name.split('-').any(|part| number(part, 'w') || number(part, 'h'));
    let is_known = |part: &str| part == "cover" || ['w', 'h', 'q'].iter().any(|l| number(part, *l));
    has_side && ["webp", "avif", "jpeg", "png"].contains(&ending) && name.split('-').all(is_known)
}

fn begin_direct(client: &Client, file: &[u8]) -> Value {
    client.post("/api/v1/uploads/direct", &json!({ "sizeBytes": file.len() })).expect(201)
}

/// Sends a file as the answer says.
fn put(site: &Site, upload: &Value, file: &[u8]) {
    let url = upload["url"].as_str().unwrap();
    let mut request = site.nobody.request(upload["method"].as_str().unwrap(), url);
    for (name, value) in upload["headers"].as_object().unwrap() {
        request = request.header(name, value.as_str().unwrap());
    }
    let sent = site.nobody.send(request, file.to_vec());
    assert!((200..300).contains(&sent.status), "{sent:?}");
}

fn create(client: &Client, file: &[u8], bytes: &[u8]) -> Answer {
    let request = client
        .request("POST", "/api/v1/uploads")
        .header("tus-resumable", "1.0.0")
        .header("upload-length", file.len().to_string());
    let created = match bytes {
        [] => client.send(request, Vec::new()),
        bytes => {
            let kind = "application/offset+octet-stream";
            client.send(request.header("content-type", kind), bytes.to_vec())
        }
    };
    created.expect(201);
    created
}

fn append(client: &Client, upload: &str, offset: usize, bytes: &[u8]) -> Answer {
    let request = client
        .request("PATCH", upload)
        .header("tus-resumable", "1.0.0")
        .header("upload-offset", offset.to_string())
        .header("content-type", "application/offset+octet-stream");
    client.send(request, bytes.to_vec())
}

fn look(client: &Client, upload: &str) -> Answer {
    let head = client.request("HEAD", upload).header("tus-resumable", "1.0.0");
    client.send(head, Vec::new())
}
