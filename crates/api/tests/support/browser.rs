//! A client with cookies, as far as a browser matters here.

use std::net::SocketAddr;

use serde_json::Value;
use ureq::Body;
use ureq::http::{Request, Response, Uri, header};

use super::{json_of, send};

/// Keeps cookies for one host, whatever the port, and says that its requests come from the pages
/// that it shows.
#[derive(Clone, Debug)]
pub struct Browser {
    address: SocketAddr,
    /// Path, name and value.
    cookies: Vec<(String, String, String)>,
}

impl Browser {
    pub fn at(address: SocketAddr) -> Self {
        Self { address, cookies: Vec::new() }
    }

    pub async fn get(&mut self, path: &str) -> Response<Body> {
        self.send("GET", path, None, "").await
    }

    pub async fn delete(&mut self, path: &str) -> Response<Body> {
        self.send("DELETE", path, None, "").await
    }

    pub async fn post(&mut self, path: &str, body: Value) -> Response<Body> {
        self.send("POST", path, Some("application/json"), &body.to_string()).await
    }

    pub async fn patch(&mut self, path: &str, body: Value) -> Response<Body> {
        self.send("PATCH", path, Some("application/json"), &body.to_string()).await
    }

    pub async fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> Response<Body> {
        let body = encode(fields);
        self.send("POST", path, Some("application/x-www-form-urlencoded"), &body).await
    }

    pub async fn json(&mut self, path: &str) -> Value {
        json_of(self.get(path).await)
    }

    /// Goes to a URL of any port of this machine, and remembers that port.
    pub fn visit(&mut self, url: &str) -> String {
        let uri: Uri = url.parse().unwrap();
        if let Some(authority) = uri.authority() {
            self.address = authority.as_str().parse().unwrap();
        }
        uri.path_and_query().map_or("/".to_owned(), |path| path.as_str().to_owned())
    }

    pub fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.iter().find(|(_, own, _)| own == name).map(|(_, _, value)| value.as_str())
    }

    pub fn set_cookie(&mut self, path: &str, name: &str, value: &str) {
        self.cookies.retain(|(p, n, _)| (p.as_str(), n.as_str()) != (path, name));
        if !value.is_empty() {
            self.cookies.push((path.to_owned(), name.to_owned(), value.to_owned()));
        }
    }

    async fn send(
        &mut self,
        method: &str,
        path: &str,
        content_type: Option<&str>,
        body: &str,
    ) -> Response<Body> {
        let mut request = Request::builder().method(method).uri(path);
        request = request.header("sec-fetch-site", "same-origin").header("user-agent", "Browser");
        let here = path.split('?').next().unwrap();
        let fitting = self.cookies.iter().filter(|(path, ..)| here.starts_with(path.as_str()));
        let cookies: Vec<_> = fitting.map(|(_, name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            request = request.header(header::COOKIE, cookies.join("; "));
        }
        if let Some(content_type) = content_type {
            request = request.header(header::CONTENT_TYPE, content_type);
        }
        let response = send(self.address, request.body(body.to_owned()).unwrap()).await;
        for set in response.headers().get_all(header::SET_COOKIE) {
            self.keep(set.to_str().unwrap());
        }
        response
    }

    fn keep(&mut self, set: &str) {
        let mut parts = set.split(';').map(str::trim);
        let (name, value) = parts.next().unwrap().split_once('=').unwrap();
        let find = |wanted: &str| {
            set.split(';').map(str::trim).find_map(|part| {
                let (name, value) = part.split_once('=')?;
                name.eq_ignore_ascii_case(wanted).then_some(value)
            })
        };
        let path = find("path").unwrap_or("/").to_owned();
        let value = if find("max-age") == Some("0") { "" } else { value };
        self.set_cookie(&path, name, value);
    }
}

/// Where an answer sends the browser.
pub fn location(response: &Response<Body>) -> String {
    assert!(response.status().is_redirection(), "{:?}", response.status());
    response.headers()[header::LOCATION].to_str().unwrap().to_owned()
}

pub fn encode(fields: &[(&str, &str)]) -> String {
    let escape = |text: &str| -> String {
        let escaped = text.bytes().map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        });
        escaped.collect()
    };
    let pairs: Vec<_> =
        fields.iter().map(|(n, v)| format!("{}={}", escape(n), escape(v))).collect();
    pairs.join("&")
}
