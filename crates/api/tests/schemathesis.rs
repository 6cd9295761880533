//! Requests that nobody thought of, made from the description of the API: no answer may be our
//! fault, and none may be missing in the description.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod support;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use support::{Server, json_of};
use ureq::http::Request;

/// More would find more; longer runs are for a free afternoon (`FERROTYPE_SOAK_SECONDS`).
const SECONDS: u64 = 30;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes a minute; ./test runs it"]
async fn no_answer_to_a_stranger_is_our_fault_or_missing_in_the_description() {
    hold(&Server::start().await, None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes a minute; ./test runs it"]
async fn no_answer_to_an_administrator_is_our_fault_or_missing_in_the_description() {
    let server = Server::start().await;
    let token = server.service.offer_set_up().await.unwrap().expect("nobody is there yet");
    let administrator = json!({
        "token": token.as_str(), "email": "root@example.org", "name": "Root",
        "password": "correct horse battery", "kind": "bearer",
    });
    let session = post(&server, "/api/v1/setup", None, &administrator).await;
    // A key, because sessions are ended by what is asked at random.
    let all = json!({ "name": "all", "scopes": ["read", "write", "delete", "account", "admin"] });
    let key = post(&server, "/api/v1/me/keys", session["token"].as_str(), &all).await;
    hold(&server, key["token"].as_str()).await;
}

async fn post(server: &Server, path: &str, token: Option<&str>, body: &Value) -> Value {
    let mut request = Request::post(path).header("content-type", "application/json");
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let answer = server.send(request.body(body.to_string()).unwrap()).await;
    assert_eq!(answer.status(), 201);
    json_of(answer)
}

async fn hold(server: &Server, token: Option<&str>) {
    let seconds = std::env::var("FERROTYPE_SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    let seconds: u64 = seconds.unwrap_or(SECONDS);
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(server, folder.path(), seconds);
    if let Some(token) = token {
        command.args(["--header", &format!("Authorization: Bearer {token}")]);
    }
    let run = tokio::task::spawn_blocking(move || command.output().unwrap());
    let deadline = Duration::from_secs(2 * seconds + 60);
    let output = tokio::time::timeout(deadline, run).await.expect("it does not end").unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{report}\n{complaint}");
}

fn command(server: &Server, folder: &Path, seconds: u64) -> Command {
    let seed = testkit::seed::seed_from_env_or_random("schemathesis");
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = repository.join("docs/openapi.json");
    let mut command = Command::new(testkit::servers::installed("schemathesis/bin/schemathesis"));
    command
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("PYTHONPATH", repository.join("scripts/tools"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("SCHEMATHESIS_HOOKS", "schemathesis_hooks")
        .env("NO_PROXY", "127.0.0.1")
        .args(["run", "--url", &format!("http://{}", server.address)])
        .args(["--checks", CHECKS])
        .args(["--phases", "examples,coverage,fuzzing"])
        .args(["--max-examples", "30", "--max-failures", "10", "--max-time"])
        .arg(seconds.to_string())
        .args(["--request-timeout", "10", "--seed", &seed.to_string()])
        // It never ends.
        .args(["--exclude-path", "/api/v1/changes/stream"])
        .args(["--warnings", "off"])
        .arg(document);
    command
}

const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance,\
                      unsupported_method,allow_header_conformance";
