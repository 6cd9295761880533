//! Which requests the faults meet, and that all others pass unchanged.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod http;

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread::JoinHandle;

use http::Client;
use serde_json::json;
use testkit::fault_proxy::{Fault, FaultProxy};
use testkit::servers::Dynoxide;

#[test]
fn queued_faults_meet_the_requests_of_their_operation_in_order() {
    let proxy = proxy();
    proxy.inject_all("ListTables", [Fault::InternalServerError, Fault::ServiceUnavailable]);
    assert_eq!(proxy.faults_left(), 2);

    let client = Client::new(&proxy.endpoint());
    let refused_by_the_server = client.call("GetItem", &json!({})).unwrap();
    assert_eq!(refused_by_the_server.status, 400);
    assert_eq!(statuses(&client, 3), [500, 503, 200]);

    assert_eq!(proxy.faults_left(), 0);
    assert_eq!(proxy.requests("ListTables"), 3);
    assert_eq!(proxy.forwarded("ListTables"), 1);
    assert_eq!(proxy.requests("PutItem"), 0);
}

#[test]
fn a_function_decides_about_requests_without_a_queued_fault() {
    let proxy = proxy();
    proxy.decide_by(|call| {
        assert_eq!(call.operation, "ListTables");
        (call.nth == 2 && call.nth_of_all == 2).then_some(Fault::InternalServerError)
    });
    proxy.inject("ListTables", Fault::ServiceUnavailable);
    let client = Client::new(&proxy.endpoint());
    assert_eq!(statuses(&client, 3), [503, 500, 200]);
}

#[test]
fn random_faults_are_repeated_by_their_seed() {
    let run = |seed| {
        let proxy = proxy();
        let faults = vec![Fault::InternalServerError, Fault::ServiceUnavailable];
        proxy.inject_at_random(seed, 0.5, faults);
        let faulty = statuses(&Client::new(&proxy.endpoint()), 40);
        proxy.clear_faults();
        assert_eq!(statuses(&Client::new(&proxy.endpoint()), 3), [200, 200, 200]);
        faulty
    };
    let first = run(7);
    assert_eq!(first, run(7));
    assert_ne!(first, run(8));
    for status in [200, 500, 503] {
        assert!(first.contains(&status), "{first:?}");
    }
}

#[test]
fn requests_without_a_target_go_by_their_method() {
    let proxy = proxy();
    proxy.inject("GET", Fault::ServiceUnavailable);
    let client = Client::new(&proxy.endpoint());
    assert_eq!(client.send("GET", "/photo", "", "").unwrap().status, 503);
    assert_eq!(proxy.requests("GET"), 1);
}

#[test]
fn a_request_and_its_chunked_answer_pass_unchanged() {
    let answer = "HTTP/1.1 201 Created\r\nx-amz-crc32: 12345\r\nset-cookie: a=1\r\n\
                  set-cookie: b=2\r\ntransfer-encoding: chunked\r\n\r\n\
                  3\r\n\x00\x01\x02\r\n2\r\nyz\r\n0\r\n\r\n";
    let (endpoint, server) = serve_once(answer);
    let proxy = FaultProxy::start(&endpoint);
    let client = Client::new(&proxy.endpoint());

    let headers = "Authorization: AWS4 x/y\r\nX-Odd: one, two\r\n";
    let heard = client.send("PUT", "/a%20b/c?d=%2F&e", headers, "body \u{1}").unwrap();

    assert_eq!(heard.status, 201);
    for line in ["x-amz-crc32: 12345", "set-cookie: a=1\r\nset-cookie: b=2"] {
        assert!(heard.head.contains(line), "{}", heard.head);
    }
    assert_eq!(dechunk(&heard.body), b"\x00\x01\x02yz");

    let seen = server.join().unwrap();
    assert!(seen.starts_with("PUT /a%20b/c?d=%2F&e HTTP/1.1\r\n"), "{seen}");
    let host = proxy.endpoint().replace("http://", "host: ");
    for line in [host.as_str(), "authorization: AWS4 x/y", "x-odd: one, two", "content-length: 6"] {
        assert!(seen.contains(&format!("{line}\r\n")), "{line} in {seen}");
    }
    assert!(seen.ends_with("\r\n\r\nbody \u{1}"), "{seen}");
}

#[test]
fn an_unreachable_server_is_a_bad_gateway() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let proxy = FaultProxy::start(&format!("http://{nobody}"));
    let answer = Client::new(&proxy.endpoint()).call("ListTables", &json!({})).unwrap();
    assert_eq!(answer.status, 502);
    assert_eq!(proxy.forwarded("ListTables"), 0);
}

fn proxy() -> FaultProxy {
    FaultProxy::start(&Dynoxide::shared().endpoint())
}

fn statuses(client: &Client, count: usize) -> Vec<u16> {
    (0..count).map(|_| client.call("ListTables", &json!({})).unwrap().status).collect()
}

/// A server that answers one request with these bytes and returns the request it saw.
fn serve_once(answer: &'static str) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut seen = Vec::new();
        while !seen.ends_with(b"body \x01") {
            let mut buffer = [0; 1024];
            let count = stream.read(&mut buffer).unwrap();
            assert_ne!(count, 0, "the request ended early");
            seen.extend_from_slice(&buffer[..count]);
        }
        stream.write_all(answer.as_bytes()).unwrap();
        String::from_utf8(seen).unwrap()
    });
    (endpoint, server)
}

fn dechunk(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    loop {
        let end = body.windows(2).position(|window| window == b"\r\n").unwrap();
        let size = usize::from_str_radix(std::str::from_utf8(&body[..end]).unwrap(), 16).unwrap();
        if size == 0 {
            return whole;
        }
        whole.extend_from_slice(&body[end + 2..end + 2 + size]);
        body = &body[end + 4 + size..];
    }
}
