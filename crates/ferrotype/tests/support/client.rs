//! A program that talks to the server, for one user or for nobody.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::wait::wait_until;
use ureq::Agent;
use ureq::http::{HeaderMap, Request};

use super::program::{DEADLINE, Server};

/// Longer than the lease of a worker that was killed, and that of the one after it.
const PROCESSED: Duration = Duration::from_secs(240);
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// A password that is good enough.
pub const PASSWORD: &str = "correct horse battery";

/// Somebody with a token, or nobody.
#[derive(Clone)]
pub struct Client {
    pub base: String,
    pub token: Option<String>,
    /// Whether the token is a session's that a browser sends as a cookie.
    is_browser: bool,
    agent: Agent,
}

/// What the server said.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// What stands beside the file in a form.
#[derive(Clone, Debug, Default)]
pub struct Form<'a> {
    pub fields: Vec<(&'a str, &'a str)>,
    pub filename: Option<&'a str>,
    pub headers: Vec<(&'a str, &'a str)>,
}

impl Client {
    pub fn anonymous(base: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .max_redirects(0)
            .proxy(None);
        let agent = config.timeout_global(Some(DEADLINE)).build().into();
        Self { base: base.to_owned(), token: None, is_browser: false, agent }
    }

    /// Makes the first administrator by the link that the server prints.
    pub fn set_up(server: &Server) -> Self {
        let link = server.line_with("setup?token=");
        let (_, token) = link.split_once("setup?token=").unwrap();
        let administrator = json!({
            "token": token.trim(),
            "email": "root@example.org",
            "name": "Root",
            "password": PASSWORD,
            "kind": "bearer",
        });
        let nobody = Self::anonymous(server.url());
        let session = nobody.post("/api/v1/setup", &administrator).expect(201);
        nobody.with_token(session["token"].as_str().unwrap())
    }

    /// The same program with another token.
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), is_browser: false, ..self.clone() }
    }

    /// The same session in a browser, on a page of the server.
    pub fn at_a_browser(&self) -> Self {
        Self { is_browser: true, ..self.clone() }
    }

    /// The same program after the server was started again.
    pub fn at(&self, server: &Server) -> Self {
        Self { base: server.url().to_owned(), ..self.clone() }
    }

    /// An administrator makes a user, who signs in.
    pub fn make_user(&self, email: &str) -> Self {
        let user = json!({ "email": email, "name": email, "password": PASSWORD });
        self.post("/api/v1/users", &user).expect(201);
        self.sign_in(email)
    }

    pub fn sign_in(&self, email: &str) -> Self {
        let credentials = json!({ "email": email, "password": PASSWORD, "kind": "bearer" });
        let session = self.post("/api/v1/session", &credentials).expect(201);
        self.with_token(session["token"].as_str().unwrap())
    }

    /// The same user with an API key that may do only this.
    pub fn with_scopes(&self, scopes: &[&str]) -> Self {
        let key = json!({ "name": "a key", "scopes": scopes });
        let made = self.post("/api/v1/me/keys", &key).expect(201);
        self.with_token(made["token"].as_str().unwrap())
    }

    /// A request to a path of the server, or to any address.
    pub fn request(&self, method: &str, path: &str) -> ureq::http::request::Builder {
        let uri =
            if path.starts_with('/') { format!("{}{path}", self.base) } else { path.to_owned() };
        let request = Request::builder().method(method).uri(uri);
        match &self.token {
            Some(token) if self.is_browser => request
                .header("cookie", format!("ferrotype_session={token}"))
                .header("sec-fetch-site", "same-origin"),
            Some(token) => request.header("authorization", format!("Bearer {token}")),
            None => request,
        }
    }

    pub fn send(&self, request: ureq::http::request::Builder, body: Vec<u8>) -> Answer {
        self.try_send(request, body).unwrap()
    }

    /// The same when the server may be killed meanwhile.
    pub fn try_send(
        &self,
        request: ureq::http::request::Builder,
        body: Vec<u8>,
    ) -> Result<Answer, ureq::Error> {
        let answer = if body.is_empty() {
            self.agent.run(request.body(()).unwrap())?
        } else {
            self.agent.run(request.body(body).unwrap())?
        };
        let (parts, mut body) = answer.into_parts();
        if parts.headers.get("content-type").is_some_and(|kind| kind == "text/event-stream") {
            // It has no end; whoever wants events reads them elsewhere.
            return Ok(Answer {
                status: parts.status.as_u16(),
                headers: parts.headers,
                body: vec![],
            });
        }
        let body = body.with_config().limit(1 << 30).read_to_vec()?;
        Ok(Answer { status: parts.status.as_u16(), headers: parts.headers, body })
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path), Vec::new())
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.send(self.request("DELETE", path), Vec::new())
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.json("POST", path, body)
    }

    pub fn patch(&self, path: &str, body: &Value) -> Answer {
        self.json("PATCH", path, body)
    }

    pub fn json(&self, method: &str, path: &str, body: &Value) -> Answer {
        let request = self.request(method, path);
        if body.is_null() {
            return self.send(request, Vec::new());
        }
        self.send(request.header("content-type", "application/json"), body.to_string().into())
    }

    pub fn upload(&self, file: &[u8]) -> Answer {
        self.upload_form(file, &Form::default())
    }

    pub fn upload_form(&self, file: &[u8], form: &Form<'_>) -> Answer {
        self.try_upload(file, form).unwrap()
    }

    pub fn try_upload(&self, file: &[u8], form: &Form<'_>) -> Result<Answer, ureq::Error> {
        let boundary = "8f14e45fceea167a";
        let mut body = Vec::new();
        for (name, value) in &form.fields {
            let part = format!(
                "--{boundary}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            );
            body.extend_from_slice(part.as_bytes());
        }
        let head = format!(
            "--{boundary}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{}\"\r\n\
             content-type: image/jpeg\r\n\r\n",
            form.filename.unwrap_or("sunset.jpg"),
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(file);
        body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
        let kind = format!("multipart/form-data; boundary={boundary}");
        let mut request = self.request("POST", "/api/v1/images").header("content-type", kind);
        for (name, value) in &form.headers {
            request = request.header(*name, *value);
        }
        self.try_send(request, body)
    }

    /// An image of this user, processed.
    pub fn keep(&self, file: &[u8]) -> Value {
        let image = self.upload(file).expect(201);
        self.completed(id_of(&image))
    }

    /// Waits until an image has its renditions.
    pub fn completed(&self, id: &str) -> Value {
        let mut last = Value::Null;
        let done = wait_until(PROCESSED, || {
            // Not so often that it is too often.
            std::thread::sleep(LOOK_INTERVAL);
            last = self.get(&format!("/api/v1/images/{id}")).json();
            last["status"] == "completed"
        });
        assert!(done, "{last}");
        last
    }

    /// Waits until an image has been given up.
    pub fn failed(&self, id: &str) -> Value {
        let mut last = Value::Null;
        let done = wait_until(PROCESSED, || {
            std::thread::sleep(LOOK_INTERVAL);
            last = self.get(&format!("/api/v1/images/{id}")).json();
            last["status"] == "failed"
        });
        assert!(done, "{last}");
        last
    }

    /// Waits until a path answers with this status.
    #[track_caller]
    pub fn wait_for(&self, path: &str, status: u16) {
        let mut last = 0;
        let done = wait_until(DEADLINE, || {
            std::thread::sleep(LOOK_INTERVAL);
            last = self.get(path).status;
            last == status
        });
        assert!(done, "{path} answers {last}, not {status}");
    }

    /// What the user may still keep: images and bytes. Without a limit, it is counted below the one
    /// that rows have.
    pub fn left(&self) -> (i64, i64) {
        let me = self.get("/api/v1/me").expect(200);
        let number = |name: &str| me["quota"][name].as_i64();
        let left = |left: &str, used: &str| {
            number(left).unwrap_or_else(|| model::Quota::UNLIMITED - number(used).unwrap())
        };
        (left("imagesLeft", "imagesUsed"), left("bytesLeft", "bytesUsed"))
    }

    pub fn user_id(&self) -> String {
        let me = self.get("/api/v1/me").expect(200);
        id_of(&me).to_owned()
    }
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The body, if the status is this one.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{text}");
        self.json()
    }

    /// The status and the code of an error, after a look at its shape.
    #[track_caller]
    pub fn refusal(&self) -> (u16, String) {
        let body = self.json();
        let error = &body["error"];
        let (code, message) = (error["code"].as_str(), error["message"].as_str());
        assert!(message.is_some_and(|message| !message.is_empty()), "{self:?}");
        assert_eq!(error["requestId"].as_str(), Some(self.header("x-request-id")), "{body}");
        (self.status, code.unwrap_or_default().to_owned())
    }

    #[track_caller]
    pub fn assert_refused(&self, status: u16, code: &str) {
        assert_eq!(self.refusal(), (status, code.to_owned()), "{}", self.json());
    }

    /// A header, or nothing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

pub fn id_of(thing: &Value) -> &str {
    thing["id"].as_str().unwrap()
}
