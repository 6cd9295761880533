use model::Role;
use serde_json::{Value, json};
use service::{AccountSettings, SignUp};

use crate::people::{PASSWORD, add, address, bearer};
use crate::support::browser::Browser;
use crate::support::{Options, Server, cheap_accounts, code_of, json_of};

fn account(name: &str) -> Value {
    json!({ "email": address(name), "name": name, "password": PASSWORD })
}

#[tokio::test]
async fn an_invitation_lets_one_person_in() {
    let server = Server::start().await;
    add(&server, "root", Role::Administrator).await;
    add(&server, "ada", Role::User).await;
    let (root, ada) = (bearer(&server, "root").await, bearer(&server, "ada").await);
    assert_eq!(code_of(ada.post("/api/v1/invitations", json!({})).await), "forbidden");
    assert_eq!(code_of(ada.get("/api/v1/invitations").await), "forbidden");
    let invited = root.post("/api/v1/invitations", json!({ "email": address("bob") })).await;
    assert_eq!(invited.status(), 201);
    let invited = json_of(invited);
    let token = invited["token"].as_str().unwrap();
    assert_eq!(invited["path"], format!("/signup?invitation={token}"));
    assert_eq!((&invited["role"], &invited["email"]), (&json!("user"), &json!(address("bob"))));
    let listed = json_of(root.get("/api/v1/invitations").await);
    assert_eq!(listed["items"][0]["id"], invited["id"]);
    assert!(!listed.to_string().contains(token));

    let mut stranger = Browser::at(server.address);
    assert_eq!(code_of(stranger.post("/api/v1/signup", account("bob")).await), "sign_up_closed");
    let with = |name: &str| {
        let mut body = account(name);
        body["invitation"] = json!(token);
        body
    };
    assert_eq!(code_of(stranger.post("/api/v1/signup", with("eve")).await), "bad_invitation");
    let answer = stranger.post("/api/v1/signup", with("bob")).await;
    assert_eq!(answer.status(), 201);
    assert_eq!(stranger.json("/api/v1/me").await["emailVerified"], true);
    assert_eq!(code_of(stranger.post("/api/v1/signup", with("bob")).await), "bad_invitation");

    let revoked =
        json_of(root.post("/api/v1/invitations", json!({ "role": "administrator" })).await);
    let path = format!("/api/v1/invitations/{}", revoked["id"].as_str().unwrap());
    assert_eq!(root.delete(&path).await.status(), 204);
    assert_eq!(code_of(root.delete(&path).await), "not_found");
}

#[tokio::test]
async fn an_open_installation_takes_everybody_once() {
    let accounts = AccountSettings { sign_up: SignUp::Open, ..cheap_accounts() };
    let server = Server::with(Options { accounts: Some(accounts), ..Options::default() }).await;
    let mut stranger = Browser::at(server.address);
    let answer = stranger.post("/api/v1/signup", account("ada")).await;
    assert_eq!(answer.status(), 201);
    assert_eq!(json_of(answer)["user"]["role"], "user");
    assert_eq!(code_of(stranger.post("/api/v1/signup", account("ada")).await), "email_taken");
    let mut wrong = account("bob");
    wrong["email"] = json!("nonsense");
    let answer = json_of(stranger.post("/api/v1/signup", wrong).await);
    assert_eq!(answer["error"]["details"]["field"], "email");
}

#[tokio::test]
async fn administrators_find_make_change_and_erase_users() {
    let server = Server::start().await;
    let root_id = add(&server, "root", Role::Administrator).await.user;
    add(&server, "ada", Role::User).await;
    let (root, ada) = (bearer(&server, "root").await, bearer(&server, "ada").await);
    let made = root.post("/api/v1/users", account("bob")).await;
    assert_eq!((made.status().as_u16(), made.headers().contains_key("etag")), (201, true));
    let bob = json_of(made);
    let path = format!("/api/v1/users/{}", bob["id"].as_str().unwrap());
    assert_eq!(code_of(root.post("/api/v1/users", account("bob")).await), "email_taken");

    let listed = json_of(root.get("/api/v1/users").await);
    let emails: Vec<&Value> =
        listed["items"].as_array().unwrap().iter().map(|user| &user["email"]).collect();
    assert_eq!(emails, [&json!(address("ada")), &json!(address("bob")), &json!(address("root"))]);
    let found = json_of(root.get("/api/v1/users?email=BOB@example.org").await);
    assert_eq!(found["items"][0]["id"], bob["id"]);
    let nobody = json_of(root.get("/api/v1/users?email=nobody@example.org").await);
    assert_eq!(nobody["items"], json!([]));

    // Others see a name, and nothing else.
    let seen = json_of(ada.get(&path).await);
    assert_eq!(seen, json!({ "id": bob["id"], "name": "bob" }));
    for (method, path) in [
        ("GET", "/api/v1/users"),
        ("GET", "/api/v1/users?email=bob@example.org"),
        ("GET", &format!("{path}/quota")),
        ("GET", "/api/v1/quotas"),
        ("DELETE", &path),
    ] {
        let answer = ada.send(method, path, Value::Null, &[]).await;
        assert_eq!(code_of(answer), "forbidden", "{method} {path}");
    }
    let refused = ada.send("PATCH", &path, json!({ "name": "x" }), &[]).await;
    assert_eq!(code_of(refused), "forbidden");
    let refused = ada.send("PATCH", "/api/v1/me", json!({ "role": "administrator" }), &[]).await;
    assert_eq!(code_of(refused), "forbidden");
    assert_eq!(code_of(ada.post("/api/v1/users", account("eve")).await), "forbidden");
    let reset = json!({ "new": "battery staple" });
    assert_eq!(code_of(ada.post(&format!("{path}/password"), reset.clone()).await), "forbidden");
    assert_eq!(root.post(&format!("{path}/password"), reset).await.status(), 204);

    assert_eq!(root.delete(&path).await.status(), 202);
    let erasing = json_of(root.get(&path).await);
    assert!(erasing["erasingSince"].is_string(), "{erasing}");
    let last = root.delete(&format!("/api/v1/users/{root_id}")).await;
    assert_eq!(code_of(last), "last_administrator");
    let unknown = root.get("/api/v1/users/01ARZ3NDEKTSV4RRFFQ69G5FAV").await;
    assert_eq!(code_of(unknown), "not_found");
    assert_eq!(code_of(root.get("/api/v1/users/nonsense").await), "not_found");
}

#[tokio::test]
async fn a_change_needs_the_version_it_was_made_for() {
    let server = Server::start().await;
    add(&server, "ada", Role::User).await;
    let ada = bearer(&server, "ada").await;
    let edit = async |body: Value, headers: &[(&str, &str)]| {
        ada.send("PATCH", "/api/v1/me", body, headers).await
    };
    let answer = edit(json!({ "name": "Ada", "version": 1 }), &[]).await;
    let tag = answer.headers()["etag"].to_str().unwrap().to_owned();
    assert_eq!(json_of(answer)["version"], 2);
    let late = edit(json!({ "name": "A.", "version": 1 }), &[]).await;
    let late = json_of(late);
    assert_eq!(late["error"]["code"], "conflict");
    assert_eq!(late["error"]["details"]["currentVersion"], 2);
    let answer = edit(json!({ "name": "A." }), &[("if-match", &tag)]).await;
    assert_eq!(answer.status(), 200);
    let late = edit(json!({ "name": "B." }), &[("if-match", &tag)]).await;
    assert_eq!(code_of(late), "precondition_failed");
    let long = edit(json!({ "name": "x".repeat(256) }), &[]).await;
    assert_eq!(code_of(long), "name_too_long");
    let picture = edit(json!({ "picture": "01ARZ3NDEKTSV4RRFFQ69G5FAV" }), &[]).await;
    assert_eq!(json_of(picture)["error"]["details"]["field"], "picture");
    let cleared = edit(json!({ "picture": null, "person": null }), &[]).await;
    assert_eq!(cleared.status(), 200);
}

#[tokio::test]
async fn the_last_administrator_stays_one() {
    let server = Server::start().await;
    add(&server, "root", Role::Administrator).await;
    let root = bearer(&server, "root").await;
    let lower = json!({ "role": "user" });
    let refused = root.send("PATCH", "/api/v1/me", lower.clone(), &[]).await;
    assert_eq!(code_of(refused), "last_administrator");
    assert_eq!(code_of(root.delete("/api/v1/me").await), "last_administrator");
    add(&server, "second", Role::Administrator).await;
    let lowered = root.send("PATCH", "/api/v1/me", lower, &[]).await;
    assert_eq!(json_of(lowered)["role"], "user");
    assert_eq!(code_of(root.get("/api/v1/users").await), "forbidden");
}

#[tokio::test]
async fn what_new_accounts_may_keep_is_asked_and_decided() {
    let server = Server::start().await;
    add(&server, "root", Role::Administrator).await;
    let root = bearer(&server, "root").await;
    let path = "/api/v1/quotas/default";
    let usual = json!({
        "imagesMax": 500, "bytesMax": 21_474_836_480_i64, "diskPercent": null, "diskBytes": null,
        "source": "builtIn",
    });
    assert_eq!(json_of(root.get(path).await), usual);
    let decided = root.send("PUT", path, json!({ "imagesMax": null, "bytesMax": 5 }), &[]).await;
    let decided = json_of(decided);
    assert_eq!((&decided["imagesMax"], &decided["bytesMax"]), (&json!(null), &json!(5)));
    assert_eq!(decided["source"], "administrator");
    let both = json!({ "bytesMax": 5, "diskPercent": 5 });
    let refused = json_of(root.send("PUT", path, both, &[]).await);
    assert_eq!(refused["error"]["details"]["field"], "diskPercent");
    let ada = add(&server, "ada", Role::User).await.user;
    let quota = json_of(root.get(&format!("/api/v1/users/{ada}/quota")).await);
    assert_eq!((&quota["imagesMax"], &quota["bytesMax"]), (&json!(null), &json!(5)));
}

#[tokio::test]
async fn quotas_are_set_and_listed_by_what_is_left() {
    let server = Server::start().await;
    let root_id = add(&server, "root", Role::Administrator).await.user;
    let ada_id = add(&server, "ada", Role::User).await.user;
    let (root, ada) = (bearer(&server, "root").await, bearer(&server, "ada").await);
    let path = format!("/api/v1/users/{ada_id}/quota");
    let set = json!({ "imagesMax": 7, "bytesMax": 1000 });
    assert_eq!(code_of(ada.send("PUT", &path, set.clone(), &[]).await), "forbidden");
    let quota = json_of(root.send("PUT", &path, set, &[]).await);
    let expected = json!({
        "imagesMax": 7, "imagesLeft": 7, "imagesUsed": 0,
        "bytesMax": 1000, "bytesLeft": 1000, "bytesUsed": 0,
    });
    assert_eq!(quota, expected);
    assert_eq!(json_of(ada.get(&path).await), expected);
    assert_eq!(json_of(ada.get("/api/v1/me").await)["quota"], expected);
    let listed = json_of(root.get("/api/v1/quotas?limit=1").await);
    assert_eq!(listed["items"][0]["user"]["id"], ada_id.to_string());
    let cursor = listed["nextCursor"].as_str().unwrap();
    let rest = json_of(root.get(&format!("/api/v1/quotas?limit=1&cursor={cursor}")).await);
    assert_eq!(rest["items"][0]["user"]["id"], root_id.to_string());
    let negative = json!({ "imagesMax": -1, "bytesMax": 0 });
    let refused = json_of(root.send("PUT", &path, negative, &[]).await);
    assert_eq!(refused["error"]["details"]["field"], "imagesMax");
    let lifted = json_of(root.send("PUT", &path, json!({ "imagesMax": null }), &[]).await);
    assert_eq!((&lifted["imagesMax"], &lifted["imagesLeft"]), (&json!(null), &json!(null)));
    assert_eq!(lifted["bytesMax"], 1000, "what is absent stays");
}
