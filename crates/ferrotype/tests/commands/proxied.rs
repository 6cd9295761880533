//! `ferrotype upload` to a server behind a proxy that takes only small bodies.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tempfile::tempdir;
use testkit::servers::Program;

use crate::program::{Ended, Server, run};
use crate::support::files::bitmap_of;
use crate::upload::World;

/// nginx with nothing but what it needs to run as anybody and to tell what it refuses.
const CONFIGURATION: &str = "
daemon off;
master_process off;
pid FOLDER/pid;
error_log FOLDER/errors.log error;
events {}
http {
    access_log off;
    client_body_temp_path FOLDER/body;
    proxy_temp_path FOLDER/proxy;
    fastcgi_temp_path FOLDER/fastcgi;
    uwsgi_temp_path FOLDER/uwsgi;
    scgi_temp_path FOLDER/scgi;
    server {
        listen 127.0.0.1:PORT;
        location / {
            proxy_pass SERVER;
            SETTING
        }
    }
}";

/// A server behind nginx.
struct Proxied {
    world: World,
    nginx: Program,
    errors: PathBuf,
}

impl Proxied {
    fn start(setting: &str) -> Self {
        let serve = |folder: &_| Server::start(folder, &["--worker-enabled", "false"]);
        let world = World::on(tempdir().unwrap(), serve);
        let mut errors = PathBuf::new();
        let nginx = Program::start("nginx", "/health/live", |port, folder| {
            let configuration = CONFIGURATION
                .replace("FOLDER", folder.to_str().unwrap())
                .replace("PORT", &port.to_string())
                .replace("SERVER", world.server.url())
                .replace("SETTING", setting);
            let file = folder.join("nginx.conf");
            fs::write(&file, configuration).unwrap();
            errors = folder.join("errors.log");
            let mut command = Command::new("/usr/sbin/nginx");
            command.arg("-p").arg(folder).arg("-c").arg(&file).args(["-e", "stderr"]);
            command
        });
        Self { world, nginx, errors }
    }

    /// Sends files one after the other, so that it is sure what each learns from those before.
    fn upload(&self, arguments: &[&str]) -> Ended {
        let mut command = self.world.upload(&[&["--parallel", "1"], arguments].concat());
        command.env("FERROTYPE_SERVER", self.nginx.endpoint());
        run(command)
    }

    /// How many bodies nginx has refused.
    fn refused(&self) -> usize {
        let errors = fs::read_to_string(&self.errors).unwrap();
        errors.matches("client intended to send too large body").count()
    }
}

#[test]
fn photos_larger_than_nginx_takes_unless_told_otherwise_arrive() {
    let proxied = Proxied::start("");
    let world = &proxied.world;
    let files = [
        ("a-large.bmp", bitmap_of(1, 1300, 1300)),
        ("b-large.bmp", bitmap_of(2, 1300, 1300)),
        ("c-small.bmp", bitmap_of(3, 32, 20)),
    ];
    for (name, bytes) in &files {
        world.write(name, bytes);
    }
    let said = proxied.upload(&files.each_ref().map(|(name, _)| *name)).success();
    assert!(said.contains("3 uploaded, 0 already there, 0 skipped, 0 failed"), "{said}");
    let images = world.images();
    for (name, bytes) in &files {
        let image = images.iter().find(|image| image["filename"] == *name).unwrap();
        let original = image["originalUrl"].as_str().unwrap();
        assert!(world.client.get(original).body == *bytes, "{name}");
    }
    // The first as a whole and in pieces of 4 and of 2 MiB; the second knows from it.
    assert_eq!(proxied.refused(), 3);
}

#[test]
fn a_proxy_that_takes_only_tiny_bodies_is_named() {
    let proxied = Proxied::start("client_max_body_size 100k;");
    let world = &proxied.world;
    world.write("a-large.bmp", &bitmap_of(1, 1300, 1300));
    world.write("b-large.bmp", &bitmap_of(2, 1300, 1300));
    world.write("c-middle.bmp", &bitmap_of(3, 320, 200));
    world.write("d-small.bmp", &bitmap_of(4, 32, 20));
    let names = ["a-large.bmp", "b-large.bmp", "c-middle.bmp", "d-small.bmp"];
    let ended = proxied.upload(&names);
    assert!(ended.stdout.contains("1 uploaded, 0 already there, 0 skipped, 3 failed"), "{ended:?}");
    let complaint = ended.failure(1);
    for said in ["proxy in front of the server", "client_max_body_size 20m;", "proxy.md"] {
        assert!(complaint.contains(said), "{complaint}");
    }
    assert!(!complaint.contains("<html>"), "{complaint}");
    // The first as a whole and in pieces of 4, 2, 1 and half a MiB, the second not at all, and the
    // third, which is smaller than a piece, as a whole.
    assert_eq!(proxied.refused(), 6);
}
