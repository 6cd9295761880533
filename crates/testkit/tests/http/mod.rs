//! A plain HTTP client: one request per connection, nothing retried, nothing hidden.
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;
use testkit::servers::{ACCESS_KEY_ID, REGION};

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

pub struct Client {
    authority: String,
    timeout: Duration,
}

impl Client {
    pub fn new(endpoint: &str) -> Self {
        let authority = endpoint.strip_prefix("http://").unwrap().to_owned();
        Self { authority, timeout: Duration::from_secs(30) }
    }

    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Calls a DynamoDB operation.
    pub fn call(&self, operation: &str, body: &Value) -> io::Result<Answer> {
        let headers = format!(
            "Content-Type: application/x-amz-json-1.0\r\n\
             X-Amz-Target: DynamoDB_20120810.{operation}\r\nX-Amz-Date: 20250101T000000Z\r\n\
             Authorization: AWS4-HMAC-SHA256 \
             Credential={ACCESS_KEY_ID}/20250101/{REGION}/dynamodb/aws4_request, \
             SignedHeaders=host, Signature=0\r\n"
        );
        self.send("POST", "/", &headers, &body.to_string())
    }

    /// Calls a DynamoDB operation that must succeed.
    pub fn must(&self, operation: &str, body: &Value) -> Value {
        let answer = self.call(operation, body).unwrap();
        assert_eq!(answer.status, 200, "{operation}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }

    pub fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> io::Result<Answer> {
        let mut stream = TcpStream::connect(&self.authority)?;
        stream.set_read_timeout(Some(self.timeout))?;
        let authority = &self.authority;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n{headers}\
             Content-Length: {length}\r\n\r\n{body}"
        )?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)?;
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Ok(Answer { status, head, body: bytes.split_off(end + 4) })
    }
}
