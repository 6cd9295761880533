//! A server under concurrent uploads that is killed again and again, without a warning.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use testkit::wait::wait_until;

use crate::support::client::{Answer, Client, Form, id_of};
use crate::support::files::bitmap;
use crate::support::program::DEADLINE;
use crate::support::stores::Stores;

const KILLS: usize = 20;
/// Uploads that are acknowledged between two kills at least, so that every kill falls into work.
const BETWEEN_KILLS: usize = 4;
const IMAGES_MAX: i64 = 100_000;
/// Reservations of requests that a kill has cut off end after this.
const UPLOAD_TIME: &str = "20s";
/// For reservations to end and the sweeper to come round.
const CLEARED: Duration = Duration::from_secs(180);

/// What those who upload share.
struct Load {
    client: Mutex<Client>,
    next: AtomicU32,
    done: AtomicBool,
    /// Ids of acknowledged images, with what they were made from.
    acknowledged: Mutex<BTreeMap<String, u32>>,
}

/// How a file is sent: the image's id, if that was acknowledged.
type Way = fn(&Client, &[u8]) -> Option<String>;

#[test]
fn nothing_acknowledged_is_lost_and_nothing_else_stays() {
    let stores = Stores::embedded()
        .with("FERROTYPE_RATE_LIMITS_ENABLED", "false")
        .with("FERROTYPE_IMAGES_UPLOAD_TIME", UPLOAD_TIME);
    let mut server = stores.serve();
    let client = Client::set_up(&server);
    let bytes_max = 1 << 40;
    let limits = json!({ "imagesMax": IMAGES_MAX, "bytesMax": bytes_max });
    client.json("PUT", &format!("/api/v1/users/{}/quota", client.user_id()), &limits).expect(200);
    let load = Load {
        client: Mutex::new(client),
        next: AtomicU32::new(0),
        done: AtomicBool::new(false),
        acknowledged: Mutex::default(),
    };
    thread::scope(|scope| {
        let ways: [Way; 4] = [in_one_request, in_one_request, in_pieces, straight_to_storage];
        for way in ways {
            let load = &load;
            scope.spawn(move || load.run(way));
        }
        for _ in 0..KILLS {
            let before = load.acknowledged();
            let goes_on = wait_until(DEADLINE, || load.acknowledged() >= before + BETWEEN_KILLS);
            server.signal(Signal::KILL);
            let (_, log) = server.wait();
            assert!(goes_on, "nothing is taken in any more:\n{log}");
            server = stores.serve();
            let mut client = load.client.lock().unwrap();
            *client = client.at(&server);
        }
        load.done.store(true, Ordering::SeqCst);
    });

    let client = load.client.into_inner().unwrap();
    let acknowledged = load.acknowledged.into_inner().unwrap();
    assert!(acknowledged.len() >= KILLS * BETWEEN_KILLS);
    for (id, seed) in &acknowledged {
        let image = client.completed(id);
        assert_eq!(image["sizes"].as_object().unwrap().len(), 4, "{image}");
        let original = client.get(image["originalUrl"].as_str().unwrap());
        assert!(original.body == bitmap(*seed), "the bytes of {id} are others");
    }
    assert_accounts_are_exact(&client, &acknowledged, bytes_max);
    assert_only_images_have_objects(&client, &stores.folder().join("data/blobs"));
    server.stop();
}

impl Load {
    fn acknowledged(&self) -> usize {
        self.acknowledged.lock().unwrap().len()
    }

    /// Uploads one file after the other; what is cut off is not tried again.
    fn run(&self, upload: Way) {
        while !self.done.load(Ordering::SeqCst) {
            let client = self.client.lock().unwrap().clone();
            let seed = self.next.fetch_add(1, Ordering::SeqCst);
            if let Some(id) = upload(&client, &bitmap(seed)) {
                self.acknowledged.lock().unwrap().insert(id, seed);
            } else {
                // The server is down; another comes at another address.
                thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

/// An answer, unless the server was killed before it gave one; and no other error.
fn answered(sent: Result<Answer, ureq::Error>, status: u16) -> Option<Answer> {
    let answer = sent.ok()?;
    assert_eq!(answer.status, status, "{}", answer.json());
    Some(answer)
}

fn in_one_request(client: &Client, file: &[u8]) -> Option<String> {
    let answer = answered(client.try_upload(file, &Form::default()), 201)?;
    Some(id_of(&answer.json()).to_owned())
}

fn in_pieces(client: &Client, file: &[u8]) -> Option<String> {
    let create = client
        .request("POST", "/api/v1/uploads")
        .header("tus-resumable", "1.0.0")
        .header("upload-length", file.len().to_string());
    let created = answered(client.try_send(create, Vec::new()), 201)?;
    let mut offset = 0;
    let mut image = None;
    for piece in file.chunks(file.len() / 2) {
        let append = client
            .request("PATCH", created.header("location"))
            .header("tus-resumable", "1.0.0")
            .header("upload-offset", offset.to_string())
            .header("content-type", "application/offset+octet-stream");
        let kept = answered(client.try_send(append, piece.to_vec()), 204)?;
        offset += piece.len();
        image = Some(kept.header("upload-image").to_owned());
    }
    image
}

fn straight_to_storage(client: &Client, file: &[u8]) -> Option<String> {
    let begin = client.request("POST", "/api/v1/uploads/direct");
    let begin = begin.header("content-type", "application/json");
    let new = json!({ "sizeBytes": file.len() }).to_string();
    let upload = answered(client.try_send(begin, new.into_bytes()), 201)?.json();
    let put = client.request("PUT", upload["url"].as_str().unwrap());
    answered(client.try_send(put, file.to_vec()), 204)?;
    let complete = client.request("POST", upload["completeUrl"].as_str().unwrap());
    let answer = answered(client.try_send(complete, Vec::new()), 201)?;
    Some(id_of(&answer.json()).to_owned())
}

/// Images may be there whose answer was lost, but what is left of the quota tells exactly those.
fn assert_accounts_are_exact(client: &Client, known: &BTreeMap<String, u32>, bytes_max: i64) {
    let mut last = None;
    let exact = wait_until(CLEARED, || {
        thread::sleep(Duration::from_millis(500));
        let images = all_images(client);
        let sizes = images.values().map(|image| image["sizeBytes"].as_i64().unwrap_or(0));
        let used = (i64::try_from(images.len()).unwrap(), sizes.sum::<i64>());
        let left = client.left();
        last = Some((used, left));
        known.keys().all(|id| images.contains_key(id))
            && left == (IMAGES_MAX - used.0, bytes_max - used.1)
    });
    assert!(exact, "used and left, images and bytes: {last:?} of {IMAGES_MAX} and {bytes_max}");
}

fn assert_only_images_have_objects(client: &Client, folder: &Path) {
    let mut orphans = Vec::new();
    let clean = wait_until(CLEARED, || {
        thread::sleep(Duration::from_secs(1));
        let ids: BTreeSet<String> = all_images(client).into_keys().collect();
        orphans = files_below(folder)
            .into_iter()
            .filter(|file| !file.ends_with("/.staging/lock"))
            .filter(|file| !ids.iter().any(|id| file.contains(id.as_str())))
            .collect();
        orphans.is_empty()
    });
    assert!(clean, "{orphans:#?}");
}

fn all_images(client: &Client) -> BTreeMap<String, Value> {
    let mut images = BTreeMap::new();
    let mut path = "/api/v1/images?limit=100".to_owned();
    loop {
        let page = client.get(&path).expect(200);
        for image in page["items"].as_array().unwrap() {
            images.insert(id_of(image).to_owned(), image.clone());
        }
        let Some(cursor) = page["nextCursor"].as_str() else { return images };
        path = format!("/api/v1/images?limit=100&cursor={cursor}");
    }
}

fn files_below(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        // Folders come and go while the server works.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(_) => files.push(entry.path().display().to_string()),
                Err(_) => {}
            }
        }
    }
    files
}
