//! Throwing away, bringing back, and removing for good.

use serde_json::{Value, json};
use testkit::wait::wait_until;

use crate::site::Site;
use crate::support::client::id_of;
use crate::support::program::DEADLINE;

pub fn the_trash_gives_back_what_was_thrown_away(site: &Site) {
    let ada = site.user();
    let image = ada.keep(&site.file());
    let path = format!("/api/v1/images/{}", id_of(&image));
    let left = ada.left();
    ada.delete(&path).expect(204);
    assert_eq!(ada.get("/api/v1/images").expect(200)["items"], json!([]));
    let trash = ada.get("/api/v1/trash").expect(200);
    assert_eq!(id_of(&trash["items"][0]), id_of(&image));
    assert!(trash["items"][0]["trashedAt"].is_string());
    assert_eq!(ada.left(), left, "it is still kept");
    let restored = ada.post(&format!("{path}/restore"), &Value::Null).expect(200);
    assert_eq!(restored["trashedAt"], Value::Null);
    assert_eq!(id_of(&ada.get("/api/v1/images").expect(200)["items"][0]), id_of(&image));
    assert_eq!(ada.get("/api/v1/trash").expect(200)["items"], json!([]));
}

pub fn what_is_removed_for_good_is_gone_with_its_files_and_gives_its_quota_back(site: &Site) {
    let ada = site.user();
    let before = ada.left();
    let image = ada.keep(&site.file());
    let path = format!("/api/v1/images/{}", id_of(&image));
    let thumb = image["sizes"]["thumb"]["url"].as_str().unwrap();
    assert_eq!(site.nobody.get(thumb).status, 200);
    ada.delete(&format!("{path}?permanent=true")).expect(204);
    ada.wait_for(&path, 404);
    site.nobody.wait_for(thumb, 404);
    site.nobody.wait_for(image["originalUrl"].as_str().unwrap(), 404);
    assert!(wait_until(DEADLINE, || ada.left() == before), "{:?}", ada.left());
    ada.post(&format!("{path}/restore"), &Value::Null).assert_refused(404, "not_found");
    ada.delete(&path).assert_refused(404, "not_found");
}

pub fn a_user_is_erased_with_everything(site: &Site) {
    let ada = site.user();
    let image = ada.keep(&site.file());
    let key = ada.with_scopes(&["read"]);
    let id = ada.user_id();
    ada.delete("/api/v1/me").expect(202);
    // Shut out at once, whichever way they come.
    ada.get("/api/v1/me").assert_refused(401, "unauthenticated");
    key.get("/api/v1/images").assert_refused(401, "unauthenticated");
    site.administrator.wait_for(&format!("/api/v1/users/{id}"), 404);
    site.nobody.wait_for(image["sizes"]["large"]["url"].as_str().unwrap(), 404);
    site.nobody.wait_for(image["originalUrl"].as_str().unwrap(), 404);
    site.administrator.get(&format!("/api/v1/users/{id}/quota")).assert_refused(404, "not_found");
}
