//! Photos through the real program, as a user's own program would send and fetch them.

use std::path::Path;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::tempdir;
use testkit::wait::wait_until;
use ureq::Agent;
use ureq::http::{Request, Response};

use crate::program::{DEADLINE, Server};

/// Longer than the lease of a worker that was killed, and that of the one after it.
const PROCESSED: Duration = Duration::from_secs(240);
const LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// A program with a token.
struct Client {
    base: String,
    token: String,
}

impl Client {
    /// Makes the first administrator by the link that the server prints.
    fn set_up(server: &Server) -> Self {
        let link = server.line_with("setup?token=");
        let (_, token) = link.split_once("setup?token=").unwrap();
        let administrator = json!({
            "token": token.trim(),
            "email": "ada@example.org",
            "name": "Ada",
            "password": "correct horse battery",
            "kind": "bearer",
        });
        let mut client = Self { base: server.url().to_owned(), token: String::new() };
        let (status, session) = client.json("POST", "/api/v1/setup", &administrator);
        assert_eq!(status, 201, "{session}");
        session["token"].as_str().unwrap().clone_into(&mut client.token);
        client
    }

    /// The same program after the server was started again.
    fn at(&self, server: &Server) -> Self {
        Self { base: server.url().to_owned(), token: self.token.clone() }
    }

    fn send(&self, request: ureq::http::request::Builder, body: Vec<u8>) -> Response<Vec<u8>> {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .max_redirects(0)
            .proxy(None);
        let agent: Agent = config.timeout_global(Some(DEADLINE)).build().into();
        let request = request.header("authorization", format!("Bearer {}", self.token));
        let answer = agent.run(request.body(body).unwrap()).unwrap();
        let (parts, mut body) = answer.into_parts();
        Response::from_parts(parts, body.read_to_vec().unwrap())
    }

    fn request(&self, method: &str, path: &str) -> ureq::http::request::Builder {
        Request::builder().method(method).uri(format!("{}{path}", self.base))
    }

    fn json(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let request = self.request(method, path).header("content-type", "application/json");
        let bytes = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let answer = self.send(request, bytes);
        let body = serde_json::from_slice(answer.body()).unwrap_or(Value::Null);
        (answer.status().as_u16(), body)
    }

    fn get(&self, path: &str) -> (u16, Value) {
        self.json("GET", path, &Value::Null)
    }

    fn upload(&self, file: &[u8], title: &str) -> (u16, Value) {
        let boundary = "8f14e45fceea167a";
        let mut form = format!(
            "--{boundary}\r\ncontent-disposition: form-data; name=\"title\"\r\n\r\n{title}\r\n\
             --{boundary}\r\ncontent-disposition: form-data; name=\"file\"; \
             filename=\"sunset.jpg\"\r\ncontent-type: image/jpeg\r\n\r\n"
        )
        .into_bytes();
        form.extend_from_slice(file);
        form.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
        let kind = format!("multipart/form-data; boundary={boundary}");
        let request = self.request("POST", "/api/v1/images").header("content-type", kind);
        let answer = self.send(request, form);
        (answer.status().as_u16(), serde_json::from_slice(answer.body()).unwrap())
    }

    /// Waits until an image has its renditions.
    fn completed(&self, id: &str) -> Value {
        let mut last = Value::Null;
        let done = wait_until(PROCESSED, || {
            // Not so often that it is too often.
            std::thread::sleep(LOOK_INTERVAL);
            last = self.get(&format!("/api/v1/images/{id}")).1;
            last["status"] == "completed"
        });
        assert!(done, "{last}");
        last
    }
}

fn start(folder: &Path) -> Server {
    Server::start(folder, &[])
}

/// A small file of a kind that needs no encoder: a bitmap that no other seed gives.
fn bitmap(seed: u8) -> Vec<u8> {
    let (width, height) = (320_u32, 200_u32);
    let pixels = (0..width * height).flat_map(|n| {
        let byte = |shift: u32| u8::try_from((n >> shift) & 0xFF).unwrap();
        [byte(0) ^ seed, byte(4), byte(8)]
    });
    let data: Vec<u8> = pixels.collect();
    let mut file = b"BM".to_vec();
    let size = u32::try_from(54 + data.len()).unwrap();
    for number in [size, 0, 54, 40, width, height] {
        file.extend_from_slice(&number.to_le_bytes());
    }
    file.extend_from_slice(&[1, 0, 24, 0]);
    file.extend_from_slice(&[0; 24]);
    file.extend_from_slice(&data);
    file
}

#[test]
fn a_photo_is_taken_in_rendered_found_changed_and_deleted() {
    let folder = tempdir().unwrap();
    let server = start(folder.path());
    let client = Client::set_up(&server);
    let file = bitmap(1);
    let (status, image) = client.upload(&file, "Evening");
    assert_eq!((status, &image["title"]), (201, &json!("Evening")), "{image}");
    let id = image["id"].as_str().unwrap();
    let image = client.completed(id);
    assert_eq!((&image["width"], &image["height"]), (&json!(320), &json!(200)));
    assert_eq!(image["filename"], "sunset.jpg");

    // Signed addresses need no token.
    let anonymous = Client { base: client.base.clone(), token: "nobody".to_owned() };
    let thumb = image["sizes"]["thumb"]["url"].as_str().unwrap();
    let picture = anonymous.request("GET", thumb).header("accept", "image/webp");
    let picture = anonymous.send(picture, Vec::new());
    assert_eq!(picture.status(), 200);
    assert_eq!(picture.headers()["content-type"], "image/webp");
    assert!(picture.headers()["cache-control"].to_str().unwrap().contains("immutable"));
    assert_eq!(picture.body().get(..4), Some(&b"RIFF"[..]));
    let forged = thumb.replace("thumb", "large");
    assert_eq!(anonymous.get(&forged).0, 403);
    let original = image["originalUrl"].as_str().unwrap();
    let fetched = anonymous.send(anonymous.request("GET", original), Vec::new());
    assert_eq!(fetched.body(), &file);

    let (status, listed) = client.get("/api/v1/images");
    assert_eq!((status, &listed["items"][0]["id"]), (200, &json!(id)));
    let path = format!("/api/v1/images/{id}");
    let edit = json!({ "title": null, "tags": ["sun", "sea"], "version": image["version"] });
    let (status, edited) = client.json("PATCH", &path, &edit);
    assert_eq!((status, &edited["title"]), (200, &Value::Null), "{edited}");
    let (status, late) = client.json("PATCH", &path, &edit);
    assert_eq!((status, &late["error"]["code"]), (409, &json!("conflict")));
    assert_eq!(late["error"]["details"]["currentVersion"], edited["version"]);

    assert_eq!(client.json("DELETE", &path, &Value::Null).0, 204);
    assert_eq!(client.get("/api/v1/trash").1["items"][0]["id"], json!(id));
    assert_eq!(client.json("POST", &format!("{path}/restore"), &Value::Null).0, 200);
    assert_eq!(client.json("DELETE", &format!("{path}?permanent=true"), &Value::Null).0, 204);
    let gone = wait_until(DEADLINE, || {
        std::thread::sleep(LOOK_INTERVAL);
        client.get(&path).0 == 404
    });
    assert!(gone);
    server.stop();
}

#[test]
fn what_was_acknowledged_survives_a_kill_and_is_processed_afterwards() {
    let folder = tempdir().unwrap();
    let mut server = start(folder.path());
    let mut client = Client::set_up(&server);
    let mut acknowledged = Vec::new();
    for round in 0..4 {
        for n in 0..3 {
            let file = bitmap(round * 3 + n);
            let (status, image) = client.upload(&file, "kept");
            assert_eq!(status, 201, "{image}");
            acknowledged.push((image["id"].as_str().unwrap().to_owned(), file));
        }
        server.signal(Signal::KILL);
        let _ = server.wait();
        server = start(folder.path());
        client = client.at(&server);
    }
    for (id, file) in &acknowledged {
        let image = client.completed(id);
        let original = image["originalUrl"].as_str().unwrap();
        assert_eq!(client.send(client.request("GET", original), Vec::new()).body(), file);
        assert_eq!(image["sizes"].as_object().unwrap().len(), 4);
    }
    let (status, me) = client.get("/api/v1/me");
    assert_eq!(status, 200, "{me}");
    server.stop();
}

#[test]
fn an_upload_is_resumed_by_tus_after_the_server_was_killed() {
    let folder = tempdir().unwrap();
    let mut server = start(folder.path());
    let client = Client::set_up(&server);
    let file = bitmap(9);
    let create = client
        .request("POST", "/api/v1/uploads")
        .header("tus-resumable", "1.0.0")
        .header("upload-length", file.len().to_string());
    let created = client.send(create, Vec::new());
    assert_eq!(created.status(), 201);
    let location = created.headers()["location"].to_str().unwrap().to_owned();
    let patch = |client: &Client, offset: usize, bytes: &[u8]| {
        let request = client
            .request("PATCH", &location)
            .header("tus-resumable", "1.0.0")
            .header("upload-offset", offset.to_string())
            .header("content-type", "application/offset+octet-stream");
        client.send(request, bytes.to_vec())
    };
    assert_eq!(patch(&client, 0, &file[..50_000]).status(), 204);
    assert_eq!(patch(&client, 7, &file[..50_000]).status(), 409);
    server.signal(Signal::KILL);
    let _ = server.wait();
    server = start(folder.path());
    let client = client.at(&server);
    let head = client.request("HEAD", &location).header("tus-resumable", "1.0.0");
    let head = client.send(head, Vec::new());
    assert_eq!(
        (head.status().as_u16(), &head.headers()["upload-offset"]),
        (200, &"50000".parse().unwrap())
    );
    let done = patch(&client, 50_000, &file[50_000..]);
    assert_eq!(done.status(), 204, "{}", String::from_utf8_lossy(done.body()));
    let id = done.headers()["upload-image"].to_str().unwrap().to_owned();
    client.completed(&id);
    server.stop();
}
