//! Requests to a server, and what its answers mean to someone who uploads.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::TakenAt;
use reqwest::header::{HeaderMap, HeaderName, RETRY_AFTER};
use reqwest::{Body, Client, Method, RequestBuilder, Response, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use super::address::ServerAddress;
use super::key::Key;
use crate::http_client::{self, causes};

/// A server, asked as the owner of a key.
#[derive(Clone)]
pub(super) struct Server {
    http: Client,
    address: Arc<ServerAddress>,
    key: Arc<Key>,
}

/// Who uploads.
pub(super) struct Me {
    /// Tells one user of a server from another, for as long as their key says who they are.
    pub(super) id: String,
}

/// What is said about a file before its bytes.
pub(super) struct NewUpload<'a> {
    pub(super) filename: Option<&'a str>,
    pub(super) size_bytes: u64,
    pub(super) sha256: &'a str,
    /// When the file was last written, as RFC 3339 has it.
    pub(super) modified_at: String,
    pub(super) labels: &'a Labels,
    /// What stands in the file of XMP beside it.
    pub(super) sidecar: Option<Vec<u8>>,
    /// Tells a repeated request from a new one.
    pub(super) idempotency_key: &'a str,
}

/// What is said about every image of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    /// Public tags.
    pub(super) tags: Vec<String>,
    /// Who may see them; nobody else unless said otherwise.
    pub(super) visibility: Option<&'static str>,
    /// When they were taken, if not as each file says.
    pub(super) taken: Option<TakenAt>,
}

impl NewUpload<'_> {
    /// What is said, by the names that all ways to upload share.
    pub(super) fn fields(&self) -> Vec<(&'static str, String)> {
        let mut fields =
            vec![("sha256", self.sha256.to_owned()), ("fileModifiedAt", self.modified_at.clone())];
        fields.extend(self.filename.map(|name| ("filename", name.to_owned())));
        fields.extend(self.labels.visibility.map(|who| ("visibility", who.to_owned())));
        fields.extend(self.labels.taken.map(|at| ("takenAt", at.to_string())));
        if !self.labels.tags.is_empty() {
            fields.push(("tags", self.labels.tags.join(",")));
        }
        fields
    }
}

/// How an upload begins.
pub(super) enum Begun {
    /// Its id; bytes may come.
    Upload(String),
    /// The server has answered this very request before, and this is the image.
    Known(String),
}

/// How far an upload has come.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// So many bytes are kept.
    At(u64),
    /// All are, and this is the image.
    Complete(String),
}

/// An image, as far as waiting for it goes.
#[derive(Deserialize)]
pub(super) struct ImageState {
    pub(super) id: String,
    pub(super) status: String,
    pub(super) error: Option<String>,
}

/// Why a request did not do what it should, by what can be done about it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Nobody answered, or the server cannot do it now; it may later.
    Passing { reason: String, after: Option<Duration>, blame: Blame },
    /// Too many requests; wait so long.
    Busy { after: Duration },
    /// Bytes were sent from the wrong place; ask where to go on.
    WrongOffset,
    /// The upload is no longer there.
    Gone { reason: String },
    /// Not the server but a proxy in front of it takes no body of this size.
    TooLong,
    /// No image will be taken any more.
    Full { reason: String },
    /// This file will not be taken.
    File { reason: String, code: String },
    /// No file will be.
    All { reason: String },
}

/// What a passing trouble has to do with, for those who cannot wait for its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blame {
    /// The server: no file can be sent now.
    Server,
    /// Perhaps this file: others may get through.
    File,
}

impl Refusal {
    /// Something that may be otherwise in a moment.
    pub(super) fn passing(reason: String) -> Self {
        Self::Passing { reason, after: None, blame: Blame::File }
    }

    /// Why, for programs.
    pub(super) fn code(&self) -> &str {
        match self {
            Self::File { code, .. } => code,
            Self::TooLong => "proxy_body_limit",
            _ => "no_answer",
        }
    }

    /// A file that will not be taken.
    pub(super) fn file(reason: impl Into<String>, code: &str) -> Self {
        Self::File { reason: reason.into(), code: code.to_owned() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passing { reason, .. }
            | Self::Gone { reason }
            | Self::Full { reason }
            | Self::File { reason, .. }
            | Self::All { reason } => f.write_str(reason),
            Self::Busy { after } => write!(f, "the server asks to wait {after:?}"),
            Self::WrongOffset => f.write_str("bytes were sent from the wrong place"),
            Self::TooLong => f.write_str(
                "the proxy in front of the server refuses bodies of this size; let it allow at \
                 least 16 MB (nginx: `client_max_body_size 20m;`), see docs/operations/proxy.md",
            ),
        }
    }
}

const TUS_RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
const UPLOAD_LENGTH: HeaderName = HeaderName::from_static("upload-length");
const UPLOAD_METADATA: HeaderName = HeaderName::from_static("upload-metadata");
const UPLOAD_OFFSET: HeaderName = HeaderName::from_static("upload-offset");
/// The image that an upload has become.
const UPLOAD_IMAGE: HeaderName = HeaderName::from_static("upload-image");
pub(super) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// For everything but sending bytes.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// Images asked about at once; the API takes no more.
pub(super) const BATCH_MAX: usize = 100;
/// No answer that we read is longer.
const ANSWER_BYTES_MAX: usize = 4 << 20;
/// Whatever the server says, it is asked again after this.
const WAIT_MAX: Duration = Duration::from_secs(5 * 60);

impl Server {
    pub(super) fn new(address: ServerAddress, key: Key) -> Result<Self, String> {
        // Redirects are not followed: the key is for the server that was named.
        let builder = http_client::builder(address.as_str())
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none());
        let http = builder.build().map_err(causes)?;
        Ok(Self { http, address: Arc::new(address), key: Arc::new(key) })
    }

    /// Who the key belongs to, if it may be known.
    pub(super) async fn find_me(&self) -> Result<Me, Refusal> {
        let request = self.request(Method::GET, "/api/v1/me").timeout(ANSWER_TIMEOUT);
        let answer = send(request).await?;
        if answer.status() == StatusCode::FORBIDDEN {
            // A key that may write but not read. Then it tells users apart by itself.
            return Ok(Me { id: self.key.fingerprint() });
        }
        if answer.status() == StatusCode::NOT_FOUND {
            return Err(no_ferrotype(&self.address));
        }
        let answer = read_json(accept(answer).await?).await?;
        let id =
            answer.get("id").and_then(Value::as_str).ok_or_else(|| no_ferrotype(&self.address))?;
        let scopes = answer.get("scopes").and_then(Value::as_array);
        let writes = |scopes: &Vec<Value>| scopes.iter().any(|scope| scope == "write");
        if scopes.is_some_and(|scopes| !writes(scopes)) {
            let reason = "the API key lacks the scope write; make another one".to_owned();
            return Err(Refusal::All { reason });
        }
        Ok(Me { id: id.to_owned() })
    }

    /// Begins an upload.
    pub(super) async fn begin(&self, new: &NewUpload<'_>) -> Result<Begun, Refusal> {
        let metadata: Vec<String> = new
            .fields()
            .iter()
            .map(|(name, value)| format!("{name} {}", STANDARD.encode(value)))
            .collect();
        let request = self
            .tus(Method::POST, "/api/v1/uploads")
            .header(UPLOAD_LENGTH, new.size_bytes)
            .header(UPLOAD_METADATA, metadata.join(","))
            .header(IDEMPOTENCY_KEY, new.idempotency_key);
        let answer = send(request.timeout(ANSWER_TIMEOUT)).await?;
        if answer.status() == StatusCode::CONFLICT {
            let (code, reason, details) = read_error(answer).await;
            let image = details.get("image").and_then(Value::as_str);
            return match (code.as_str(), image) {
                ("already_exists", Some(image)) => Ok(Begun::Known(image.to_owned())),
                _ => Err(Refusal::Gone { reason }),
            };
        }
        let answer = accept(answer).await?;
        let location = answer.headers().get(reqwest::header::LOCATION);
        let id = location.and_then(|text| text.to_str().ok()?.rsplit('/').next());
        // Only the id is taken, so that bytes and key go nowhere but to this server.
        let plain = |id: &&str| !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric());
        let id = id.filter(plain).ok_or_else(|| no_ferrotype(&self.address))?;
        Ok(Begun::Upload(id.to_owned()))
    }

    /// Asks how far an upload has come.
    pub(super) async fn standing(&self, upload: &str) -> Result<Standing, Refusal> {
        let request = self.tus(Method::HEAD, &format!("/api/v1/uploads/{upload}"));
        let answer = send(request.timeout(ANSWER_TIMEOUT)).await?;
        let status = answer.status();
        match accept(answer).await {
            Ok(answer) => standing_in(answer.headers()).ok_or_else(|| no_ferrotype(&self.address)),
            // There is no body to say why: whoever begins again is told.
            Err(Refusal::File { .. } | Refusal::TooLong) => {
                Err(Refusal::Gone { reason: format!("the upload was given up ({status})") })
            }
            Err(refusal) => Err(refusal),
        }
    }

    /// Sends bytes that begin at `offset`.
    pub(super) async fn append(
        &self,
        upload: &str,
        offset: u64,
        size_bytes: u64,
        body: Body,
    ) -> Result<Standing, Refusal> {
        let request = self
            .tus(Method::PATCH, &format!("/api/v1/uploads/{upload}"))
            .header(UPLOAD_OFFSET, offset)
            .header(reqwest::header::CONTENT_TYPE, "application/offset+octet-stream")
            .header(reqwest::header::CONTENT_LENGTH, size_bytes)
            .body(body);
        let answer = accept(send(request).await?).await?;
        standing_in(answer.headers()).ok_or_else(|| no_ferrotype(&self.address))
    }

    /// The images of these ids that there are.
    pub(super) async fn find_images(&self, ids: &[&str]) -> Result<Vec<ImageState>, Refusal> {
        #[derive(Deserialize)]
        struct Found {
            items: Vec<ImageState>,
        }
        let request = self.json(Method::POST, "/api/v1/images/batch-get", &json!({ "ids": ids }));
        let answer = accept(send(request).await?).await?;
        let found: Found = serde_json::from_value(read_json(answer).await?)
            .map_err(|_| no_ferrotype(&self.address))?;
        Ok(found.items)
    }

    fn tus(&self, method: Method, path: &str) -> RequestBuilder {
        self.request(method, path).header(TUS_RESUMABLE, "1.0.0")
    }

    pub(super) fn json(&self, method: Method, path: &str, body: &Value) -> RequestBuilder {
        self.request(method, path)
            .header(reqwest::header::CONTENT_TYPE, "application/json")
            .timeout(ANSWER_TIMEOUT)
            .body(body.to_string())
    }

    /// What is at the address is something else.
    pub(super) fn no_ferrotype(&self) -> Refusal {
        no_ferrotype(&self.address)
    }

    pub(super) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.address.as_str());
        self.http.request(method, url).header(reqwest::header::AUTHORIZATION, self.key.header())
    }
}

pub(super) async fn send(request: RequestBuilder) -> Result<Response, Refusal> {
    request.send().await.map_err(|error| lost(format!("no answer ({})", causes(error))))
}

/// An answer of success, or what its error means.
pub(super) async fn accept(answer: Response) -> Result<Response, Refusal> {
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    if status.is_redirection() {
        let to = answer.headers().get(reqwest::header::LOCATION);
        let to = to.and_then(|to| to.to_str().ok()).unwrap_or("elsewhere");
        let reason = format!("the server sends us to {to}; give that address with --server");
        return Err(Refusal::All { reason });
    }
    let after = retry_after(answer.headers());
    let (code, reason, _) = read_error(answer).await;
    Err(meaning(status, &code, reason, after))
}

fn meaning(status: StatusCode, code: &str, reason: String, after: Option<Duration>) -> Refusal {
    match (status.as_u16(), code) {
        (401, _) => {
            Refusal::All { reason: format!("the server does not accept the key: {reason}") }
        }
        (403, "quota_images") => Refusal::Full { reason },
        (403, "scope_missing") => Refusal::All { reason },
        (404, _) | (409, "upload_gone") => Refusal::Gone { reason },
        (409, "wrong_offset") => Refusal::WrongOffset,
        (500, _) => Refusal::Passing { reason, after, blame: Blame::File },
        (400, "upload_interrupted") | (408 | 460 | 501..=599, _) => {
            Refusal::Passing { reason, after, blame: Blame::Server }
        }
        // The server itself would say why.
        (413, "") => Refusal::TooLong,
        (429, _) => Refusal::Busy { after: after.unwrap_or(Duration::from_secs(1)) },
        _ => Refusal::file(reason, code),
    }
}

/// The code, the message and the details of an error.
async fn read_error(answer: Response) -> (String, String, Value) {
    #[derive(Deserialize)]
    struct Told {
        error: Error,
    }
    #[derive(Deserialize)]
    struct Error {
        code: String,
        message: String,
        #[serde(default)]
        details: Value,
    }
    let status = answer.status();
    let body = read(answer).await.unwrap_or_default();
    match serde_json::from_slice::<Told>(&body) {
        Ok(Told { error }) => {
            (error.code.clone(), format!("{} ({})", error.message, error.code), error.details)
        }
        Err(_) => (String::new(), format!("the answer is {status}"), Value::Null),
    }
}

pub(super) async fn read_json(answer: Response) -> Result<Value, Refusal> {
    let address = answer.url().origin().ascii_serialization();
    let body = read(answer).await?;
    serde_json::from_slice(&body).map_err(|_| Refusal::All {
        reason: format!("{address} answers, but not as Ferrotype does; check --server"),
    })
}

async fn read(mut answer: Response) -> Result<Vec<u8>, Refusal> {
    let mut body = Vec::new();
    while let Some(bytes) = answer.chunk().await.map_err(|error| lost(causes(error)))? {
        body.extend_from_slice(&bytes);
        if body.len() > ANSWER_BYTES_MAX {
            return Err(lost("the server answers without end".to_owned()));
        }
    }
    Ok(body)
}

fn standing_in(headers: &HeaderMap) -> Option<Standing> {
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    match text(&UPLOAD_IMAGE) {
        Some(image) => Some(Standing::Complete(image.to_owned())),
        None => text(&UPLOAD_OFFSET)?.parse().ok().map(Standing::At),
    }
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds).min(WAIT_MAX))
}

fn lost(reason: String) -> Refusal {
    Refusal::Passing { reason, after: None, blame: Blame::Server }
}

fn no_ferrotype(address: &ServerAddress) -> Refusal {
    let reason = format!("{} answers, but not as Ferrotype does; check --server", address.as_str());
    Refusal::All { reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_apart_by_what_can_be_done() {
        let meaning = |status: u16, code: &str| {
            meaning(StatusCode::from_u16(status).unwrap(), code, "why".to_owned(), None)
        };
        let reason = || "why".to_owned();
        assert!(matches!(meaning(401, "unauthenticated"), Refusal::All { .. }));
        assert_eq!(meaning(403, "quota_images"), Refusal::Full { reason: reason() });
        assert_eq!(meaning(403, "quota_bytes"), Refusal::file("why", "quota_bytes"));
        assert_eq!(meaning(404, "not_found"), Refusal::Gone { reason: reason() });
        assert_eq!(meaning(409, "wrong_offset"), Refusal::WrongOffset);
        assert_eq!(meaning(409, "upload_gone"), Refusal::Gone { reason: reason() });
        let unsupported = Refusal::file("why", "unsupported_image");
        assert_eq!(meaning(415, "unsupported_image"), unsupported);
        let too_large = Refusal::file("why", "file_too_large");
        assert_eq!(meaning(413, "file_too_large"), too_large);
        assert_eq!(meaning(413, ""), Refusal::TooLong);
        assert_eq!(meaning(429, "rate_limited"), Refusal::Busy { after: Duration::from_secs(1) });
        let passing = |blame| Refusal::Passing { reason: reason(), after: None, blame };
        assert_eq!(meaning(500, "internal"), passing(Blame::File));
        for status in [408, 502, 503, 507] {
            assert_eq!(meaning(status, ""), passing(Blame::Server), "{status}");
        }
    }

    #[test]
    fn how_long_to_wait_is_bounded() {
        let said =
            |text: &str| retry_after(&HeaderMap::from_iter([(RETRY_AFTER, text.parse().unwrap())]));
        assert_eq!(said("7"), Some(Duration::from_secs(7)));
        assert_eq!(said("999999999"), Some(WAIT_MAX));
        assert_eq!(said("Wed, 21 Oct 2015 07:28:00 GMT"), None);
    }
}
