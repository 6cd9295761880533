//! Keys, sessions, invitations and administration.

use serde_json::{Value, json};
use testkit::wait::wait_until;

use crate::site::Site;
use crate::support::client::{PASSWORD, id_of};
use crate::support::program::DEADLINE;

pub fn a_key_does_what_its_scopes_say_until_it_is_taken_back(site: &Site) {
    let ada = site.user();
    let key = json!({ "name": "backup", "scopes": ["read"] });
    let made = ada.post("/api/v1/me/keys", &key).expect(201);
    let token = made["token"].as_str().unwrap();
    let reader = ada.with_token(token);
    reader.get("/api/v1/images").expect(200);
    reader.upload(&site.file()).assert_refused(403, "scope_missing");
    let more = json!({ "name": "more", "scopes": ["read", "write"] });
    reader.post("/api/v1/me/keys", &more).assert_refused(403, "scope_missing");
    let listed = ada.get("/api/v1/me/keys").expect(200);
    assert_eq!(id_of(&listed["items"][0]), id_of(&made));
    assert!(!listed.to_string().contains(token), "shown once");
    ada.delete(&format!("/api/v1/me/keys/{}", id_of(&made))).expect(204);
    reader.get("/api/v1/images").assert_refused(401, "unauthenticated");
}

pub fn a_session_ends_when_it_is_signed_out(site: &Site) {
    let email = site.email();
    let ada = site.administrator.make_user(&email);
    let elsewhere = site.nobody.sign_in(&email);
    elsewhere.get("/api/v1/me").expect(200);
    ada.delete("/api/v1/me/sessions").expect(204);
    elsewhere.get("/api/v1/me").assert_refused(401, "unauthenticated");
    ada.delete("/api/v1/session").expect(204);
    ada.get("/api/v1/me").assert_refused(401, "unauthenticated");
    let wrong = json!({ "email": email, "password": "not the password", "kind": "bearer" });
    site.nobody.post("/api/v1/session", &wrong).assert_refused(401, "wrong_password");
    let unknown = json!({ "email": site.email(), "password": PASSWORD, "kind": "bearer" });
    site.nobody.post("/api/v1/session", &unknown).assert_refused(401, "wrong_password");
}

pub fn an_invitation_makes_one_account(site: &Site) {
    let made = site.administrator.post("/api/v1/invitations", &json!({})).expect(201);
    let sign_up = |email: String| {
        let account = json!({
            "invitation": made["token"], "email": email, "name": "Guest",
            "password": PASSWORD, "kind": "bearer",
        });
        site.nobody.post("/api/v1/signup", &account)
    };
    let session = sign_up(site.email()).expect(201);
    let guest = site.nobody.with_token(session["token"].as_str().unwrap());
    guest.get("/api/v1/me").expect(200);
    sign_up(site.email()).assert_refused(403, "bad_invitation");
}

pub fn administrators_find_users_and_set_their_limits(site: &Site) {
    let email = site.email();
    let ada = site.administrator.make_user(&email);
    let id = ada.user_id();
    let found = site.administrator.get(&format!("/api/v1/users?email={email}")).expect(200);
    assert_eq!(id_of(&found["items"][0]), id);
    let quota = json!({ "imagesMax": 7, "bytesMax": 700 });
    let path = format!("/api/v1/users/{id}/quota");
    site.administrator.json("PUT", &path, &quota).expect(200);
    assert_eq!(ada.left(), (7, 700));
    ada.json("PUT", &path, &quota).assert_refused(403, "forbidden");
    let others = site.user().get(&format!("/api/v1/users/{id}")).expect(200);
    assert_eq!(others["email"], Value::Null);
    let taken = json!({ "email": email, "name": "Twice", "password": PASSWORD });
    site.administrator.post("/api/v1/users", &taken).assert_refused(409, "email_taken");
}

pub fn users_are_found_by_name_or_whole_address_and_seen_with_their_pictures(site: &Site) {
    let (ada, bob) = (site.user(), site.user());
    let name = format!("Ada van {:016x}", rand::random::<u64>());
    let picture = ada.keep(&site.file());
    let change = json!({ "name": name, "picture": id_of(&picture) });
    ada.patch("/api/v1/me", &change).expect(200);
    let me = ada.get("/api/v1/me").expect(200);
    assert_eq!(me["hasPassword"], true);
    let find = |text: &str| bob.get(&format!("/api/v1/users/find?q={text}")).expect(200);
    let word = name.rsplit(' ').next().unwrap();
    let by_word = || find(&word[..12])["items"].as_array().unwrap().len() == 1;
    assert!(wait_until(DEADLINE, by_word), "the index of a distant table may lag behind");
    for text in [word.to_uppercase(), me["email"].as_str().unwrap().to_owned()] {
        let found = find(&text);
        let found = &found["items"][0];
        assert_eq!((&found["id"], &found["name"]), (&me["id"], &me["name"]), "{text}");
        assert_eq!(found["email"], Value::Null, "addresses are told to nobody");
        let url = found["pictureUrl"].as_str().unwrap();
        assert_eq!(site.nobody.get(url).status, 200, "it is signed");
    }
    assert_eq!(find("nobody-has-this-name"), json!({ "items": [] }));
    assert_eq!(find("nobody@example.com"), json!({ "items": [] }));
    bob.get("/api/v1/users/find?q=a").assert_refused(422, "invalid_value");
    let ids = json!({ "ids": [me["id"], bob.user_id(), "01ARZ3NDEKTSV4RRFFQ69G5FAV"] });
    let both = bob.post("/api/v1/users/batch-get", &ids).expect(200);
    assert_eq!(both["items"].as_array().unwrap().len(), 2);
    let bad = json!({ "ids": ["x"] });
    bob.post("/api/v1/users/batch-get", &bad).assert_refused(422, "invalid_value");

    let album = ada.post("/api/v1/albums", &json!({ "title": "Sea" })).expect(201);
    assert_eq!(album["ownerName"], me["name"]);
    let path = format!("/api/v1/albums/{}", id_of(&album));
    ada.post(&format!("{path}/images"), &json!({ "add": [id_of(&picture)] })).expect(200);
    let member = format!("{path}/members/{}", bob.user_id());
    ada.json("PUT", &member, &json!({ "role": "viewer" })).expect(200);
    let members = ada.get(&format!("{path}/members")).expect(200);
    let bobs = bob.get("/api/v1/me").expect(200);
    assert_eq!(members["items"][0]["name"], bobs["name"]);
    let has_cover = || bob.get(&path).expect(200)["coverUrl"].is_string();
    assert!(wait_until(DEADLINE, has_cover));
    let cover = bob.get(&path).expect(200)["coverUrl"].as_str().unwrap().to_owned();
    assert_eq!(bob.get(&cover).status, 200);
}

pub fn administrators_see_how_the_installation_is(site: &Site) {
    let ada = site.user();
    ada.keep(&site.file());
    site.administrator.post("/api/v1/admin/sizes", &Value::Null).expect(202);
    let looked = || {
        let overview = site.administrator.get("/api/v1/admin/overview").expect(200);
        overview["sizes"]["running"] == false && overview["sizes"]["finishedAt"].is_string()
    };
    assert!(wait_until(DEADLINE, looked));
    let overview = site.administrator.get("/api/v1/admin/overview").expect(200);
    assert!(overview["users"].as_i64().unwrap() >= 2, "{overview}");
    assert!(overview["storage"]["images"].as_i64().unwrap() >= 1, "{overview}");
    assert!(overview["storage"]["bytes"].as_i64().unwrap() >= 1, "{overview}");
    assert_eq!(overview["health"]["ready"], true, "{overview}");
    let kinds: Vec<_> =
        overview["queues"].as_array().unwrap().iter().map(|queue| queue["kind"].clone()).collect();
    assert!(kinds.contains(&json!("process")), "{overview}");
    let service = site.nobody.get("/api/v1/service").expect(200);
    assert_eq!(service["accounts"]["setUp"], false);
    assert_eq!(service["trashDays"], 30);
}
