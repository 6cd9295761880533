//! What photo programs write into photos and beside them: taken over, found, shown to whom it may
//! be, and never stronger than what owners say.

use serde_json::{Value, json};
use testkit::wait::wait_until;

use crate::albums::expect_ids;
use crate::site::Site;
use crate::support::client::{Answer, Client, Form, id_of};
use crate::support::exiftool::{photo, portrait, sidecar};
use crate::support::program::DEADLINE;

const TAGS: [&str; 13] = [
    "-XMP-dc:Title=Harbour at dusk",
    "-XMP-dc:Description=Ships come home",
    "-XMP-dc:Subject=Red Car",
    "-XMP-lr:HierarchicalSubject=Places|Hamburg",
    "-XMP-xmp:Rating=4",
    "-XMP-dc:Creator=Ansel Adams",
    "-XMP-dc:Rights=Nobody",
    "-XMP-photoshop:City=Lübeck",
    "-XMP-photoshop:Country=Germany",
    "-XMP-mwg-rs:RegionAppliedToDimensionsW=512",
    "-XMP-mwg-rs:RegionAppliedToDimensionsH=600",
    "-XMP-mwg-rs:RegionAppliedToDimensionsUnit=pixel",
    "-XMP-mwg-rs:RegionInfo={RegionList=[{Area={X=0.5,Y=0.3,W=0.4,H=0.4,Unit=normalized},\
     Name=Grace Hopper,Type=Face}]}",
];

fn search(text: &str) -> String {
    let text: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("/api/v1/search?q={text}")
}

/// Among one's own: others share images that have the same words.
fn expect_found(client: &Client, text: &str, expected: &[&str]) {
    let of_whom = if text.contains("owner:") { "" } else { " owner:me" };
    expect_ids(client, &search(&format!("{text}{of_whom}")), expected);
}

fn path(image: &str) -> String {
    format!("/api/v1/images/{image}")
}

fn put_sidecar(client: &Client, image: &str, bytes: &[u8]) -> Answer {
    let request = client.request("PUT", &format!("{}/sidecar", path(image)));
    client.send(request.header("content-type", "application/rdf+xml"), bytes.to_vec())
}

fn texts<'i>(image: &'i Value, names: &[&str]) -> Vec<&'i str> {
    names.iter().map(|name| image[*name].as_str().unwrap_or_default()).collect()
}

pub fn what_photo_programs_write_is_taken_over_and_found(site: &Site) {
    let ada = site.user();
    let image = ada.keep(&photo(&TAGS));
    let id = id_of(&image);
    assert_eq!(texts(&image, &["title", "description"]), ["Harbour at dusk", "Ships come home"]);
    assert_eq!(image["rating"], 4);
    let tags = image["tags"].as_array().unwrap();
    assert!(
        tags.contains(&json!("places/hamburg")) && tags.contains(&json!("red car")),
        "{tags:?}"
    );
    let metadata = &image["metadata"];
    assert_eq!(texts(metadata, &["artist", "copyright"]), ["Ansel Adams", "Nobody"]);
    assert_eq!(metadata["place"], json!({ "city": "Lübeck", "country": "Germany" }));
    assert_eq!(metadata["regions"][0]["name"], "Grace Hopper");
    for text in [
        "harbour",
        "ships",
        "tag:\"red car\"",
        "hamburg",
        "adams",
        "artist:\"ansel adams\"",
        "lübeck",
        "place:germany",
        "hopper",
        "rating:4",
        "rating:>=3",
        "rating:..4",
    ] {
        expect_found(&ada, text, &[id]);
    }
    for text in ["rating:5", "artist:lübeck", "harbour -rating:4"] {
        expect_found(&ada, text, &[]);
    }
    let refused = ada.get(&search("rating:9"));
    refused.assert_refused(400, "bad_search");
    // Suggestions know the stars.
    let suggested = ada.get("/api/v1/search/suggestions?q=rating%3A").expect(200).to_string();
    assert!(suggested.contains("rating:4.."), "{suggested}");
}

pub fn what_the_owner_says_is_stronger_than_the_file(site: &Site) {
    let ada = site.user();
    let form = Form { fields: vec![("title", "Given"), ("tags", "given")], ..Form::default() };
    let image = ada.upload_form(&photo(&TAGS), &form).expect(201);
    let id = id_of(&image);
    let image = ada.completed(id);
    assert_eq!(texts(&image, &["title", "description"]), ["Given", "Ships come home"]);
    assert!(image["tags"].as_array().unwrap().contains(&json!("given")));
    let edit = json!({ "description": null, "tags": ["given"], "rating": 2 });
    let edited = ada.patch(&path(id), &edit).expect(200);
    assert_eq!(edited["rating"], 2);
    expect_found(&ada, "rating:2", &[id]);
    for wrong in [0, 6, -2] {
        let refused = ada.patch(&path(id), &json!({ "rating": wrong }));
        refused.assert_refused(422, "invalid_value");
    }
    // A sidecar that says something else changes nothing of that.
    let other = sidecar(&["-XMP-dc:Title=Other", "-XMP-dc:Description=x", "-XMP-xmp:Rating=5"]);
    let again = put_sidecar(&ada, id, &other).expect(200);
    for field in ["title", "description", "tags", "rating", "metadata"] {
        assert_eq!(again[field], edited[field], "{field}");
    }
    let cleared = ada.patch(&path(id), &json!({ "rating": null })).expect(200);
    assert_eq!(cleared.get("rating"), None);
}

pub fn others_are_told_only_what_is_theirs_to_know(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let image = ada.keep(&photo(&TAGS));
    let id = id_of(&image);
    ada.patch(&path(id), &json!({ "visibility": "shared" })).expect(200);
    let seen = bob.get(&path(id)).expect(200);
    assert_eq!(seen["title"], "Harbour at dusk");
    for hidden in ["rating", "metadata", "exif", "sidecar"] {
        assert_eq!(seen.get(hidden), None, "{seen}");
    }
    expect_found(&bob, &format!("hamburg owner:{}", ada.user_id()), &[id]);
    for hidden in ["lübeck", "adams", "hopper", "artist:adams", "place:lübeck", "rating:4"] {
        expect_found(&bob, &format!("{hidden} owner:{}", ada.user_id()), &[]);
    }
}

pub fn a_sidecar_comes_with_its_photo_or_later(site: &Site) {
    let ada = site.user();
    let first = sidecar(&["-XMP-dc:Title=Beside", "-XMP-dc:Subject=one", "-XMP-xmp:Rating=3"]);
    let text = String::from_utf8(first.clone()).unwrap();
    let form = Form { fields: vec![("sidecar", &text)], ..Form::default() };
    let uploaded = ada.upload_form(&photo(&TAGS), &form).expect(201);
    let id = id_of(&uploaded);
    let image = ada.completed(id);
    // It counts more than the photo, where it says something.
    assert_eq!(texts(&image, &["title", "description"]), ["Beside", "Ships come home"]);
    assert_eq!((&image["tags"], &image["rating"]), (&json!(["one"]), &json!(3)));
    assert_eq!(image["sidecar"]["sizeBytes"], first.len());
    let got = ada.get(&format!("{}/sidecar", path(id)));
    assert_eq!((got.status, &got.body), (200, &first));
    assert_eq!(got.header("content-type"), "application/rdf+xml");

    // It is changed later and sent again.
    let second = sidecar(&["-XMP-dc:Title=Changed", "-XMP-dc:Subject=two"]);
    let changed = put_sidecar(&ada, id, &second).expect(200);
    assert_eq!(texts(&changed, &["title"]), ["Changed"]);
    assert_eq!((&changed["tags"], &changed["rating"]), (&json!(["two"]), &json!(4)));
    expect_found(&ada, "two", &[id]);
    expect_found(&ada, "one", &[]);
    // The same again changes nothing.
    assert_eq!(put_sidecar(&ada, id, &second).expect(200)["version"], changed["version"]);
    // Sent with the photo again, it is that of the image that is there.
    let again = ada.upload_form(&photo(&TAGS), &form);
    assert_eq!(id_of(&again.expect(200)), id);
    assert_eq!(ada.get(&path(id)).expect(200)["title"], "Beside");

    // It goes with its photo.
    ada.delete(&format!("{}?permanent=true", path(id))).expect(204);
    ada.wait_for(&path(id), 404);
    ada.get(&format!("{}/sidecar", path(id))).assert_refused(404, "not_found");
}

pub fn what_is_no_sidecar_is_refused(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let image = ada.keep(&portrait());
    let id = id_of(&image);
    put_sidecar(&ada, id, b"no xmp").assert_refused(422, "bad_sidecar");
    let long = vec![b' '; (1 << 20) + 1];
    put_sidecar(&ada, id, &long).assert_refused(413, "body_too_large");
    put_sidecar(&ada, id, &vec![b' '; 3 << 20]).assert_refused(413, "body_too_large");
    put_sidecar(&bob, id, &sidecar(&["-XMP-dc:Title=x"])).assert_refused(404, "not_found");
    let request = ada.request("PUT", &format!("{}/sidecar", path(id)));
    let pdf = ada.send(request.header("content-type", "application/pdf"), b"%PDF".to_vec());
    pdf.assert_refused(415, "unsupported_media_type");
    ada.get(&format!("{}/sidecar", path(id))).assert_refused(404, "not_found");
    let left = ada.left();
    let form = Form { fields: vec![("sidecar", "no xmp")], ..Form::default() };
    ada.upload_form(&site.file(), &form).assert_refused(422, "bad_sidecar");
    assert_eq!(ada.left(), left);
}

pub fn what_cannot_be_shown_is_found_by_its_sidecar(site: &Site) {
    let ada = site.user();
    let broken = [b"\xff\xd8\xff\xe0".as_slice(), &rand::random::<[u8; 16]>()].concat();
    let text = String::from_utf8(sidecar(&["-XMP-dc:Title=Broken but named"])).unwrap();
    let form = Form { fields: vec![("sidecar", &text)], ..Form::default() };
    let image = ada.upload_form(&broken, &form).expect(201);
    let failed = ada.failed(id_of(&image));
    assert_eq!(failed["title"], "Broken but named");
    expect_found(&ada, "named is:failed", &[id_of(&failed)]);
}

pub fn names_beside_faces_are_offered_and_never_taken_for_granted(site: &Site) {
    let ada = site.user();
    let marked = ada.keep(&photo(&TAGS));
    let plain = ada.keep(&photo(&["-XMP-dc:Title=Plain"]));
    let names = || ada.get("/api/v1/persons/suggestions/names").expect(200)["items"].clone();
    let offered = wait_until(DEADLINE, || {
        names().as_array().unwrap().first().is_some_and(|one| one["person"]["count"] == 2)
    });
    assert!(offered, "{}", names());
    let suggested = names()[0].clone();
    let person = id_of(&suggested["person"]).to_owned();
    assert_eq!((&suggested["name"], &suggested["count"]), (&json!("Grace Hopper"), &json!(1)));
    assert_eq!(suggested["person"].get("name"), None);
    let faces = |image: &Value| {
        let path = format!("{}/persons", path(id_of(image)));
        ada.get(&path).expect(200)["items"][0].clone()
    };
    assert_eq!(faces(&marked)["written"], json!({ "name": "Grace Hopper" }));
    assert_eq!(faces(&plain).get("written"), None);

    let answer = |same: bool| {
        let answer = json!({ "person": person, "name": "Grace Hopper", "same": same });
        ada.post("/api/v1/persons/suggestions/names", &answer).expect(200)
    };
    // No is remembered until it is undone.
    let refused = answer(false);
    assert_eq!((names(), faces(&marked).get("written")), (json!([]), None));
    let edit = id_of(&refused["edits"][0]);
    ada.post(&format!("/api/v1/persons/edits/{edit}/undo"), &Value::Null).expect(200);
    assert_eq!(names().as_array().unwrap().len(), 1);
    // Yes names the person, in all photos.
    let named = answer(true);
    assert_eq!(named["person"]["name"], "Grace Hopper");
    assert_eq!(faces(&plain)["person"]["name"], "Grace Hopper");
    assert_eq!((names(), faces(&marked).get("written")), (json!([]), None));
}
