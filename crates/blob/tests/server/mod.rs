//! The servers that the S3 tests talk to.

use std::net::TcpListener as StdTcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use blob::{S3Config, S3Credentials, Secret};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::signer::{Method, SignedUrlOptions, Signer};
use testkit::servers::{ACCESS_KEY_ID, Ministack, REGION, SECRET_ACCESS_KEY};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// An empty bucket on ministack, below a prefix of its own.
pub async fn config() -> S3Config {
    let endpoint = tokio::task::spawn_blocking(|| Ministack::shared().endpoint()).await.unwrap();
    let bucket_name = format!("test-{:016x}", rand::random::<u64>());
    let config = S3Config { endpoint: Some(endpoint), ..bucket(&bucket_name) };
    let config = S3Config { prefix: Some("some/prefix".to_owned()), ..config };
    request(&config, Method::PUT, &[]).await;
    config
}

/// A bucket with the credentials that ministack knows.
pub fn bucket(name: &str) -> S3Config {
    S3Config { region: Some(REGION.to_owned()), credentials: credentials(), ..S3Config::new(name) }
}

pub fn credentials() -> S3Credentials {
    S3Credentials::Static {
        access_key_id: ACCESS_KEY_ID.to_owned(),
        secret_access_key: Secret::new(SECRET_ACCESS_KEY),
        session_token: None,
    }
}

/// How many uploads in parts wait to be finished in the bucket.
pub async fn unfinished_uploads(config: &S3Config) -> usize {
    request(config, Method::GET, &[("uploads", "")]).await.matches("<UploadId>").count()
}

/// A signed request to the bucket itself.
async fn request(config: &S3Config, method: Method, query: &[(&str, &str)]) -> String {
    // What the first store to be opened does for everybody.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let options = SignedUrlOptions::new().with_query(query.iter().copied());
    let lifetime = Duration::from_secs(60);
    let signed = signer(config)
        .signed_url_opts(method.clone(), &Path::default(), lifetime, &options)
        .await
        .unwrap();
    let answer = reqwest::Client::new().request(method, signed).send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    assert!(status.is_success(), "{status}: {text}");
    text
}

fn signer(config: &S3Config) -> AmazonS3 {
    AmazonS3Builder::new()
        .with_endpoint(config.endpoint.as_deref().unwrap())
        .with_allow_http(true)
        .with_bucket_name(&config.bucket)
        .with_region(REGION)
        .with_access_key_id(ACCESS_KEY_ID)
        .with_secret_access_key(SECRET_ACCESS_KEY)
        .build()
        .unwrap()
}

/// A loopback port that nobody listens on.
pub fn closed_port() -> u16 {
    StdTcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// What a server says to a request.
#[derive(Clone, Copy)]
pub struct Answer {
    status: u16,
    body: &'static str,
}

impl Answer {
    pub fn new(status: u16, body: &'static str) -> Self {
        Self { status, body }
    }
}

/// A server that gives these answers one after the other, and the last one for ever.
pub struct Answering {
    pub endpoint: String,
    requests: Arc<AtomicUsize>,
    task: tokio::task::JoinHandle<()>,
}

impl Answering {
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub async fn answering(answers: Vec<Answer>) -> Answering {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let requests = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&requests);
    let task = tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let number = counter.fetch_add(1, Ordering::SeqCst);
            let answer = answers[number.min(answers.len() - 1)];
            answer_one(stream, answer).await;
        }
    });
    Answering { endpoint, requests, task }
}

async fn answer_one(mut stream: TcpStream, Answer { status, body }: Answer) {
    let mut request = Vec::new();
    while !request.windows(4).any(|window| window == b"\r\n\r\n") {
        if stream.read_buf(&mut request).await.unwrap_or(0) == 0 {
            return;
        }
    }
    let answer = format!(
        "HTTP/1.1 {status} Answer\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(answer.as_bytes()).await;
    let _ = stream.shutdown().await;
    // Until the client has read it; resetting the connection could take it away.
    while stream.read_buf(&mut request).await.unwrap_or(0) > 0 {}
}
