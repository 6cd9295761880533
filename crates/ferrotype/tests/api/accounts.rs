//! Keys, sessions, invitations and administration.

use serde_json::{Value, json};

use crate::site::Site;
use crate::support::client::{PASSWORD, id_of};

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
