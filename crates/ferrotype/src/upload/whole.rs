//! A file in one request, as a form in parts: the usual way for photos.

use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use reqwest::{Body, Method, header};

use super::client::{
    ANSWER_TIMEOUT, IDEMPOTENCY_KEY, NewUpload, Refusal, Server, accept, read_json, send,
};

/// What a file has become.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// This new image.
    Created(String),
    /// This image, which had the same bytes before.
    AlreadyThere(String),
}

/// How an upload ended, beside the status.
const UPLOAD_OUTCOME: header::HeaderName = header::HeaderName::from_static("upload-outcome");

impl Taken {
    /// The image that it is.
    pub(super) fn image(&self) -> &str {
        match self {
            Self::Created(image) | Self::AlreadyThere(image) => image,
        }
    }
}

impl Server {
    /// Sends what is beside the file of an image.
    pub(super) async fn put_sidecar(&self, image: &str, bytes: Vec<u8>) -> Result<(), Refusal> {
        let request = self
            .request(Method::PUT, &format!("/api/v1/images/{image}/sidecar"))
            .header(header::CONTENT_TYPE, "application/rdf+xml")
            .timeout(ANSWER_TIMEOUT)
            .body(bytes);
        accept(send(request).await?).await.map(|_| ())
    }

    /// Sends a file with all that is said about it.
    pub(super) async fn send_whole<S>(&self, new: &NewUpload<'_>, file: S) -> Result<Taken, Refusal>
    where
        S: Stream<Item = std::io::Result<Bytes>> + Send + 'static,
    {
        let boundary = format!("{:032x}", rand::random::<u128>());
        let (head, tail) = (head(new, &boundary), format!("\r\n--{boundary}--\r\n").into_bytes());
        let length = head.len() as u64 + new.size_bytes + tail.len() as u64;
        let part = |bytes: Vec<u8>| stream::once(async { Ok(Bytes::from(bytes)) });
        let body = part(head).chain(file).chain(part(tail));
        let request = self
            .request(Method::POST, "/api/v1/images")
            .header(IDEMPOTENCY_KEY, new.idempotency_key)
            .header(header::CONTENT_TYPE, format!("multipart/form-data; boundary={boundary}"))
            .header(header::CONTENT_LENGTH, length)
            .body(Body::wrap_stream(body));
        let answer = accept(send(request).await?).await?;
        let outcome = answer.headers().get(UPLOAD_OUTCOME).cloned();
        let answer = read_json(answer).await?;
        let image = answer.get("id").and_then(serde_json::Value::as_str);
        let image = image.ok_or_else(|| self.no_ferrotype())?.to_owned();
        // What is repeated is this very request, whose first answer was lost.
        Ok(match outcome.as_ref().map(header::HeaderValue::as_bytes) {
            Some(b"duplicate") => Taken::AlreadyThere(image),
            _ => Taken::Created(image),
        })
    }
}

/// Everything before the bytes of the file.
fn head(new: &NewUpload<'_>, boundary: &str) -> Vec<u8> {
    let mut head = String::new();
    let size = ("sizeBytes", new.size_bytes.to_string());
    for (name, value) in new.fields().into_iter().chain([size]) {
        head += &format!(
            "--{boundary}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        );
    }
    let mut head = head.into_bytes();
    if let Some(sidecar) = &new.sidecar {
        let begin = format!(
            "--{boundary}\r\ncontent-disposition: form-data; name=\"sidecar\"\r\n\
             content-type: application/rdf+xml\r\n\r\n"
        );
        head.extend([begin.as_bytes(), sidecar, b"\r\n"].concat());
    }
    // The name of the file is a field: what may stand in a header is less than what names may have.
    let begin = format!(
        "--{boundary}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"file\"\r\n\
         content-type: application/octet-stream\r\n\r\n"
    );
    head.extend(begin.into_bytes());
    head
}

#[cfg(test)]
mod tests {
    use super::super::client::Labels;
    use super::*;

    #[test]
    fn everything_is_said_before_the_bytes() {
        let labels = Labels { tags: vec!["a".to_owned(), "b c".to_owned()], visibility: None };
        let new = NewUpload {
            filename: Some("Abend \"am\" See.jpg"),
            size_bytes: 7,
            sha256: "00ff",
            modified_at: "2026-05-01T10:00:00.000Z".to_owned(),
            labels: &labels,
            sidecar: Some(b"<x/>".to_vec()),
            idempotency_key: "k",
        };
        let head = String::from_utf8(head(&new, "B")).unwrap();
        for said in [
            "name=\"sha256\"\r\n\r\n00ff\r\n--B",
            "name=\"fileModifiedAt\"\r\n\r\n2026-05-01T10:00:00.000Z\r\n--B",
            "name=\"filename\"\r\n\r\nAbend \"am\" See.jpg\r\n--B",
            "name=\"tags\"\r\n\r\na,b c\r\n--B",
            "name=\"sizeBytes\"\r\n\r\n7\r\n--B",
            "name=\"sidecar\"\r\ncontent-type: application/rdf+xml\r\n\r\n<x/>\r\n--B",
        ] {
            assert!(head.contains(said), "{said:?} is not in {head:?}");
        }
        assert!(head.ends_with("content-type: application/octet-stream\r\n\r\n"));
    }
}
