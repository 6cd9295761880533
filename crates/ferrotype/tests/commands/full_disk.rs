//! A disk that is full, as a real file system of a few megabytes.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::{TempDir, tempdir};
use testkit::wait::wait_until;

use crate::program::{DEADLINE, Server, command, ferrotype, run};
use crate::support::client::{Client, id_of};
use crate::support::files::bitmap_of;

const MIB: u64 = 1 << 20;

/// A server whose data folder is a file system of its own, in a namespace that ends with it.
struct World {
    folder: TempDir,
    server: Server,
    client: Client,
}

impl World {
    fn start(size: &str, free_min: &str) -> Self {
        let folder = tempdir().unwrap();
        fs::create_dir(folder.path().join("data")).unwrap();
        let mount = format!("mount -t tmpfs -o size={size} none data && exec \"$@\"");
        let program = env!("CARGO_BIN_EXE_ferrotype");
        let mut all = vec!["--map-root-user", "--mount", "sh", "-c", &mount, "sh", program];
        all.extend(["serve", "--listen", "127.0.0.1:0", "--storage-free-min", free_min]);
        let server = Server::spawn(command(Path::new("unshare"), folder.path(), &all));
        let client = Client::set_up(&server);
        Self { folder, server, client }
    }

    /// The data folder as the server sees it.
    fn data(&self) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.server.pid()));
        root.join(self.folder.path().strip_prefix("/").unwrap()).join("data")
    }

    fn free(&self) -> u64 {
        let found = rustix::fs::statvfs(self.data()).unwrap();
        found.f_bavail * found.f_frsize
    }

    /// Somebody else fills the disk until only so much is free.
    fn fill(&self, name: &str, left: u64) {
        let mut file = File::create(self.data().join(name)).unwrap();
        while self.free() > left {
            let piece = vec![1; usize::try_from((self.free() - left).clamp(4096, MIB)).unwrap()];
            if file.write_all(&piece).is_err() {
                return;
            }
        }
    }

    fn metric(&self, name: &str) -> f64 {
        let (_, metrics) = self.server.get("/metrics");
        let line = metrics.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
        line.expect("the metric").parse().unwrap()
    }
}

#[test]
fn a_full_disk_takes_no_photos_lets_people_delete_and_goes_on_when_there_is_room() {
    let world = World::start("64m", "16MB");
    let client = &world.client;
    let photos: Vec<Value> =
        (0..4).map(|n| client.upload(&bitmap_of(n, 60, 40)).expect(201)).collect();
    for photo in &photos {
        client.completed(id_of(photo));
    }
    let reserve = world.data().join("reserve");
    assert!(wait_until(DEADLINE, || reserve.exists()), "no reserve is set aside");
    assert!(world.metric("ferrotype_storage_free_bytes") > 16.0 * MIB as f64);

    let kept_free = world.metric("ferrotype_storage_free_bytes_min");
    assert!((kept_free - 16.0 * MIB as f64).abs() < 1.0, "{kept_free}");

    // Less is free than is to stay free: no photos, and everybody is told.
    world.fill("filler", 12 * MIB);
    let full = wait_until(DEADLINE, || client.upload(&bitmap_of(9, 60, 40)).status == 507);
    assert!(full, "photos are still taken");
    let refused = client.upload(&bitmap_of(10, 60, 40));
    assert!(!refused.header("retry-after").is_empty());
    refused.assert_refused(507, "storage_full");
    world.server.wait_for_readiness(200, "storage", "degraded");
    let overview = client.get("/api/v1/admin/overview").expect(200);
    let storage = &overview["storage"];
    assert_eq!(storage["freeBytesMin"], 16 * MIB);
    assert!(storage["freeBytes"].as_u64().unwrap() < 16 * MIB, "{storage}");
    assert!(overview["health"]["parts"]["storage"].as_str().unwrap().contains("storage.free_min"));

    // The command says within seconds that it waits, and why, and has the patience it was told.
    fs::write(world.folder.path().join("new.bmp"), bitmap_of(11, 60, 40)).unwrap();
    let arguments = ["upload", "new.bmp", "--patience", "6s", "--state", "state.jsonl"];
    let mut upload = ferrotype(world.folder.path(), &arguments);
    upload.env("FERROTYPE_SERVER", world.server.url());
    upload.env("FERROTYPE_KEY", client.token.as_deref().unwrap());
    let began = std::time::Instant::now();
    let complaint = run(upload).failure(1);
    assert!(began.elapsed().as_secs() < 30);
    assert!(complaint.contains("waiting for the server: The server's disk is full"), "{complaint}");
    assert!(complaint.contains("(storage_full)"), "{complaint}");

    let left = client.left();
    // Not a byte is left: deleting works all the same, and gives the quota back.
    world.fill("more", 0);
    let trash = |photo: &Value| client.delete(&format!("/api/v1/images/{}", id_of(photo))).status;
    assert!(wait_until(DEADLINE, || trash(&photos[0]) == 204), "nothing can be trashed");
    assert!(wait_until(DEADLINE, || !reserve.exists()), "the reserve is kept");
    world.fill("still more", MIB / 2);
    for photo in &photos[1..] {
        let path = format!("/api/v1/images/{}?permanent=true", id_of(photo));
        let gone = wait_until(DEADLINE, || matches!(client.delete(&path).status, 204 | 404));
        assert!(gone, "nothing can be deleted for good");
        client.wait_for(&format!("/api/v1/images/{}", id_of(photo)), 404);
    }
    assert!(wait_until(DEADLINE, || client.left().0 == left.0 + 3), "{:?}", client.left());

    // With room, everything goes on.
    for name in ["filler", "more", "still more"] {
        fs::remove_file(world.data().join(name)).unwrap();
    }
    let taken = wait_until(DEADLINE, || client.upload(&bitmap_of(12, 60, 40)).status == 201);
    assert!(taken, "no photos are taken any more");
    world.server.wait_for_readiness(200, "storage", "ok");
    assert!(wait_until(DEADLINE, || reserve.exists()));
}
