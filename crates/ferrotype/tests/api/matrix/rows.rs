//! What every route asks of those who call it.

use serde_json::{Value, json};

use super::{Ask, Cast, id};
use crate::support::client::{Answer, Client, PASSWORD};

/// Whom a route lets in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Right {
    Everybody,
    /// Whoever has something that is not sent here, whoever they are; else this code.
    Proof(&'static str),
    SignedIn,
    /// Everybody who is signed in at a browser, and no program.
    Browser,
    /// To everybody else it looks as if it did not exist, administrators included.
    Owner,
    OwnerOrAdministrator,
    Administrator,
}

/// A route.
pub(super) struct Row {
    method: &'static str,
    path: &'static str,
    pub(super) right: Right,
    /// The scope that a key needs, if any.
    scope: Option<&'static str>,
    /// The status for those who may, or of [`Right::Proof`] for all.
    pub(super) success: u16,
    pub(super) ask: fn(&Cast) -> Ask,
}

use Right::{Administrator, Browser, Everybody, Owner, OwnerOrAdministrator, Proof, SignedIn};

#[rustfmt::skip]
pub(super) fn all() -> Vec<Row> {
    let row = |method, path, right, scope, success, ask| Row { method, path, right, scope, success, ask };
    let read = Some("read");
    let write = Some("write");
    let delete = Some("delete");
    let account = Some("account");
    let admin = Some("admin");
    vec![
        row("GET", "/health/live", Everybody, None, 200, nothing),
        row("GET", "/health/ready", Everybody, None, 200, nothing),
        row("GET", "/metrics", Everybody, None, 200, nothing),
        row("GET", "/api/v1/service", Everybody, None, 200, nothing),
        row("OPTIONS", "/api/v1/uploads", Everybody, None, 204, nothing),
        row("POST", "/api/v1/setup", Proof("bad_set_up"), None, 403, set_up),
        row("POST", "/api/v1/signup", Proof("bad_invitation"), None, 403, sign_up),
        row("POST", "/api/v1/session", Proof("wrong_password"), None, 401, credentials),
        // This server has no address that passkeys could be bound to; `passkeys` has one that has.
        row("POST", "/api/v1/session/passkey/options", Proof("passkeys_off"), None, 409, nothing),
        row("POST", "/api/v1/session/passkey", Proof("passkeys_off"), None, 409, used_passkey),
        row("PUT", "/storage/{key}", Proof("bad_signature"), None, 403, bytes),

        row("GET", "/api/v1/images", SignedIn, read, 200, nothing),
        row("POST", "/api/v1/images", SignedIn, write, 201, form),
        row("POST", "/api/v1/images/batch-get", SignedIn, read, 200, ids),
        // The scope `read` or `write`; see `uploading`.
        row("POST", "/api/v1/images/exists", SignedIn, None, 200, sums),
        row("GET", "/api/v1/images/archive.zip", SignedIn, read, 200, nothing),
        row("POST", "/api/v1/images/archive.zip", Owner, read, 200, chosen),
        row("GET", "/api/v1/images/{id}", Owner, read, 200, image),
        row("PATCH", "/api/v1/images/{id}", Owner, write, 200, edit),
        row("DELETE", "/api/v1/images/{id}", Owner, delete, 204, image),
        row("PUT", "/api/v1/images/{id}/sidecar", Owner, write, 200, sidecar),
        row("GET", "/api/v1/images/{id}/sidecar", Owner, read, 200, with_sidecar),
        row("POST", "/api/v1/images/{id}/restore", Owner, delete, 200, trashed),
        // It has not failed, which only its owner is told.
        row("POST", "/api/v1/images/{id}/retry", Owner, write, 409, image),
        row("POST", "/api/v1/images/retry", SignedIn, write, 200, ids),
        row("POST", "/api/v1/images/taken", SignedIn, write, 200, no_dates),
        row("GET", "/i/{image}/{name}", Owner, read, 200, image),
        row("GET", "/api/v1/timeline", SignedIn, read, 200, nothing),
        row("GET", "/api/v1/timeline/months", SignedIn, read, 200, nothing),
        row("GET", "/api/v1/timeline/months/{month}", SignedIn, read, 200, nothing),
        row("GET", "/api/v1/timeline/chunk", SignedIn, read, 200, of_month),
        row("GET", "/api/v1/feed", SignedIn, read, 200, nothing),
        row("GET", "/api/v1/trash", SignedIn, read, 200, nothing),
        row("GET", "/api/v1/users/{id}/images", SignedIn, read, 200, owner),
        row("GET", "/api/v1/changes", SignedIn, read, 200, nothing),
        row("GET", "/api/v1/changes/stream", SignedIn, read, 200, nothing),

        row("GET", "/api/v1/albums", SignedIn, read, 200, nothing),
        row("POST", "/api/v1/albums", SignedIn, write, 201, titled),
        row("GET", "/api/v1/albums/shared", SignedIn, read, 200, nothing),
        row("GET", "/api/v1/albums/{id}", Owner, read, 200, album),
        row("PATCH", "/api/v1/albums/{id}", Owner, write, 200, edit_album),
        row("DELETE", "/api/v1/albums/{id}", Owner, delete, 204, album),
        row("GET", "/api/v1/albums/{id}/albums", Owner, read, 200, album),
        row("GET", "/api/v1/albums/{id}/images", Owner, read, 200, album),
        row("POST", "/api/v1/albums/{id}/images", Owner, write, 200, album_images),
        row("POST", "/api/v1/albums/{id}/images/move", Owner, write, 204, no_ids_of_album),
        row("GET", "/api/v1/albums/{id}/members", Owner, read, 200, album),
        row("PUT", "/api/v1/albums/{id}/members/{user}", Owner, write, 200, join_album),
        row("DELETE", "/api/v1/albums/{id}/members/{user}", Owner, write, 204, member_of_album),
        row("GET", "/api/v1/images/{id}/albums", Owner, read, 200, image),
        row("GET", "/api/v1/images/{id}/persons", Owner, read, 200, image),
        row("GET", "/api/v1/persons", SignedIn, read, 200, nothing),
        row("GET", "/api/v1/persons/suggestions", SignedIn, read, 200, nothing),
        row("GET", "/api/v1/persons/suggestions/names", SignedIn, read, 200, nothing),
        row("GET", "/api/v1/persons/edits", SignedIn, read, 200, nothing),
        row("GET", "/api/v1/me/persons", SignedIn, read, 200, nothing),
        row("GET", "/api/v1/me/photos-with-me", SignedIn, read, 200, nothing),
        // There is nobody before photos have been looked at; see `people` for the rest.
        row("GET", "/api/v1/persons/{id}", SignedIn, read, 404, person),
        row("PATCH", "/api/v1/persons/{id}", SignedIn, write, 404, rename_person),
        row("DELETE", "/api/v1/persons/{id}", SignedIn, delete, 404, person),
        row("GET", "/api/v1/persons/{id}/images", SignedIn, read, 404, person),
        row("GET", "/api/v1/persons/{id}/faces", SignedIn, read, 404, person),
        row("GET", "/api/v1/persons/{id}/picture", SignedIn, read, 404, person),
        row("POST", "/api/v1/persons/{id}/merge", SignedIn, write, 404, merge_persons),
        row("POST", "/api/v1/persons/{id}/split", SignedIn, write, 404, split_person),
        row("POST", "/api/v1/persons/suggestions", SignedIn, write, 404, same_persons),
        row("POST", "/api/v1/persons/suggestions/names", SignedIn, write, 404, person_named),
        row("POST", "/api/v1/persons/edits/{id}/undo", SignedIn, write, 404, unknown),
        row("POST", "/api/v1/faces/{id}/assign", SignedIn, write, 404, assign_face),
        row("POST", "/api/v1/faces/{id}/reject", SignedIn, write, 404, reject_face),
        row("GET", "/api/v1/albums/{id}/tags", Owner, read, 200, album),
        row("GET", "/api/v1/albums/{id}/tag-status", Owner, read, 200, album),
        row("GET", "/api/v1/images/{id}/tags", Owner, read, 200, image),
        row("PUT", "/api/v1/images/{id}/tags", Owner, write, 200, tags),
        row("PUT", "/api/v1/images/{id}/favourite", Owner, write, 204, image),
        // Whether there was one is not told.
        row("DELETE", "/api/v1/images/{id}/favourite", SignedIn, write, 204, image),
        row("GET", "/api/v1/search", SignedIn, read, 200, search),
        row("GET", "/api/v1/search/suggestions", SignedIn, read, 200, search),
        row("GET", "/api/v1/favourites", SignedIn, read, 200, nothing),
        row("GET", "/api/v1/tags", SignedIn, read, 200, nothing),
        row("GET", "/api/v1/tags/images", SignedIn, read, 200, by_tag),
        row("POST", "/api/v1/tags/set", SignedIn, write, 200, no_items),
        row("POST", "/api/v1/tags/rename", SignedIn, write, 200, rename_tag),
        row("PUT", "/api/v1/external/{source}/{uniqueId}", SignedIn, write, 201, external),
        row("GET", "/api/v1/external/{source}/{uniqueId}", SignedIn, read, 200, recorded),

        row("GET", "/api/v1/albums/{id}/archive.zip", Owner, read, 200, album),
        row("GET", "/api/v1/links", SignedIn, read, 200, nothing),
        row("POST", "/api/v1/links", SignedIn, write, 201, search_link),
        row("GET", "/api/v1/links/{id}", Owner, read, 200, link),
        row("PATCH", "/api/v1/links/{id}", Owner, write, 200, edit_link),
        row("DELETE", "/api/v1/links/{id}", Owner, write, 204, link),
        row("GET", "/api/v1/shared/{token}", Everybody, None, 200, shared),
        row("GET", "/api/v1/shared/{token}/images", Everybody, None, 200, shared),
        row("GET", "/api/v1/shared/{token}/images/{image}", Everybody, None, 200, shared),
        row("GET", "/api/v1/shared/{token}/images/{image}/file", Everybody, None, 200, shared),
        row("GET", "/api/v1/shared/{token}/archive.zip", Everybody, None, 200, shared),
        row("POST", "/api/v1/shared/{token}/unlock", Everybody, None, 200, unlock),

        row("POST", "/api/v1/uploads", SignedIn, write, 201, tus),
        row("HEAD", "/api/v1/uploads/{id}", Owner, write, 200, upload),
        row("PATCH", "/api/v1/uploads/{id}", Owner, write, 204, piece),
        row("DELETE", "/api/v1/uploads/{id}", Owner, write, 204, upload),
        row("POST", "/api/v1/uploads/direct", SignedIn, write, 201, empty_object),
        row("POST", "/api/v1/uploads/{id}/complete", Owner, write, 200, image),

        row("POST", "/api/v1/users/batch-get", SignedIn, read, 200, no_ids),
        row("GET", "/api/v1/users/find", SignedIn, read, 200, by_name),
        row("GET", "/api/v1/me", SignedIn, None, 200, nothing),
        row("PATCH", "/api/v1/me", SignedIn, account, 200, rename),
        row("DELETE", "/api/v1/me", SignedIn, account, 202, nothing),
        row("POST", "/api/v1/me/password", SignedIn, account, 204, new_password),
        row("GET", "/api/v1/me/keys", SignedIn, account, 200, nothing),
        row("POST", "/api/v1/me/keys", SignedIn, account, 201, key),
        row("DELETE", "/api/v1/me/keys/{id}", Owner, account, 204, made_key),
        row("POST", "/api/v1/me/passkeys/options", Browser, account, 409, nothing),
        row("POST", "/api/v1/me/passkeys", Browser, account, 409, made_passkey),
        row("GET", "/api/v1/me/passkeys", SignedIn, account, 200, nothing),
        row("PATCH", "/api/v1/me/passkeys/{id}", SignedIn, account, 404, rename_passkey),
        row("DELETE", "/api/v1/me/passkeys/{id}", SignedIn, account, 404, passkey),
        row("GET", "/api/v1/me/sessions", SignedIn, account, 200, nothing),
        row("DELETE", "/api/v1/me/sessions", SignedIn, account, 204, nothing),
        row("DELETE", "/api/v1/me/sessions/{id}", Owner, account, 204, session),
        row("DELETE", "/api/v1/session", SignedIn, None, 204, nothing),

        row("GET", "/api/v1/users", Administrator, admin, 200, nothing),
        row("POST", "/api/v1/users", Administrator, admin, 201, user),
        row("GET", "/api/v1/users/{id}", SignedIn, read, 200, owner),
        row("PATCH", "/api/v1/users/{id}", OwnerOrAdministrator, None, 200, rename_owner),
        row("DELETE", "/api/v1/users/{id}", OwnerOrAdministrator, None, 202, owner),
        row("POST", "/api/v1/users/{id}/password", Administrator, admin, 204, reset_password),
        row("GET", "/api/v1/users/{id}/quota", OwnerOrAdministrator, None, 200, owner),
        row("PUT", "/api/v1/users/{id}/quota", Administrator, admin, 200, quota),
        row("GET", "/api/v1/quotas", Administrator, admin, 200, nothing),
        row("GET", "/api/v1/quotas/default", Administrator, admin, 200, nothing),
        row("PUT", "/api/v1/quotas/default", Administrator, admin, 200, default_quota),
        row("GET", "/api/v1/invitations", Administrator, admin, 200, nothing),
        row("POST", "/api/v1/invitations", Administrator, admin, 201, empty_object),
        row("DELETE", "/api/v1/invitations/{id}", Administrator, admin, 204, invitation),
        row("GET", "/api/v1/admin/dead-work", Administrator, admin, 200, nothing),
        row("POST", "/api/v1/admin/dead-work/retry", Administrator, admin, 404, dead_work),
        row("GET", "/api/v1/admin/progress", Administrator, admin, 200, nothing),
        row("GET", "/api/v1/admin/faces", Administrator, admin, 200, nothing),
        row("POST", "/api/v1/admin/faces/rebuild", Administrator, admin, 202, empty_object),
        row("POST", "/api/v1/admin/metadata", Administrator, admin, 202, nothing),
        row("POST", "/api/v1/admin/sizes", Administrator, admin, 202, nothing),
        row("GET", "/api/v1/admin/overview", Administrator, admin, 200, nothing),
    ]
}

impl Row {
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    pub(super) fn send(&self, client: &Client, ask: &Ask) -> Answer {
        let path = self.path.replace("{id}", &ask.id).replace("{image}", &ask.id);
        let path = path.replace("{user}", &ask.user).replace("{token}", &ask.token);
        let path = path.replace("{source}", "telegram").replace("{uniqueId}", &ask.id);
        let path = path.replace("{month}", "2026-05");
        let path = path.replace("{name}", "original").replace("{key}", "uploads/anything");
        let mut request = client.request(self.method, &format!("{path}{}", ask.query));
        for (name, value) in &ask.headers {
            request = request.header(*name, value);
        }
        client.send(request, ask.body.clone())
    }

    /// A key that may do everything but what the route needs.
    pub(super) fn key_without(&self, cast: &Cast) -> Option<Client> {
        let scope = self.scope?;
        let of_administrator = self.right == Administrator;
        let who = if of_administrator { &cast.administrator } else { &cast.owner };
        let all = ["read", "write", "delete", "account", "admin"];
        let others: Vec<_> = all.into_iter().filter(|other| *other != scope).collect();
        Some(who.with_scopes(&others))
    }
}

fn of_month(_: &Cast) -> Ask {
    Ask { query: "?month=2026-05", ..Ask::default() }
}

fn by_name(_: &Cast) -> Ask {
    Ask { query: "?q=ad", ..Ask::default() }
}

fn no_ids(_: &Cast) -> Ask {
    json_body(&json!({ "ids": [] }))
}

fn nothing(_: &Cast) -> Ask {
    Ask::default()
}

fn json_body(body: &Value) -> Ask {
    let headers = vec![("content-type", "application/json".to_owned())];
    Ask { headers, body: body.to_string().into_bytes(), ..Ask::default() }
}

fn empty_object(_: &Cast) -> Ask {
    empty_object_body()
}

fn set_up(_: &Cast) -> Ask {
    json_body(&json!({
        "token": "x", "email": "late@example.org", "name": "Late", "password": PASSWORD,
    }))
}

fn sign_up(_: &Cast) -> Ask {
    json_body(&json!({
        "invitation": "x", "email": "guest@example.org", "name": "Guest", "password": PASSWORD,
    }))
}

fn credentials(_: &Cast) -> Ask {
    json_body(&json!({ "email": "root@example.org", "password": "not the password" }))
}

fn bytes(_: &Cast) -> Ask {
    let headers = vec![("content-type", "application/octet-stream".to_owned())];
    Ask { headers, body: b"bytes".to_vec(), ..Ask::default() }
}

fn form(cast: &Cast) -> Ask {
    let mut body =
        b"--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n".to_vec();
    body.extend((cast.file)());
    body.extend_from_slice(b"\r\n--b--\r\n");
    let kind = "multipart/form-data; boundary=b".to_owned();
    Ask { headers: vec![("content-type", kind)], body, ..Ask::default() }
}

fn ids(_: &Cast) -> Ask {
    json_body(&json!({ "ids": [] }))
}

fn no_dates(_: &Cast) -> Ask {
    json_body(&json!({ "ids": [], "shiftSeconds": 1 }))
}

fn sums(_: &Cast) -> Ask {
    json_body(&json!({ "sha256": [] }))
}

fn chosen(cast: &Cast) -> Ask {
    json_body(&json!({ "ids": [image(cast).id] }))
}

fn image(cast: &Cast) -> Ask {
    id(&cast.image())
}

fn edit(cast: &Cast) -> Ask {
    Ask { id: image(cast).id, ..json_body(&json!({ "title": "New" })) }
}

fn sidecar(cast: &Cast) -> Ask {
    let xmp = r#"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
        xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="3"/></rdf:RDF></x:xmpmeta>"#;
    let headers = vec![("content-type", "application/rdf+xml".to_owned())];
    Ask { headers, body: xmp.into(), ..image(cast) }
}

fn with_sidecar(cast: &Cast) -> Ask {
    let Ask { id, body, .. } = sidecar(cast);
    let request = cast.owner.request("PUT", &format!("/api/v1/images/{id}/sidecar"));
    cast.owner.send(request, body).expect(200);
    Ask { id, ..Ask::default() }
}

fn titled(_: &Cast) -> Ask {
    json_body(&json!({ "title": "Album" }))
}

fn album(cast: &Cast) -> Ask {
    id(&cast.owner.post("/api/v1/albums", &json!({ "title": "Album" })).expect(201))
}

fn edit_album(cast: &Cast) -> Ask {
    Ask { id: album(cast).id, ..titled(cast) }
}

fn album_images(cast: &Cast) -> Ask {
    let image = image(cast).id;
    Ask { id: album(cast).id, ..json_body(&json!({ "add": [image], "remove": [] })) }
}

fn no_ids_of_album(cast: &Cast) -> Ask {
    Ask { id: album(cast).id, ..ids(cast) }
}

/// Somebody who is none of those who ask.
fn join_album(cast: &Cast) -> Ask {
    let email = format!("member{:08x}@example.org", rand::random::<u32>());
    let user = json!({ "email": email, "name": "Member", "password": PASSWORD });
    let user = cast.administrator.post("/api/v1/users", &user).expect(201);
    let user = user["id"].as_str().unwrap().to_owned();
    Ask { id: album(cast).id, user, ..json_body(&json!({ "role": "viewer" })) }
}

fn member_of_album(cast: &Cast) -> Ask {
    let ask = join_album(cast);
    let path = format!("/api/v1/albums/{}/members/{}", ask.id, ask.user);
    cast.owner.json("PUT", &path, &json!({ "role": "viewer" })).expect(200);
    Ask { id: ask.id, user: ask.user, ..Ask::default() }
}

fn search_link(_: &Cast) -> Ask {
    json_body(&json!({ "search": "sun" }))
}

fn link(cast: &Cast) -> Ask {
    id(&cast.owner.post("/api/v1/links", &json!({ "album": album(cast).id })).expect(201))
}

fn edit_link(cast: &Cast) -> Ask {
    Ask { id: link(cast).id, ..titled(cast) }
}

/// A link to an image that gives its original away.
fn shared(cast: &Cast) -> Ask {
    let image = image(cast).id;
    let asked = json!({ "image": image, "download": "originals" });
    let link = cast.owner.post("/api/v1/links", &asked).expect(201);
    Ask { id: image, token: link["token"].as_str().unwrap().to_owned(), ..Ask::default() }
}

fn unlock(cast: &Cast) -> Ask {
    let asked = json!({ "image": image(cast).id, "password": PASSWORD });
    let link = cast.owner.post("/api/v1/links", &asked).expect(201);
    let token = link["token"].as_str().unwrap().to_owned();
    Ask { token, ..json_body(&json!({ "password": PASSWORD })) }
}

fn tags(cast: &Cast) -> Ask {
    Ask { id: image(cast).id, ..json_body(&json!({ "public": ["sun"], "private": [] })) }
}

fn by_tag(_: &Cast) -> Ask {
    Ask { query: "?tag=sun", ..Ask::default() }
}

fn search(_: &Cast) -> Ask {
    Ask { query: "?q=sun", ..Ask::default() }
}

fn no_items(_: &Cast) -> Ask {
    json_body(&json!({ "items": [] }))
}

fn rename_tag(_: &Cast) -> Ask {
    json_body(&json!({ "from": "sun", "to": "moon" }))
}

fn external(_: &Cast) -> Ask {
    Ask { id: format!("{:016x}", rand::random::<u64>()), ..empty_object_body() }
}

fn empty_object_body() -> Ask {
    json_body(&json!({}))
}

fn recorded(cast: &Cast) -> Ask {
    let Ask { id, .. } = external(cast);
    let path = format!("/api/v1/external/telegram/{id}");
    cast.owner.json("PUT", &path, &json!({})).expect(201);
    Ask { id, ..Ask::default() }
}

fn trashed(cast: &Cast) -> Ask {
    let image = image(cast);
    cast.owner.delete(&format!("/api/v1/images/{}", image.id)).expect(204);
    image
}

fn owner(cast: &Cast) -> Ask {
    Ask { id: cast.owner.user_id(), ..Ask::default() }
}

fn tus(cast: &Cast) -> Ask {
    let length = (cast.file)().len().to_string();
    let headers = vec![("tus-resumable", "1.0.0".to_owned()), ("upload-length", length)];
    Ask { headers, ..Ask::default() }
}

fn upload(cast: &Cast) -> Ask {
    let mut request = cast.owner.request("POST", "/api/v1/uploads");
    for (name, value) in tus(cast).headers {
        request = request.header(name, value);
    }
    let created = cast.owner.send(request, Vec::new());
    let id = created.header("location").rsplit('/').next().unwrap().to_owned();
    Ask { id, headers: vec![("tus-resumable", "1.0.0".to_owned())], ..Ask::default() }
}

fn piece(cast: &Cast) -> Ask {
    let mut ask = upload(cast);
    ask.headers.push(("upload-offset", "0".to_owned()));
    ask.headers.push(("content-type", "application/offset+octet-stream".to_owned()));
    Ask { body: vec![7; 100], ..ask }
}

fn rename(_: &Cast) -> Ask {
    json_body(&json!({ "name": "Renamed" }))
}

fn rename_owner(cast: &Cast) -> Ask {
    Ask { id: cast.owner.user_id(), ..rename(cast) }
}

fn new_password(_: &Cast) -> Ask {
    json_body(&json!({ "current": PASSWORD, "new": "another good password" }))
}

fn reset_password(cast: &Cast) -> Ask {
    Ask { id: cast.owner.user_id(), ..json_body(&json!({ "new": "another good password" })) }
}

fn key(_: &Cast) -> Ask {
    json_body(&json!({ "name": "a key", "scopes": ["read"] }))
}

fn made_key(cast: &Cast) -> Ask {
    let key = json!({ "name": "to be taken back", "scopes": ["read"] });
    id(&cast.owner.post("/api/v1/me/keys", &key).expect(201))
}

fn made_passkey(_: &Cast) -> Ask {
    let response = json!({ "clientDataJSON": "", "attestationObject": "" });
    let credential = json!({ "id": "", "rawId": "", "type": "public-key", "response": response });
    json_body(&json!({ "name": "Phone", "credential": credential }))
}

fn used_passkey(_: &Cast) -> Ask {
    let response = json!({ "clientDataJSON": "", "authenticatorData": "", "signature": "" });
    let credential = json!({ "id": "", "rawId": "", "type": "public-key", "response": response });
    json_body(&json!({ "credential": credential }))
}

fn passkey(_: &Cast) -> Ask {
    Ask { id: "0".repeat(64), ..Ask::default() }
}

fn rename_passkey(cast: &Cast) -> Ask {
    Ask { id: passkey(cast).id, ..json_body(&json!({ "name": "Phone" })) }
}

fn session(cast: &Cast) -> Ask {
    let me = cast.owner.get("/api/v1/me").expect(200);
    cast.nobody.sign_in(me["email"].as_str().unwrap());
    let sessions = cast.owner.get("/api/v1/me/sessions").expect(200);
    let sessions = sessions["items"].as_array().unwrap();
    id(sessions.iter().find(|session| session["current"] != true).unwrap())
}

fn user(_: &Cast) -> Ask {
    let email = format!("new{:08x}@example.org", rand::random::<u32>());
    json_body(&json!({ "email": email, "name": "New", "password": PASSWORD }))
}

/// As it is anyway, so that later rows find what they expect.
fn default_quota(_: &Cast) -> Ask {
    json_body(&json!({ "imagesMax": 500, "bytesMax": 21_474_836_480_i64 }))
}

fn quota(cast: &Cast) -> Ask {
    let quota = json!({ "imagesMax": 5, "bytesMax": 5_000_000 });
    Ask { id: cast.owner.user_id(), ..json_body(&quota) }
}

fn invitation(cast: &Cast) -> Ask {
    id(&cast.administrator.post("/api/v1/invitations", &json!({})).expect(201))
}

fn dead_work(cast: &Cast) -> Ask {
    json_body(&json!({ "kind": "process", "image": image(cast).id }))
}

fn person(_: &Cast) -> Ask {
    Ask { id: "person999999".to_owned(), ..Ask::default() }
}

fn rename_person(cast: &Cast) -> Ask {
    Ask { id: person(cast).id, ..json_body(&json!({ "name": "Anna" })) }
}

fn merge_persons(cast: &Cast) -> Ask {
    Ask { id: person(cast).id, ..json_body(&json!({ "with": ["person999998"] })) }
}

fn split_person(cast: &Cast) -> Ask {
    Ask { id: person(cast).id, ..json_body(&json!({ "faces": [UNKNOWN] })) }
}

fn person_named(_: &Cast) -> Ask {
    json_body(&json!({ "person": "person999999", "name": "Ada", "same": true }))
}

fn same_persons(_: &Cast) -> Ask {
    json_body(&json!({ "persons": ["person999998", "person999999"], "same": false }))
}

const UNKNOWN: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

fn unknown(_: &Cast) -> Ask {
    Ask { id: UNKNOWN.to_owned(), ..Ask::default() }
}

fn assign_face(cast: &Cast) -> Ask {
    let body = json!({ "image": image(cast).id, "name": "Anna" });
    Ask { id: UNKNOWN.to_owned(), ..json_body(&body) }
}

fn reject_face(cast: &Cast) -> Ask {
    Ask { id: UNKNOWN.to_owned(), ..json_body(&json!({ "image": image(cast).id })) }
}
