//! `ferrotype doctor`

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::tempdir;
use testkit::servers::{
    ACCESS_KEY_ID, Dynoxide, Ministack, OIDC_CLIENT_ID, OidcProvider, REGION, SECRET_ACCESS_KEY,
};

use crate::distributed::{on_dynamodb, with_s3};
use crate::program::{Ended, Server, assert_table_is_closed, ferrotype, run, run_in};
use crate::support::stores::create_bucket;

/// On any port, so that whatever else runs on this machine is no matter.
const DOCTOR: [&str; 3] = ["doctor", "--listen", "127.0.0.1:0"];

fn doctor(folder: &Path, arguments: &[&str]) -> Ended {
    run_in(folder, &[&DOCTOR, arguments].concat())
}

#[track_caller]
fn assert_says(said: &str, lines: &[&str]) {
    for line in lines {
        assert!(said.contains(line), "{line} is not in\n{said}");
    }
}

/// That there is a problem, and what was said.
#[track_caller]
fn problems(ended: Ended) -> String {
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("found a problem"), "{ended:?}");
    ended.stdout
}

#[test]
fn a_new_installation_is_well_and_stays_untouched() {
    let folder = tempdir().unwrap();
    let said = doctor(folder.path(), &[]).success();
    assert_says(
        &said,
        &[
            "ok       configuration: no file",
            "ok       settings: listen = \"127.0.0.1:0\" (flag --listen)",
            "memory: images.memory (512MB)",
            "open files: ",
            "ok       data folder: ./data is not there yet",
            "ok       table: there is none yet",
            "ok       blobs: there are none yet",
            "warning  administrator: there is none yet; open the set-up link",
            "ok       listen address: 127.0.0.1:0: any free port",
            "ok       public URL: not set",
        ],
    );
    assert!(!said.contains("problem"), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn an_installation_in_use_is_tried_and_left_as_it_was() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("ferrotype.toml"), "[log]\nlevel = \"warn\"\n").unwrap();
    run_in(folder.path(), &["user", "add", "ada@example.org", "--role", "administrator"]).success();
    Server::start(folder.path(), &[]).stop();
    let said = doctor(folder.path(), &[]).success();
    assert_says(
        &said,
        &[
            "ok       configuration: the file ferrotype.toml",
            "log.level = \"warn\" (ferrotype.toml:2)",
            "ok       data folder: ./data can be written",
            "free space: ",
            "ok       table: embedded in ./data/table, format 1, and it answers",
            "ok       blobs: ./data/blobs: written, read and deleted",
            "ok       administrator: there is one",
        ],
    );
    assert_table_is_closed(folder.path());
    let uploads = fs::read_dir(folder.path().join("data/blobs/uploads"));
    assert_eq!(uploads.map_or(0, Iterator::count), 0);
}

#[test]
fn a_running_server_is_asked_how_it_is() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let address = server.url().strip_prefix("http://").unwrap();
    let said = run_in(folder.path(), &["doctor", "--listen", address]).success();
    let table = format!(
        "ok       table: embedded in ./data/table, format 1; in use by a running server (process \
         {}), which is ready",
        server.pid()
    );
    let listen = format!("ok       listen address: {address}: a running Ferrotype answers");
    assert_says(&said, &[&table, &listen, "warning  administrator: there is none yet"]);

    // Asked at the wrong place, it is only known that there is one.
    let said = doctor(folder.path(), &[]).success();
    assert_says(&said, &["which does not answer at 127.0.0.1:0", "such as the same --listen"]);
    let other = tempdir().unwrap();
    let said = run_in(other.path(), &["doctor", "--listen", address]).success();
    assert_says(&said, &["ok       table: there is none yet", &listen]);

    let public = ["--public-url", server.url(), "--listen", address];
    let said = run_in(folder.path(), &[&["doctor"], &public[..]].concat()).success();
    assert_says(&said, &[&format!("ok       public URL: {} is reached", server.url())]);

    fs::rename(folder.path().join("data/blobs"), folder.path().join("away")).unwrap();
    server.wait_for_readiness(503, "blobs", "failed");
    let said = problems(run_in(folder.path(), &["doctor", "--listen", address]));
    assert_says(&said, &["a running Ferrotype is not ready: blobs failed"]);
}

#[test]
fn a_server_with_an_administrator_says_so() {
    let folder = tempdir().unwrap();
    run_in(folder.path(), &["user", "add", "ada@example.org", "--role", "administrator"]).success();
    let server = Server::start(folder.path(), &[]);
    let address = server.url().strip_prefix("http://").unwrap();
    let said = run_in(folder.path(), &["doctor", "--listen", address]).success();
    assert_says(&said, &["ok       administrator: there is one"]);
}

#[test]
fn dynamodb_and_s3_are_tried_and_left_as_they_were() {
    let folder = tempdir().unwrap();
    let dynoxide = Dynoxide::start();
    let ministack = Ministack::start();
    create_bucket(&ministack.endpoint(), "doctor-bucket");
    let command = |arguments: &[&str]| {
        let command = on_dynamodb(&folder, arguments, &dynoxide.endpoint());
        with_s3(command, &ministack.endpoint(), "doctor-bucket")
    };
    let said = problems(run(command(&DOCTOR)));
    assert_says(
        &said,
        &["problem  table: there is no table \"photos\"", "run `ferrotype table create`"],
    );

    run(command(&["table", "create"])).success();
    let ended = run(command(&DOCTOR));
    assert!(!format!("{ended:?}").contains(SECRET_ACCESS_KEY));
    let said = ended.success();
    let table = format!(
        "ok       table: \"photos\" at {} has its keys and indexes, and it answers",
        dynoxide.endpoint()
    );
    let blobs = format!(
        "ok       blobs: bucket \"doctor-bucket\" at {}: written, read by a signed URL and deleted",
        ministack.endpoint()
    );
    let expected = [
        "table.dynamodb.secret_access_key = (hidden)",
        "ok       data folder: none is needed",
        "ok       time to live: it is on",
        "ok       clock: ",
        &table,
        &blobs,
    ];
    assert_says(&said, &expected);
    assert_eq!(objects(&ministack.endpoint(), "doctor-bucket"), 0);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_missing_bucket_and_an_unreachable_table_are_problems() {
    let folder = tempdir().unwrap();
    let endpoint = Ministack::shared().endpoint();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nobody = format!("http://{nobody}");
    let command = on_dynamodb(&folder, &DOCTOR, &nobody);
    let ended = run(with_s3(command, &endpoint, "no-such-bucket"));
    assert!(!format!("{ended:?}").contains(SECRET_ACCESS_KEY));
    let said = problems(ended);
    let table = format!("problem  table: {nobody} does not answer");
    assert_says(
        &said,
        &[
            &table,
            "check the endpoint",
            "problem  blobs: setting S3 bucket: it does not exist",
            "no-such-bucket",
            "create the bucket",
            "warning  administrator: it cannot be known",
        ],
    );
}

#[test]
fn a_wrong_configuration_is_a_finding() {
    let folder = tempdir().unwrap();
    let text = "listen = \"nowhere\"\n[table]\nengine = \"mysql\"\n[blob]\nengin = \"s3\"\n";
    fs::write(folder.path().join("ferrotype.toml"), text).unwrap();
    let mut command = ferrotype(folder.path(), &["doctor"]);
    command
        .env("FERROTYPE_BLOB_S3_SECRET_ACCESS_KEY", "hush")
        .env("FERROTYPE_TABLE_DYNAMODB_ENDPOINT", "http://me:hush@127.0.0.1:1");
    let ended = run(command);
    assert!(!format!("{ended:?}").contains("hush"), "{ended:?}");
    let said = problems(ended);
    assert_says(
        &said,
        &[
            "problem  configuration: setting listen is \"nowhere\" (ferrotype.toml:1)",
            "problem  configuration: setting table.engine is \"mysql\" (ferrotype.toml:3)",
            "problem  configuration: ferrotype.toml:5: there is no setting \"blob.engin\"; did \
             you mean blob.engine?",
            "blob.s3.access_key_id is not set",
            "warning  other checks: they need a configuration that makes sense",
        ],
    );

    fs::write(folder.path().join("ferrotype.toml"), "listen\n").unwrap();
    let said = problems(doctor(folder.path(), &[]));
    assert_says(&said, &["problem  configuration: ferrotype.toml:1 is not valid TOML"]);
    // What is known without it is told all the same.
    assert_says(&said, &["ok       table: there is none yet"]);
}

#[test]
fn what_is_wrong_with_folder_table_and_address_is_told_at_once() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("data/table/table.sqlite");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "This is no table.".repeat(1000)).unwrap();
    fs::write(folder.path().join("data/restore.incomplete"), "").unwrap();
    // Somebody else's server that says nothing, and a name that leads nowhere.
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let arguments = ["doctor", "--listen", &address, "--public-url", "https://photos.invalid"];
    let said = problems(run_in(folder.path(), &arguments));
    assert_says(
        &said,
        &[
            "problem  data folder: a restore into ./data was interrupted; empty it",
            "is not a table of this program",
            "is taken by another program",
            "warning  public URL: https://photos.invalid is not reached",
        ],
    );
    let said = doctor(folder.path(), &["--public-url", "http://photos.invalid"]).stdout;
    assert_says(&said, &["warning  public URL: http://photos.invalid has no TLS"]);
}

#[test]
fn programs_are_answered_in_json() {
    let folder = tempdir().unwrap();
    let answer: Value =
        serde_json::from_str(&doctor(folder.path(), &["--json"]).success()).unwrap();
    assert_eq!(answer["ok"], true);
    let findings = answer["findings"].as_array().unwrap();
    let finding = |check: &str| {
        findings.iter().find(|finding| finding["check"] == check).expect("a finding").clone()
    };
    assert_eq!(finding("table")["status"], "ok");
    assert_eq!(finding("administrator")["status"], "warning");
    assert!(finding("administrator")["remedy"].as_str().unwrap().contains("set-up link"));

    let bad = doctor(folder.path(), &["--json", "--table-engine", "mysql"]);
    let answer: Value = serde_json::from_str(&problems(bad)).unwrap();
    assert_eq!(answer["ok"], false);
    assert!(answer["findings"].as_array().unwrap().iter().any(|f| f["status"] == "problem"));
}

#[test]
fn the_identity_provider_is_asked() {
    let folder = tempdir().unwrap();
    let issuer = OidcProvider::shared().issuer();
    let with_oidc = |issuer: &str| -> Command {
        let arguments = ["--oidc-issuer", issuer, "--oidc-client-id", OIDC_CLIENT_ID];
        ferrotype(folder.path(), &[&DOCTOR, &arguments[..]].concat())
    };
    let said = run(with_oidc(&issuer)).success();
    assert_says(&said, &[&format!("ok       identity provider: {issuer} describes itself")]);
    let said = problems(run(with_oidc(&format!("{issuer}/nowhere"))));
    assert_says(&said, &["problem  identity provider: ", "check oidc.issuer"]);
}

/// How many objects a bucket has. The test server looks for a signature, but does not verify it.
fn objects(endpoint: &str, bucket: &str) -> usize {
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential={ACCESS_KEY_ID}/20250101/{REGION}/s3/aws4_request, \
         SignedHeaders=host;x-amz-date, Signature=0"
    );
    let agent: ureq::Agent = ureq::Agent::config_builder().proxy(None).build().into();
    let request = agent.get(format!("{endpoint}/{bucket}?list-type=2"));
    let request = request.header("authorization", authorization);
    let mut listed = request.header("x-amz-date", "20250101T000000Z").call().unwrap();
    listed.body_mut().read_to_string().unwrap().matches("<Key>").count()
}
