//! Images that were chosen, as one file.

use serde_json::json;

use crate::albums::{album, change, join};
use crate::sharing::{unzip, with_header};
use crate::site::Site;
use crate::support::client::{Client, Form, id_of};

const ARCHIVE: &str = "/api/v1/images/archive.zip";

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
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["img.bmp", "sea.webp", "IMG (2).bmp"], "each once, in the order of the ids");
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
        send_form(&ada, &format!("ids={first}+{his}")).body,
        ask(&ada, &[&first, &his]).body
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
    let refused = ask(&ada, &vec![first.as_str(); 1001]);
    refused.assert_refused(422, "archive_too_large");
    assert_eq!(refused.json()["error"]["details"]["limit"], json!(1000));
    assert_eq!(unzip(&ask(&ada, &vec![first.as_str(); 1000])).len(), 1);
    send_form(&ada, &format!("ids={}", "x".repeat(300 << 10)))
        .assert_refused(413, "body_too_large");
    ada.post(ARCHIVE, &json!({ "ids": ["x".repeat(300 << 10)] }))
        .assert_refused(413, "body_too_large");
    let plain = ada.request("POST", ARCHIVE).header("content-type", "text/plain");
    ada.send(plain, first.clone().into_bytes()).assert_refused(415, "unsupported_media_type");

    // What is not there any more is not given away any more.
    change(&bob, &summer, &[], &[&his]);
    ask(&ada, &[&first, &his]).assert_refused(404, "not_found");
}
