//! Passkeys, on servers of their own: browsers bind them to an address, which all other cases do
//! without.

use serde_json::{Value, json};
use testkit::authenticator::{Algorithm, Authenticator};

use crate::support::client::{Answer, Client, PASSWORD, id_of};
use crate::support::stores::Stores;

const ORIGIN: &str = "http://localhost:8080";
const OWN: &str = "/api/v1/me/passkeys";

#[test]
fn passkeys_on_the_embedded_table_and_a_folder() {
    hold_on(Stores::embedded());
}

#[test]
fn passkeys_on_dynamodb_and_s3() {
    hold_on(Stores::distributed());
}

fn hold_on(stores: Stores) {
    let stores = stores
        .with("FERROTYPE_PUBLIC_URL", ORIGIN)
        .with("FERROTYPE_ACCOUNTS_ATTEMPTS_PER_ADDRESS", "20");
    let server = stores.serve();
    let administrator = Client::set_up(&server);
    let nobody = Client::anonymous(server.url());
    let offered = nobody.get("/api/v1/service").expect(200);
    assert_eq!(offered["accounts"]["passkeys"], true);
    people_come_in_with_what_they_have_added(&administrator, &nobody);
    passkeys_are_their_owners_business(&administrator);
    whoever_is_erased_comes_in_no_more(&administrator, &nobody);
    strangers_try_only_so_often(&nobody);
    let log = server.stop();
    let complaints: Vec<_> = log.lines().filter(|line| line.contains("ERROR")).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

fn options(who: &Client, path: &str) -> Value {
    who.post(path, &Value::Null).expect(200)["publicKey"].clone()
}

/// Adds a passkey, as somebody at a browser.
fn add(who: &Client, device: &mut Authenticator, name: &str) -> Answer {
    let made = device.register(&options(who, "/api/v1/me/passkeys/options"), ORIGIN);
    who.post(OWN, &json!({ "name": name, "credential": made }))
}

fn enter(who: &Client, device: &mut Authenticator) -> Answer {
    let used = device.sign_in(&options(who, "/api/v1/session/passkey/options"), ORIGIN);
    who.post("/api/v1/session/passkey", &json!({ "credential": used }))
}

/// Whoever has just come in.
fn entered(who: &Client, answer: &Answer) -> Client {
    answer.expect(201);
    let cookie = answer.header("set-cookie").split(';').next().unwrap();
    let (name, token) = cookie.split_once('=').unwrap();
    assert_eq!(name, "ferrotype_session");
    who.with_token(token).at_a_browser()
}

fn people_come_in_with_what_they_have_added(administrator: &Client, nobody: &Client) {
    let ada = administrator.make_user("ada@example.org").at_a_browser();
    let algorithms = [Algorithm::Es256, Algorithm::EdDsa, Algorithm::Rs256];
    let mut devices = algorithms.map(Authenticator::new);
    for (number, device) in devices.iter_mut().enumerate() {
        device.counts = number != 1;
        let added = add(&ada, device, &format!("Device {number}")).expect(201);
        assert_eq!((&added["backedUp"], added.get("lastUsedAt")), (&json!(false), None));
    }
    add(&ada, &mut devices[0], "Again").assert_refused(409, "passkey_taken");
    for device in &mut devices {
        for _ in 0..2 {
            let session = entered(nobody, &enter(nobody, device));
            assert_eq!(session.get("/api/v1/me").expect(200)["email"], "ada@example.org");
        }
    }
    let listed = ada.get(OWN).expect(200);
    let names: Vec<_> = listed["passkeys"].as_array().unwrap().iter().map(|p| &p["name"]).collect();
    assert_eq!(names, ["Device 0", "Device 1", "Device 2"]);
    assert!(listed["passkeys"].as_array().unwrap().iter().all(|p| p["lastUsedAt"].is_string()));

    // A challenge is answered once, by whichever server.
    let used = devices[1].sign_in(&options(nobody, "/api/v1/session/passkey/options"), ORIGIN);
    let used = json!({ "credential": used });
    nobody.post("/api/v1/session/passkey", &used).expect(201);
    nobody.post("/api/v1/session/passkey", &used).assert_refused(401, "bad_passkey");
    // The copy of an authenticator counts from where it was copied.
    devices[0].sign_count = 0;
    enter(nobody, &mut devices[0]).assert_refused(401, "bad_passkey");
    devices[0].sign_count = 2;
    let session = entered(nobody, &enter(nobody, &mut devices[0]));

    let new = json!({ "current": PASSWORD, "new": "another good password" });
    session.post("/api/v1/me/password", &new).expect(204);
    let session = entered(nobody, &enter(nobody, &mut devices[1]));
    let id = id_of(&listed["passkeys"][1]).to_owned();
    session.delete(&format!("{OWN}/{id}")).expect(204);
    session.get("/api/v1/me").expect(200);
    enter(nobody, &mut devices[1]).assert_refused(401, "bad_passkey");
    add(&session, &mut devices[1], "Back again").expect(201);
    entered(nobody, &enter(nobody, &mut devices[1]));
}

fn passkeys_are_their_owners_business(administrator: &Client) {
    let bob = administrator.make_user("bob@example.org");
    let eve = administrator.make_user("eve@example.org");
    let at_a_browser = bob.at_a_browser();
    bob.post("/api/v1/me/passkeys/options", &Value::Null).assert_refused(403, "browser_only");
    let key = bob.with_scopes(&["read", "write", "delete", "account"]);
    key.post("/api/v1/me/passkeys/options", &Value::Null).assert_refused(403, "browser_only");
    let mut device = Authenticator::new(Algorithm::EdDsa);
    let id = id_of(&add(&at_a_browser, &mut device, "Phone").expect(201)).to_owned();
    let path = format!("{OWN}/{id}");
    let rename = json!({ "name": "Stolen" });
    for other in [&eve, administrator] {
        other.patch(&path, &rename).assert_refused(404, "not_found");
        other.delete(&path).assert_refused(404, "not_found");
        let listed = other.get(OWN).expect(200);
        assert_eq!(listed["passkeys"], json!([]));
    }
    let reader = bob.with_scopes(&["read"]);
    for refused in [reader.get(OWN), reader.patch(&path, &rename), reader.delete(&path)] {
        refused.assert_refused(403, "scope_missing");
    }
    let renamed = bob.patch(&path, &json!({ "name": "Blue phone" })).expect(200);
    assert_eq!((id_of(&renamed), &renamed["name"]), (id.as_str(), &json!("Blue phone")));
    assert_eq!(key.get(OWN).expect(200)["passkeys"][0], renamed);
    for number in 1..20 {
        let mut device = Authenticator::new(Algorithm::EdDsa);
        add(&at_a_browser, &mut device, &format!("Phone {number}")).expect(201);
    }
    let full = at_a_browser.post("/api/v1/me/passkeys/options", &Value::Null);
    full.assert_refused(422, "too_many_passkeys");
    assert_eq!(full.json()["error"]["details"]["limit"], 20);
    bob.delete(&path).expect(204);
    add(&at_a_browser, &mut device, "Phone").expect(201);
}

fn whoever_is_erased_comes_in_no_more(administrator: &Client, nobody: &Client) {
    let max = administrator.make_user("max@example.org").at_a_browser();
    let mut device = Authenticator::new(Algorithm::Es256);
    add(&max, &mut device, "Phone").expect(201);
    let id = max.user_id();
    max.delete("/api/v1/me").expect(202);
    enter(nobody, &mut device).assert_refused(401, "bad_passkey");
    administrator.wait_for(&format!("/api/v1/users/{id}"), 404);
    enter(nobody, &mut device).assert_refused(401, "bad_passkey");
    // Nothing is left of it: somebody else may add it.
    let new = administrator.make_user("max@example.org").at_a_browser();
    add(&new, &mut device, "Phone").expect(201);
    entered(nobody, &enter(nobody, &mut device));
}

/// Comes last: this place is refused from then on.
fn strangers_try_only_so_often(nobody: &Client) {
    let mut stranger = Authenticator::new(Algorithm::EdDsa);
    stranger.user_handle = Some(vec![0; 16]);
    for _ in 0..20 {
        let answer = enter(nobody, &mut stranger);
        if answer.status == 429 {
            answer.assert_refused(429, "too_many_attempts");
            assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
            return;
        }
        answer.assert_refused(401, "bad_passkey");
    }
    enter(nobody, &mut stranger).assert_refused(429, "too_many_attempts");
}
