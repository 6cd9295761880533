//! Requests that nobody thought of, made from the description of the API: no answer may be our
//! fault, and none may be missing in the description.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod support;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use support::Server;

/// More would find more; longer runs are for a free afternoon (`FERROTYPE_SOAK_SECONDS`).
const SECONDS: u64 = 45;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes a minute; ./test runs it"]
async fn no_answer_is_our_fault_or_missing_in_the_description() {
    let server = Server::start().await;
    let seconds = std::env::var("FERROTYPE_SOAK_SECONDS").ok().and_then(|text| text.parse().ok());
    let seconds: u64 = seconds.unwrap_or(SECONDS);
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(&server, folder.path(), seconds);
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
