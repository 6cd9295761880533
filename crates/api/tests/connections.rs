//! What a connection may take, tried with bytes on a real socket.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod support;

use std::time::Duration;

use api::{RequestLimits, Settings};
use serde_json::Value;
use support::{DEADLINE, Options, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Long enough that nothing else is cut off by it, short enough to wait for.
const SHORT: Duration = Duration::from_millis(300);

async fn start(limits: RequestLimits) -> Server {
    let settings = Settings { limits, ..Settings::default() };
    Server::with(Options { settings, ..Options::default() }).await
}

/// Sends some bytes, and reads until the server closes.
async fn say(server: &Server, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    // A reset after the answer is as good as an end.
    let _ = tokio::time::timeout(DEADLINE, read).await.expect("the server never closes");
    String::from_utf8(answer).unwrap()
}

#[track_caller]
fn assert_refused(answer: &str, status: u16, code: &str) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    assert!(head.contains("content-type: application/json"), "{answer}");
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["error"]["code"], code);
    let id = body["error"]["requestId"].as_str().unwrap();
    assert!(head.contains(&format!("x-request-id: {id}")), "{answer}");
}

#[tokio::test]
async fn a_head_that_never_ends_is_cut_off_and_told_so() {
    let server = start(RequestLimits { head_time: SHORT, ..RequestLimits::default() }).await;
    for begun in ["G", "GET /health/live HTTP/1.1\r\nHost: a\r\n", "PRI * HT"] {
        assert_refused(&say(&server, begun.as_bytes()).await, 408, "request_timeout");
    }
}

#[tokio::test]
async fn a_connection_on_which_nothing_is_asked_is_closed_without_a_word() {
    let server = start(RequestLimits { head_time: SHORT, ..RequestLimits::default() }).await;
    assert_eq!(say(&server, b"").await, "");
    let answered = say(&server, b"GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert_eq!(answered.matches("HTTP/1.1 ").count(), 1, "{answered}");
    assert!(answered.starts_with("HTTP/1.1 200 "), "{answered}");
}

#[tokio::test]
async fn a_head_that_is_too_large_is_refused() {
    let server = start(RequestLimits { head_bytes: 8192, ..RequestLimits::default() }).await;
    let long = format!("GET / HTTP/1.1\r\nHost: a\r\nx-long: {}\r\n\r\n", "x".repeat(20_000));
    assert_refused(&say(&server, long.as_bytes()).await, 431, "head_too_large");
    let many = format!("GET / HTTP/1.1\r\nHost: a\r\n{}\r\n", "x-many: 1\r\n".repeat(101));
    assert_refused(&say(&server, many.as_bytes()).await, 431, "head_too_large");
}

#[tokio::test]
async fn what_is_no_http_is_refused() {
    let server = start(RequestLimits::default()).await;
    for nonsense in [
        "\x16\x03\x01\x02\n\n\n\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/1.1\r\nbad header\r\n\r\n",
    ] {
        assert_refused(&say(&server, nonsense.as_bytes()).await, 400, "bad_request");
    }
}

#[tokio::test]
async fn more_connections_than_allowed_wait() {
    let server = start(RequestLimits { connections: 1, ..RequestLimits::default() }).await;
    let first = TcpStream::connect(server.address).await.unwrap();
    let asked = tokio::spawn({
        let address = server.address;
        async move {
            let mut second = TcpStream::connect(address).await.unwrap();
            let request = b"GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
            second.write_all(request).await.unwrap();
            let mut answer = String::new();
            second.read_to_string(&mut answer).await.unwrap();
            answer
        }
    });
    tokio::time::sleep(SHORT).await;
    assert!(!asked.is_finished(), "it does not wait for the first");
    drop(first);
    let answer = tokio::time::timeout(DEADLINE, asked).await.expect("it waits for ever").unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

#[tokio::test]
async fn http_2_is_spoken_too() {
    let server = start(RequestLimits::default()).await;
    let stream = TcpStream::connect(server.address).await.unwrap();
    let io = hyper_util::rt::TokioIo::new(stream);
    let executor = hyper_util::rt::TokioExecutor::new();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(executor, io).await.unwrap();
    let connection = tokio::spawn(connection);
    let request = hyper::Request::get(format!("http://{}/health/live", server.address))
        .body(String::new())
        .unwrap();
    let answer = sender.send_request(request).await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.version(), hyper::Version::HTTP_2);
    server.stop.send(()).unwrap();
    let ended = tokio::time::timeout(DEADLINE, server.serving).await;
    assert_eq!(ended.expect("it waits for an idle client").unwrap().unwrap(), api::Drained::Wholly);
    drop(connection);
}
