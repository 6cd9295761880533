//! `ferrotype upload`

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};
use testkit::wait::wait_until;

use crate::gate::Gate;
use crate::program::{DEADLINE, Ended, Server, ferrotype, run};
use crate::support::client::Client;
use crate::support::exiftool::{photo, sidecar};
use crate::support::files::{bitmap, bitmap_of};

/// A server with an administrator, and a folder for what the client has.
pub struct World {
    pub folder: TempDir,
    pub server: Server,
    pub client: Client,
}

impl World {
    /// Starts a server that renders nothing, with more arguments.
    fn start(arguments: &[&str]) -> Self {
        let folder = tempdir().unwrap();
        let all = [&["--worker-enabled", "false"], arguments].concat();
        Self::on(folder, |folder| Server::start(folder, &all))
    }

    /// Makes the administrator of a server.
    pub fn on(folder: TempDir, start: impl FnOnce(&Path) -> Server) -> Self {
        let server = start(folder.path());
        let client = Client::set_up(&server);
        Self { folder, server, client }
    }

    /// Limits what the client's user may keep.
    fn limit(&self, images: i64, bytes: i64) {
        let path = format!("/api/v1/users/{}/quota", self.client.user_id());
        let quota = json!({ "imagesMax": images, "bytesMax": bytes });
        self.client.json("PUT", &path, &quota).expect(200);
    }

    fn token(&self) -> &str {
        self.client.token.as_deref().unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file for the client.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), bytes).unwrap();
    }

    /// The program as the client starts it.
    pub fn upload(&self, arguments: &[&str]) -> Command {
        self.upload_to(self.server.url(), arguments)
    }

    fn upload_to(&self, url: &str, arguments: &[&str]) -> Command {
        let mut command = ferrotype(self.folder.path(), &[&["upload"], arguments].concat());
        command
            .env("FERROTYPE_SERVER", url)
            .env("FERROTYPE_KEY", self.token())
            .env("XDG_STATE_HOME", self.path("state"));
        command
    }

    fn uploaded(&self, arguments: &[&str]) -> String {
        run(self.upload(arguments)).success()
    }

    /// The images that the server has.
    pub fn images(&self) -> Vec<Value> {
        let listed = self.client.get("/api/v1/images?limit=100").expect(200);
        listed["items"].as_array().unwrap().clone()
    }

    /// Where the upload is that was begun first, as noted.
    fn upload_begun(&self) -> String {
        let journal = fs::read_to_string(self.path("state/ferrotype/uploads.jsonl")).unwrap();
        assert!(!journal.contains(self.token()), "{journal}");
        let line: Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
        format!("/api/v1/uploads/{}", line["upload"].as_str().unwrap())
    }

    /// Waits until the server has kept what came before a connection broke: not just whole parts.
    fn wait_until_kept(&self) {
        let path = self.upload_begun();
        let kept = wait_until(DEADLINE, || {
            let request = self.client.request("HEAD", &path).header("tus-resumable", "1.0.0");
            let answer = self.client.send(request, Vec::new());
            let offset = answer.header("upload-offset").parse::<u64>();
            offset.is_ok_and(|offset| offset > PIECE && !offset.is_multiple_of(PART))
        });
        assert!(kept);
    }

    fn kill_server(&mut self) {
        self.server.signal(Signal::KILL);
        self.server.wait();
    }

    fn start_server_again(&mut self) {
        self.server = Server::start(self.folder.path(), &["--worker-enabled", "false"]);
        self.client = self.client.at(&self.server);
    }
}

fn small(seed: u32) -> Vec<u8> {
    bitmap_of(seed, 32, 20)
}

/// More than two pieces.
fn large() -> Vec<u8> {
    bitmap_of(1, 4000, 3400)
}

const MIB: u64 = 1 << 20;
/// Cuts a large file in its second piece.
const CUT: u64 = 26 * MIB;
const PIECE: u64 = 16 * MIB;
/// What the server keeps while more comes.
const PART: u64 = 8 * MIB;

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

fn spawn(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(child: Child) -> Ended {
    let done = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { code: done.status.code(), stdout: text(done.stdout), stderr: text(done.stderr) }
}

#[test]
fn folders_and_files_are_sent_and_not_sent_twice() {
    let world = World::start(&[]);
    world.write("photos/a.bmp", &small(1));
    world.write("photos/2026/b.bmp", &small(2));
    world.write("photos/.hidden.bmp", &small(3));
    world.write("photos/notes.txt", b"no image");
    world.write("c.bmp", &small(4));

    let said = world.uploaded(&["photos", "c.bmp", "photos/a.bmp"]);
    assert_eq!(last_line(&said), "3 uploaded, 0 already there, 1 skipped, 0 failed", "{said}");
    assert!(said.contains("skipped       photos/notes.txt: not an image"), "{said}");
    let images = world.images();
    let mut names: Vec<_> = images.iter().map(|image| image["filename"].as_str()).collect();
    names.sort();
    assert_eq!(names, [Some("a.bmp"), Some("b.bmp"), Some("c.bmp")]);
    for image in &images {
        let line = format!("({})", image["id"].as_str().unwrap());
        assert!(said.contains(&line), "{line} is not in\n{said}");
    }

    let gate = Gate::before(&world.server, u64::MAX);
    let said = run(world.upload_to(world.server.url(), &["photos", "c.bmp"])).success();
    assert_eq!(last_line(&said), "0 uploaded, 3 already there, 1 skipped, 0 failed", "{said}");
    // Who knows nothing of the first run sends all, and is told by the server.
    let said = run(world.upload_to(&gate.url(), &["photos", "--state", "other"])).success();
    assert_eq!(last_line(&said), "0 uploaded, 2 already there, 1 skipped, 0 failed", "{said}");
    let said = world.uploaded(&["c.bmp", "--again"]);
    assert_eq!(last_line(&said), "0 uploaded, 1 already there, 0 skipped, 0 failed", "{said}");
    assert_eq!(world.images().len(), 3);

    // A file that has been changed is another one.
    world.write("c.bmp", &small(5));
    let said = world.uploaded(&["c.bmp"]);
    assert_eq!(last_line(&said), "1 uploaded, 0 already there, 0 skipped, 0 failed", "{said}");
    let said = world.uploaded(&["c.bmp", "photos", "--quiet"]);
    assert_eq!(said, "");
}

#[test]
fn what_arrives_is_what_was_sent_and_processed_if_asked_to_wait() {
    let world = World::on(tempdir().unwrap(), |folder| Server::start(folder, &[]));
    let file = bitmap(7);
    world.write("evening.bmp", &file);
    let said = world.uploaded(&["evening.bmp", "--wait"]);
    assert_eq!(last_line(&said), "1 uploaded, 0 already there, 0 skipped, 0 failed", "{said}");
    let image = world.images().remove(0);
    assert_eq!(image["status"], "completed", "{image}");
    let original = image["originalUrl"].as_str().unwrap();
    assert_eq!(world.client.get(original).body, file);

    // What the server takes by its first bytes, and cannot make anything of.
    world.write("torn.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF\0");
    let ended = run(world.upload(&["torn.jpg", "evening.bmp", "--wait"]));
    let summary = "0 uploaded, 1 already there, 0 skipped, 1 failed";
    assert_eq!(last_line(&ended.stdout), summary, "{ended:?}");
    let complaint = ended.failure(1);
    assert!(complaint.contains("torn.jpg: it cannot be processed: "), "{complaint}");
}

#[test]
fn a_server_that_is_killed_and_started_again_in_the_middle_is_waited_for() {
    let mut world = World::start(&[]);
    let file = large();
    world.write("large.bmp", &file);
    let gate = Gate::before(&world.server, CUT);
    let child = spawn(world.upload_to(&gate.url(), &["large.bmp"]));
    gate.wait_until_closed();
    world.kill_server();
    world.start_server_again();
    gate.open_to(&world.server);

    let said = end(child).success();
    assert_eq!(last_line(&said), "1 uploaded, 0 already there, 0 skipped, 0 failed", "{said}");
    assert_eq!(world.images().len(), 1);
    let sent_again = gate.passed().saturating_sub(file.len() as u64);
    assert!(sent_again < PIECE, "{sent_again} bytes were sent again");
}

#[test]
fn after_a_server_was_gone_for_too_long_the_next_run_goes_on() {
    let mut world = World::start(&[]);
    let file = large();
    world.write("photos/large.bmp", &file);
    world.write("photos/small.bmp", &small(2));
    let gate = Gate::before(&world.server, CUT);
    let arguments = ["photos", "--parallel", "1", "--patience", "1s"];
    let child = spawn(world.upload_to(&gate.url(), &arguments));
    gate.wait_until_closed();
    world.kill_server();
    gate.open_to(&world.server);
    let ended = end(child);
    assert_eq!(
        last_line(&ended.stdout),
        "0 uploaded, 0 already there, 0 skipped, 2 failed",
        "{ended:?}"
    );
    let complaint = ended.failure(1);
    assert!(complaint.contains("2 images were not sent: the server cannot be used"), "{complaint}");

    world.start_server_again();
    gate.open_to(&world.server);
    let before = gate.passed();
    let said = run(world.upload_to(&gate.url(), &arguments)).success();
    assert_eq!(last_line(&said), "2 uploaded, 0 already there, 0 skipped, 0 failed", "{said}");
    let sent = gate.passed() - before;
    assert!(sent < file.len() as u64 - PIECE + MIB, "{sent} bytes were sent");
    assert_eq!(world.images().len(), 2);
}

#[test]
fn an_upload_that_was_stopped_goes_on_where_it_stopped() {
    for signal in [Signal::KILL, Signal::INT] {
        let world = World::start(&[]);
        let file = large();
        world.write("large.bmp", &file);
        let gate = Gate::before(&world.server, CUT);
        let child = spawn(world.upload_to(&gate.url(), &["large.bmp"]));
        gate.wait_until_closed();
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).unwrap();
        kill_process(pid, signal).unwrap();
        let ended = end(child);
        if signal == Signal::INT {
            let complaint = ended.failure(1);
            assert!(complaint.contains("run the same command again to go on"), "{complaint}");
        }
        gate.cut();
        world.wait_until_kept();
        gate.open_to(&world.server);

        let before = gate.passed();
        let said = run(world.upload_to(&gate.url(), &["large.bmp"])).success();
        assert_eq!(last_line(&said), "1 uploaded, 0 already there, 0 skipped, 0 failed", "{said}");
        let sent = gate.passed() - before;
        assert!(sent < file.len() as u64 - PIECE + MIB, "{sent} bytes were sent");
        assert_eq!(world.images().len(), 1);
    }
}

#[test]
fn an_upload_that_the_server_has_forgotten_is_begun_again() {
    let world = World::start(&[]);
    world.write("large.bmp", &large());
    let gate = Gate::before(&world.server, CUT);
    let mut child = spawn(world.upload_to(&gate.url(), &["large.bmp"]));
    gate.wait_until_closed();
    child.kill().unwrap();
    child.wait().unwrap();
    gate.cut();
    world.wait_until_kept();
    let cancel = world.client.request("DELETE", &world.upload_begun());
    world.client.send(cancel.header("tus-resumable", "1.0.0"), Vec::new()).expect(204);

    let said = world.uploaded(&["large.bmp"]);
    assert_eq!(last_line(&said), "1 uploaded, 0 already there, 0 skipped, 0 failed", "{said}");
}

#[test]
fn a_quota_that_is_used_up_is_told_for_every_file() {
    let world = World::start(&[]);
    world.limit(2, 1 << 30);
    for n in 0..4 {
        world.write(&format!("photos/{n}.bmp"), &small(n));
    }
    let ended = run(world.upload(&["photos", "--parallel", "1"]));
    assert_eq!(
        last_line(&ended.stdout),
        "2 uploaded, 0 already there, 0 skipped, 2 failed",
        "{ended:?}"
    );
    let complaint = ended.failure(1);
    assert!(complaint.contains("error: photos/2.bmp: "), "{complaint}");
    assert!(complaint.contains("error: photos/3.bmp: "), "{complaint}");
    assert_eq!(complaint.matches("(quota_images)").count(), 2, "{complaint}");
    // Who can change it, and where.
    for words in ["an administrator raise", "under Administration, Users", "ferrotype user limit"] {
        assert!(complaint.contains(words), "{words} is not in {complaint}");
    }

    let world = World::start(&[]);
    world.limit(100, 4 << 10);
    world.write("0.bmp", &small(0));
    world.write("1.bmp", &bitmap_of(1, 64, 64));
    let complaint = run(world.upload(&["0.bmp", "1.bmp"])).failure(1);
    assert!(complaint.contains("1.bmp") && complaint.contains("(quota_bytes)"), "{complaint}");
    assert_eq!(world.images().len(), 1);
}

#[test]
fn what_is_no_image_fails_if_it_was_named() {
    let world = World::start(&[]);
    world.write("notes.jpg", b"no image at all");
    world.write("good.bmp", &small(1));
    // An image by its first bytes is kept, whether or not it can be shown.
    world.write("torn.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF\0");
    let ended = run(world.upload(&["notes.jpg", "good.bmp", "torn.jpg", "gone.jpg"]));
    assert_eq!(
        last_line(&ended.stdout),
        "2 uploaded, 0 already there, 0 skipped, 2 failed",
        "{ended:?}"
    );
    let complaint = ended.failure(1);
    assert!(complaint.contains("notes.jpg: it is not an image"), "{complaint}");
    assert!(complaint.contains("gone.jpg: it cannot be read"), "{complaint}");
}

/// Requests of a route that the server has answered, by its metrics.
fn answered(world: &World, method: &str, route: &str) -> Vec<(String, u64)> {
    let (_, metrics) = world.server.get("/metrics");
    let of_route = |line: &&str| {
        line.starts_with("ferrotype_http_requests_total{")
            && line.contains(&format!("method=\"{method}\""))
            && line.contains(&format!("route=\"{route}\""))
    };
    let counted = metrics.lines().filter(of_route).map(|line| {
        let (_, status) = line.split_once("status=\"").unwrap();
        let (_, count) = line.rsplit_once(' ').unwrap();
        (status[..3].to_owned(), count.parse().unwrap())
    });
    counted.collect()
}

#[test]
fn hundreds_of_photos_take_one_question_and_one_request_each_and_none_is_told_to_wait() {
    const PHOTOS: u32 = 300;
    // Limits that its gallery would feel at once, if files counted.
    let world = World::start(&["--rate-limits-user", "60", "--rate-limits-address", "120"]);
    for n in 0..PHOTOS {
        world.write(&format!("photos/{n}.bmp"), &bitmap_of(n, 8, 4));
    }
    let said = world.uploaded(&["photos", "--parallel", "64"]);
    assert_eq!(last_line(&said), "300 uploaded, 0 already there, 0 skipped, 0 failed", "{said}");
    let once = |status: &str, count: u64| vec![(status.to_owned(), count)];
    assert_eq!(answered(&world, "POST", "/api/v1/images/exists"), once("200", 1));
    assert_eq!(answered(&world, "POST", "/api/v1/images"), once("201", PHOTOS.into()));
    assert_eq!(answered(&world, "POST", "/api/v1/uploads"), []);
    // Who knows nothing of the first run asks once and sends nothing.
    let said = world.uploaded(&["photos", "--state", "other"]);
    assert_eq!(last_line(&said), "0 uploaded, 300 already there, 0 skipped, 0 failed", "{said}");
    assert_eq!(answered(&world, "POST", "/api/v1/images/exists"), once("200", 2));
    assert_eq!(answered(&world, "POST", "/api/v1/images"), once("201", PHOTOS.into()));
    let (_, metrics) = world.server.get("/metrics");
    assert!(!metrics.contains("status=\"429\""), "{metrics}");
}

#[test]
fn more_files_at_once_than_places_wait_their_turn() {
    let world =
        World::start(&["--rate-limits-transfers", "1", "--rate-limits-transfer-bytes", "1KB"]);
    for n in 0..20 {
        world.write(&format!("photos/{n}.bmp"), &small(n));
    }
    let said = world.uploaded(&["photos", "--parallel", "20"]);
    assert_eq!(last_line(&said), "20 uploaded, 0 already there, 0 skipped, 0 failed", "{said}");
    let (_, metrics) = world.server.get("/metrics");
    assert!(!metrics.contains("status=\"429\"") && !metrics.contains("status=\"503\""));
}

#[test]
fn photos_come_with_album_tags_visibility_and_the_time_of_the_file() {
    let world = World::start(&[]);
    world.write("photos/a.bmp", &small(1));
    world.write("photos/b.bmp", &small(2));
    world.uploaded(&["photos/b.bmp"]);
    let options = ["--album", "Am Meer", "--tags", "sea,sun set", "--visibility", "shared"];
    let said = world.uploaded(&[&["photos"], &options[..]].concat());
    assert_eq!(last_line(&said), "1 uploaded, 1 already there, 0 skipped, 0 failed", "{said}");
    let albums = world.client.get("/api/v1/albums").expect(200);
    let album = &albums["items"][0];
    assert_eq!((&album["title"], &album["imageCount"]), (&"Am Meer".into(), &2.into()), "{album}");
    let images = world.images();
    let new = images.iter().find(|image| image["filename"] == "a.bmp").unwrap();
    assert_eq!(new["visibility"], "shared");
    assert_eq!(new["tags"], serde_json::json!(["sea", "sun set"]));
    // By its id or its name it is the same album.
    world.write("photos/c.bmp", &small(3));
    world.uploaded(&["photos", "--album", album["id"].as_str().unwrap()]);
    world.write("photos/d.bmp", &small(4));
    world.uploaded(&["photos", "--album", "Am Meer"]);
    let albums = world.client.get("/api/v1/albums").expect(200);
    assert_eq!(albums["items"].as_array().unwrap().len(), 1);
    assert_eq!(albums["items"][0]["imageCount"], 4);
    let gone = run(world.upload(&["photos", "--album", "01ARZ3NDEKTSV4RRFFQ69G5FAV"])).failure(1);
    assert!(gone.contains("there is no album"), "{gone}");
    let wrong = run(world.upload(&["photos", "--visibility", "everybody"])).failure(2);
    assert!(wrong.contains("private or shared"), "{wrong}");
}

/// A file without a date of a camera is from when it was written, unless somebody knows better.
#[test]
fn photos_are_from_the_time_of_their_files_or_as_said() {
    let world = World::start(&[]);
    world.write("old/a.bmp", &small(1));
    let written = std::time::UNIX_EPOCH + Duration::from_secs(981_173_106);
    let file = fs::File::options().write(true).open(world.path("old/a.bmp")).unwrap();
    file.set_modified(written).unwrap();
    let mut command = world.upload(&["old"]);
    command.env("TZ", "CET-1");
    run(command).success();
    world.write("new/b.bmp", &small(2));
    world.uploaded(&["new", "--taken", "1987-06-05T04:03:02+01:00"]);
    let images = world.images();
    let taken = |name: &str| {
        let image = images.iter().find(|image| image["filename"] == name).unwrap();
        (image["taken"]["at"].as_str().unwrap().to_owned(), image["taken"]["source"].clone())
    };
    assert_eq!(taken("a.bmp"), ("2001-02-03T05:05:06.000+01:00".to_owned(), "file".into()));
    assert_eq!(taken("b.bmp"), ("1987-06-05T04:03:02.000+01:00".to_owned(), "owner".into()));
    let wrong = run(world.upload(&["new", "--taken", "yesterday"])).failure(2);
    assert!(wrong.contains("2024-05-01T10:00:00+02:00"), "{wrong}");
}

#[test]
fn what_was_left_out_is_named_by_kind_and_in_the_report() {
    let world = World::start(&[]);
    world.limit(100, 4 << 10);
    world.write("photos/a.bmp", &small(1));
    world.write("photos/b.mp4", b"\0\0\0\x18ftypmp42 and so on");
    world.write("photos/c.MOV", b"no bytes of a video, but its name");
    world.write("photos/d.pdf", b"%PDF-1.7");
    world.write("photos/e.bmp", &bitmap_of(1, 64, 64));
    let ended = run(world.upload(&["photos", "--report", "report.jsonl"]));
    let said = &ended.stdout;
    assert!(said.contains("\n2 videos: not taken yet\n1 PDF: not an image\n1 failed: "), "{said}");
    assert_eq!(last_line(said), "1 uploaded, 0 already there, 3 skipped, 1 failed", "{said}");
    ended.failure(1);
    let report = fs::read_to_string(world.path("report.jsonl")).unwrap();
    let lines: Vec<Value> =
        report.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| lines.iter().find(|line| line["file"] == name).unwrap();
    assert_eq!(lines.len(), 5, "{report}");
    assert_eq!(of("photos/a.bmp")["outcome"], "uploaded");
    assert_eq!(of("photos/a.bmp")["image"], world.images()[0]["id"]);
    assert_eq!(of("photos/b.mp4")["code"], "video");
    assert_eq!(of("photos/e.bmp")["outcome"], "failed");
    assert_eq!(of("photos/e.bmp")["code"], "quota_bytes");
}

#[test]
fn a_key_is_needed_and_never_shown() {
    let world = World::start(&[]);
    world.write("a.bmp", &small(1));
    let mut command = world.upload(&["a.bmp"]);
    command.env_remove("FERROTYPE_KEY");
    let complaint = run(command).failure(2);
    assert!(complaint.contains("set FERROTYPE_KEY"), "{complaint}");

    let mut command = world.upload(&["a.bmp"]);
    let wrong = "ftk_0123456789abcdef0123456789abcdef";
    let ended = run({
        command.env("FERROTYPE_KEY", wrong);
        command
    });
    assert!(!format!("{ended:?}").contains(wrong));
    let complaint = ended.failure(1);
    assert!(complaint.contains("the server does not accept the key"), "{complaint}");

    // A key of its own, by a file, that may do nothing but this.
    let make = |scope: &str| {
        let key = world.client.with_scopes(&[scope]).token.unwrap();
        world.write("key", format!("{key}\n").as_bytes());
        let mut command = world.upload(&["a.bmp", "--key-file", "key"]);
        command.env_remove("FERROTYPE_KEY");
        run(command)
    };
    let complaint = make("read").failure(1);
    assert!(complaint.contains("lacks the scope write"), "{complaint}");
    let said = make("write").success();
    assert_eq!(last_line(&said), "1 uploaded, 0 already there, 0 skipped, 0 failed", "{said}");
}

#[test]
fn it_needs_no_configuration_of_a_server() {
    let world = World::start(&[]);
    world.write("client/a.bmp", &small(1));
    world.write("client/ferrotype.toml", b"listen = nonsense");
    let mut command = world.upload(&["a.bmp"]);
    command.current_dir(world.path("client"));
    run(command).success();
    assert!(!world.path("client/data").exists());

    let complaint = run(world.upload(&["a.bmp", "--listen", "127.0.0.1:1"])).failure(2);
    assert!(complaint.contains("leave out --listen"), "{complaint}");
    let complaint = run(world.upload_to("photos.example.org", &["client"])).failure(2);
    assert!(complaint.contains("https://photos.example.org"), "{complaint}");
    let nobody = ["client/a.bmp", "--patience", "0s"];
    let complaint = run(world.upload_to("http://127.0.0.1:1", &nobody)).failure(1);
    assert!(complaint.contains("the server cannot be used: no answer"), "{complaint}");
    // A server that has nothing to do with this.
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", other.local_addr().unwrap());
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = other.accept().unwrap();
        let mut request = [0; 1024];
        let _ = std::io::Read::read(&mut stream, &mut request).unwrap();
        let answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi";
        std::io::Write::write_all(&mut stream, answer.as_bytes()).unwrap();
    });
    let complaint = run(world.upload_to(&url, &["client/a.bmp"])).failure(1);
    assert!(complaint.contains("not as Ferrotype does"), "{complaint}");
    answering.join().unwrap();
}

#[test]
fn sidecars_go_with_their_photos_and_again_when_they_change() {
    let world = World::start(&[]);
    let xmp = |title: &str| sidecar(&[&format!("-XMP-dc:Title={title}")]);
    world.write("photos/a.jpg", &photo(&["-XMP-dc:Title=In a"]));
    world.write("photos/a.jpg.xmp", &xmp("Beside a"));
    world.write("photos/b.bmp", &small(1));
    world.write("photos/b.xmp", &xmp("Beside b"));
    world.write("photos/c.xmp", &xmp("Of nothing"));
    world.write("photos/d.bmp", &small(2));
    world.write("photos/d.xmp", b"no xmp");
    let photos = world.path("photos");
    let upload = || run(world.upload(&[photos.to_str().unwrap(), "--report", "report.jsonl"]));
    let first = upload().failure(1);
    assert!(first.contains("bad_sidecar"), "{first}");
    let report = fs::read_to_string(world.path("report.jsonl")).unwrap();
    let of = |name: &str| -> Value {
        let mut lines = report.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let ends = |line: &Value| line["file"].as_str().unwrap().ends_with(name);
        lines.find(ends).unwrap_or_else(|| panic!("{name} is not in {report}"))
    };
    assert_eq!(of("c.xmp")["code"], "sidecar_alone");
    assert_eq!(
        (&of("d.bmp")["outcome"], &of("d.xmp")["outcome"]),
        (&"uploaded".into(), &"failed".into())
    );
    let image = |name: &str| {
        let id = of(name)["image"].as_str().unwrap().to_owned();
        world.client.get(&format!("/api/v1/images/{id}")).expect(200)
    };
    for name in ["a.jpg", "b.bmp"] {
        assert!(image(name)["sidecar"]["sha256"].is_string(), "{}", image(name));
    }
    assert_eq!(image("d.bmp").get("sidecar"), None);

    // What has not changed is not sent again; what has, is.
    world.write("photos/b.xmp", &xmp("Beside b, later"));
    world.write("photos/d.xmp", &xmp("Beside d"));
    let before = image("a.jpg");
    upload().success();
    assert_eq!(image("a.jpg")["version"], before["version"]);
    let title = |name: &str| image(name)["title"].as_str().unwrap_or_default().to_owned();
    assert_eq!((title("b.bmp"), title("d.bmp")), ("Beside b, later".into(), "Beside d".into()));
}
