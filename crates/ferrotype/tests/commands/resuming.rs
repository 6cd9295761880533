//! Uploads that go on after the server was killed in the middle.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use rustix::process::Signal;
use testkit::servers::installed;

use crate::support::client::Client;
use crate::support::files::{bitmap, bitmap_of};
use crate::support::stores::Stores;

#[test]
fn an_upload_is_resumed_by_tus_after_the_server_was_killed() {
    let stores = Stores::embedded();
    let mut server = stores.serve();
    let client = Client::set_up(&server);
    let file = bitmap(9);
    let create = client
        .request("POST", "/api/v1/uploads")
        .header("tus-resumable", "1.0.0")
        .header("upload-length", file.len().to_string());
    let created = client.send(create, Vec::new());
    assert_eq!(created.status, 201);
    let location = created.header("location").to_owned();
    let patch = |client: &Client, offset: usize, bytes: &[u8]| {
        let request = client
            .request("PATCH", &location)
            .header("tus-resumable", "1.0.0")
            .header("upload-offset", offset.to_string())
            .header("content-type", "application/offset+octet-stream");
        client.send(request, bytes.to_vec())
    };
    patch(&client, 0, &file[..50_000]).expect(204);
    patch(&client, 7, &file[..50_000]).assert_refused(409, "wrong_offset");
    server.signal(Signal::KILL);
    let _ = server.wait();
    server = stores.serve();
    let client = client.at(&server);
    let head = client.request("HEAD", &location).header("tus-resumable", "1.0.0");
    let head = client.send(head, Vec::new());
    assert_eq!((head.status, head.header("upload-offset")), (200, "50000"));
    let done = patch(&client, 50_000, &file[50_000..]);
    done.expect(204);
    client.completed(done.header("upload-image"));
    server.stop();
}

/// The client that browsers and programs use, from npm.
#[test]
fn tus_js_client_goes_on_with_a_server_that_was_killed_and_restarted() {
    let stores = Stores::embedded();
    let mut server = stores.serve();
    let client = Client::set_up(&server);
    let address = server.url().trim_start_matches("http://").to_owned();
    let file = bitmap_of(3, 2000, 2000);
    let path = stores.folder().join("large.bmp");
    std::fs::write(&path, &file).unwrap();

    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/tus_upload.mjs");
    let mut uploader = Command::new("node")
        .arg(script)
        .arg(installed("node/node_modules/tus-js-client/lib.esm/node/index.js"))
        .arg(format!("{}/api/v1/uploads", client.base))
        .arg(client.token.as_deref().unwrap())
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut sent_after_kill = Vec::new();
    let mut kills = 0;
    let mut image = None;
    for line in BufReader::new(uploader.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let (what, value) = line.split_once(' ').unwrap();
        match what {
            "kept" => {
                let kept: usize = value.parse().unwrap();
                if kills > 0 {
                    sent_after_kill.push(kept);
                }
                // After a piece has been kept, and so in the middle of another.
                if kills < 2 && kept < file.len() {
                    kills += 1;
                    server.signal(Signal::KILL);
                    let _ = server.wait();
                    server = stores.serve_at(&address);
                }
            }
            "image" => image = Some(value.to_owned()),
            other => panic!("{other} {value}"),
        }
    }
    assert!(uploader.wait().unwrap().success());
    assert_eq!(kills, 2);
    // It went on instead of starting anew.
    assert!(sent_after_kill.is_sorted(), "{sent_after_kill:?}");
    let image = client.completed(&image.expect("an image"));
    assert!(client.get(image["originalUrl"].as_str().unwrap()).body == file);
    server.stop();
}
