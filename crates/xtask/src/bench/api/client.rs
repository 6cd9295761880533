//! Single requests, for what the load tool does not do.

use std::time::Duration;

use axum::http::{HeaderMap, header};
use ureq::Agent;

use crate::Outcome;

/// No answer takes so long that is of any use.
const TIMEOUT: Duration = Duration::from_secs(120);
const BOUNDARY: &str = "a-boundary-that-no-photo-contains";
const ANSWER_BYTES_MAX: u64 = 64 << 20;

/// Keeps its connections.
pub struct Client(Agent);

pub struct Answer {
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Client {
    pub fn new() -> Self {
        let config = Agent::config_builder().proxy(None).timeout_global(Some(TIMEOUT));
        Self(config.build().into())
    }

    /// GETs an address as a browser does that takes WebP.
    pub fn get(&self, url: &str, api_key: Option<&str>) -> Outcome<Answer> {
        let mut request = self.0.get(url).header(header::ACCEPT, "image/avif,image/webp,*/*");
        if let Some(api_key) = api_key {
            request = request.header(header::AUTHORIZATION, format!("Bearer {api_key}"));
        }
        read(request.call())
    }

    /// Sends a photo as the only part of a form.
    pub fn upload(&self, url: &str, api_key: Option<&str>, form: &[u8]) -> Outcome<Answer> {
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        let mut request = self.0.post(url).header(header::CONTENT_TYPE, kind);
        if let Some(api_key) = api_key {
            request = request.header(header::AUTHORIZATION, format!("Bearer {api_key}"));
        }
        read(request.send(form))
    }
}

/// A form with a photo as its only part.
pub fn form(field: &str, photo: &[u8]) -> Vec<u8> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{field}\"; \
         filename=\"photo.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"
    );
    [head.as_bytes(), photo, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat()
}

fn read(answer: Result<axum::http::Response<ureq::Body>, ureq::Error>) -> Outcome<Answer> {
    let (head, mut body) = answer?.into_parts();
    let body = body.with_config().limit(ANSWER_BYTES_MAX).read_to_vec()?;
    Ok(Answer { headers: head.headers, body })
}
