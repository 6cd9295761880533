//! Images that were chosen, as one file.

use serde_json::json;

use crate::albums::{album, change, join, path};
use crate::sharing::{link, shared, unzip, with_header};
use crate::site::Site;
use crate::support::client::{Client, Form, id_of};
use crate::support::files::dated_tiff;

const ARCHIVE: &str = "/api/v1/images/archive.zip";

fn names(found: &[(String, Vec<u8>)]) -> Vec<&str> {
    found.iter().map(|(name, _)| name.as_str()).collect()
}

/// The names without the folder of the month, which is the one of the upload: bitmaps have no date.
fn names_in_month(found: &[(String, Vec<u8>)]) -> Vec<&str> {
    let month = |name: &str| {
        let [year, month, file] = name.split('/').collect::<Vec<_>>()[..] else { panic!("{name}") };
        assert!(year.len() == 4 && month.len() == 7 && month.starts_with(year), "{name}");
        name.len() - file.len()
    };
    names(found).into_iter().map(|name| &name[month(name)..]).collect()
}

pub fn chosen_images_are_downloaded_as_one_file(site: &Site) {
    let (ada, bob, eve) = (site.user(), site.user(), site.user());
    let (one, two) = (site.file(), site.file());
    let keep = |client: &Client, file: &[u8], filename| {
        let form = Form { filename: Some(filename), ..Form::default() };
        let image = client.upload_form(file, &form).expect(201);
        id_of(&client.completed(id_of(&image))).to_owned()
    };
    let (first, second) = (keep(&ada, &one, "IMG.bmp"), keep(&ada, &two, "img.bmp"));
    // One that Ada sees because it is in an album of his, and one that she does not see.
    let (his, hidden) = (keep(&bob, &site.file(), "sea.bmp"), keep(&bob, &site.file(), "no.bmp"));
    let summer = album(&bob, "Summer");
    change(&bob, &summer, &[&his], &[]);
    join(&bob, &summer, &ada, "viewer");

    let ask = |client: &Client, ids: &[&str]| client.post(ARCHIVE, &json!({ "ids": ids }));
    let archive = ask(&ada, &[&second, &his, &first, &second]);
    assert!(
        archive.header("content-disposition").starts_with("attachment; filename=\"images.zip\"")
    );
    assert_eq!(archive.header("cache-control"), "private, no-store");
    let found = unzip(&archive);
    let expected = ["img.bmp", "sea.webp", "IMG (2).bmp"];
    assert_eq!(names_in_month(&found), expected, "each once, in the order of the ids");
    let flat = ada.post(ARCHIVE, &json!({ "ids": [&second, &his, &first], "folders": "none" }));
    assert_eq!(names(&unzip(&flat)), expected);
    assert!(found[0].1 == two && found[2].1 == one, "her own as originals");
    let shown = ada.get(&format!("/api/v1/images/{his}")).expect(200);
    let large = shown["sizes"]["large"]["url"].as_str().unwrap();
    assert!(found[1].1 == with_header(&ada, "GET", large, ("accept", "image/webp")).body);

    // As the form of a page.
    let send_form = |client: &Client, body: &str| {
        let request = client.request("POST", ARCHIVE);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        client.send(request, body.as_bytes().to_vec())
    };
    assert_eq!(
        unzip(&send_form(&ada, &format!("ids={first}+{his}"))),
        unzip(&ask(&ada, &[&first, &his]))
    );
    send_form(&ada, "photos=1").assert_refused(400, "bad_request");

    // All or nothing; whether there is one that may not be seen is not told.
    let missing = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    for unseen in [hidden.as_str(), missing] {
        ask(&ada, &[&first, unseen]).assert_refused(404, "not_found");
    }
    assert_eq!(
        ask(&eve, &[&first]).json()["error"]["message"],
        ask(&eve, &[missing]).json()["error"]["message"]
    );
    ask(&site.nobody, &[&first]).assert_refused(401, "unauthenticated");
    ask(&ada, &[]).assert_refused(422, "invalid_value");
    ask(&ada, &["me"]).assert_refused(422, "invalid_value");
    ada.post(ARCHIVE, &json!({ "images": [first] })).assert_refused(400, "bad_json");
    let refused = ask(&ada, &vec![first.as_str(); 100_001]);
    refused.assert_refused(422, "archive_too_large");
    assert_eq!(refused.json()["error"]["details"]["limit"], json!(100_000));
    assert_eq!(unzip(&ask(&ada, &vec![first.as_str(); 100_000])).len(), 1);
    send_form(&ada, &format!("ids={}", "x".repeat(5 << 20))).assert_refused(413, "body_too_large");
    ada.post(ARCHIVE, &json!({ "ids": ["x".repeat(5 << 20)] }))
        .assert_refused(413, "body_too_large");
    let plain = ada.request("POST", ARCHIVE).header("content-type", "text/plain");
    ada.send(plain, first.clone().into_bytes()).assert_refused(415, "unsupported_media_type");

    // What is not there any more is not given away any more.
    change(&bob, &summer, &[], &[&his]);
    ask(&ada, &[&first, &his]).assert_refused(404, "not_found");
}

pub fn a_whole_library_and_what_a_search_finds_are_downloaded_as_one_file(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let word = format!("lake{:08x}", rand::random::<u32>());
    let keep = |client: &Client, filename, title: &str, visibility| {
        let form = Form { filename: Some(filename), ..Form::default() };
        let image = client.upload_form(&site.file(), &form).expect(201);
        let image = id_of(&client.completed(id_of(&image))).to_owned();
        let edit = json!({ "title": title, "visibility": visibility });
        client.patch(&format!("/api/v1/images/{image}"), &edit).expect(200);
        image
    };
    keep(&ada, "one.bmp", &word, "private");
    keep(&ada, "two.bmp", "Other", "private");
    let gone = keep(&ada, "three.bmp", &word, "private");
    keep(&bob, "his.bmp", &word, "shared");
    keep(&bob, "hidden.bmp", &word, "private");
    ada.delete(&format!("/api/v1/images/{gone}")).expect(204);

    let mine = ada.get(ARCHIVE);
    assert_eq!(names_in_month(&unzip(&mine)), ["two.bmp", "one.bmp"], "all but the trash");
    let found = ada.get(&format!("{ARCHIVE}?q={word}&folders=none"));
    assert_eq!(names(&unzip(&found)), ["his.webp", "one.bmp"]);
    let own = ada.get(&format!("{ARCHIVE}?q={word}%20owner:me"));
    assert_eq!(names_in_month(&unzip(&own)), ["one.bmp"]);
    assert_eq!(unzip(&ada.get(&format!("{ARCHIVE}?q=none{word}"))), []);
    ada.get(&format!("{ARCHIVE}?q=taken:soon")).assert_refused(400, "bad_search");
    ada.get(&format!("{ARCHIVE}?folders=year")).assert_refused(400, "bad_query");
    site.nobody.get(ARCHIVE).assert_refused(401, "unauthenticated");
}

pub fn a_file_in_an_archive_has_the_date_of_its_photo(site: &Site) {
    let ada = site.user();
    let photo = dated_tiff("2019:07:03 18:30:02", "+02:00");
    let form = Form { filename: Some("old.tif"), ..Form::default() };
    let image = ada.upload_form(&photo, &form).expect(201);
    let image = ada.completed(id_of(&image));
    assert_eq!(image["exif"]["takenAt"], "2019-07-03T16:30:02.000Z");
    let archive = ada.get(ARCHIVE);
    let found = unzip(&archive);
    assert_eq!(names(&found), ["2019/2019-07/old.tif"]);
    assert!(found[0].1 == photo);
    // What the clock showed, in the field that every program reads.
    let dos = [18_u16 << 11 | 30 << 5 | 1, 39 << 9 | 7 << 5 | 3].map(u16::to_le_bytes).concat();
    assert_eq!(archive.body[10..14], dos[..]);
    // And in UTC.
    let utc = [&[0x55, 0x54, 5, 0, 1], &1_562_171_402_i32.to_le_bytes()[..]].concat();
    assert!(archive.body.windows(utc.len()).any(|some| some == utc));
    // Who has a link to its rendition learns no more than from looking at it.
    let made = link(&ada, &json!({ "image": id_of(&image) }));
    let guests = site.nobody.get(&shared(&made, "/archive.zip"));
    assert_eq!(names(&unzip(&guests)), ["old.webp"]);
    assert_ne!(guests.body[12..14], dos[2..]);
    ada.patch(&format!("/api/v1/links/{}", id_of(&made)), &json!({ "download": "originals" }))
        .expect(200);
    let guests = site.nobody.get(&shared(&made, "/archive.zip"));
    assert_eq!(names(&unzip(&guests)), ["old.tif"]);
    assert_eq!(guests.body[10..14], dos[..]);
}

pub fn albums_in_an_album_are_folders(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let inside = |parent: &serde_json::Value, title: &str| {
        let nested = json!({ "title": title, "parent": parent["id"] });
        ada.post("/api/v1/albums", &nested).expect(201)
    };
    let put = |album: &serde_json::Value, filename| {
        let form = Form { filename: Some(filename), ..Form::default() };
        let image = id_of(&ada.upload_form(&site.file(), &form).expect(201)).to_owned();
        ada.completed(&image);
        change(&ada, album, &[&image], &[]);
        image
    };
    let trip = album(&ada, "Trip");
    let (may, other_may) = (inside(&trip, "May: first"), inside(&trip, "May: first"));
    let deep = inside(&may, "Hut");
    put(&trip, "IMG.bmp");
    let both = put(&may, "IMG.bmp");
    change(&ada, &deep, &[&both], &[]);
    put(&other_may, "IMG.bmp");
    join(&ada, &trip, &bob, "viewer");
    let found = unzip(&ada.get(&path(&trip, "/archive.zip")));
    let expected =
        ["IMG.bmp", "May_ first/IMG.bmp", "May_ first (2)/IMG.bmp", "May_ first (2)/Hut/IMG.bmp"];
    assert_eq!(names(&found), expected, "albums, newest first");
    assert_eq!(found[2].1, found[3].1, "it is in both");
    let seen_by_bob = unzip(&bob.get(&path(&trip, "/archive.zip")));
    assert_eq!(names(&seen_by_bob), expected.map(|name| name.replace(".bmp", ".webp")));
    let made = link(&ada, &json!({ "album": id_of(&trip) }));
    let guests = unzip(&site.nobody.get(&shared(&made, "/archive.zip")));
    assert_eq!(names(&guests), ["IMG.webp"], "a link shows an album without what is in it");
}
