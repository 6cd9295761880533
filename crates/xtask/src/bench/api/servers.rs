//! The servers that are measured, each a process of its own on a loopback port.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::servers::Program;

use crate::Outcome;
use crate::bare;
use crate::shared::machine::said_by;
use crate::shared::repository::{installed, program};
use crate::side::Side;

/// nginx as Debian configures it, but without a log of every request.
const NGINX_CONFIGURATION: &str = "
user root;
worker_processes auto;
daemon off;
pid nginx.pid;
error_log stderr warn;
events { worker_connections 768; }
http {
    sendfile on;
    tcp_nopush on;
    types { image/webp webp; }
    default_type application/octet-stream;
    access_log off;
    keepalive_requests 1000000000;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    server {
        listen 127.0.0.1:PORT backlog=1024;
        root BLOBS;
        location = /ready { return 200; }
    }
}
";

/// What pict-rs is told: sled and files, and the quality that Ferrotype uses.
const PICT_RS_CONFIGURATION: &str = "
[server]
address = '127.0.0.1:PORT'
[tracing.logging]
targets = 'error'
[old_repo]
path = 'FOLDER/old'
[repo]
type = 'sled'
path = 'FOLDER/sled'
export_path = 'FOLDER/exports'
[store]
type = 'filesystem'
path = 'FOLDER/files'
[media.image]
max_file_size = 64
[media.image.quality]
webp = 80
";

/// What Ferrotype is told: no limits of requests, as the others have none, and no log of every
/// request.
const FERROTYPE_FLAGS: [&str; 4] = ["--rate-limits-enabled", "false", "--log-level", "warn"];

/// Where the binary is that was built together with this program; set by `./test`.
const BUILT: &str = "FERROTYPE_BINARY";

/// Builds the binary as this program was built, unless that has been done, and says where it is.
pub fn build_ferrotype() -> Outcome<PathBuf> {
    if let Some(built) = std::env::var_os(BUILT) {
        return Ok(built.into());
    }
    let exe = std::env::current_exe()?;
    let folder = exe.ancestors().nth(2).ok_or("this program is in no target folder")?;
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--locked", "--workspace", "--bin", "ferrotype"]);
    if folder.ends_with("release") {
        build.arg("--release");
    }
    if !build.status()?.success() {
        return Err("the binary cannot be built".into());
    }
    Ok(folder.join("ferrotype"))
}

/// Makes sure that everything is installed, and tells the versions.
///
/// # Errors
/// When something is missing: says what installs it.
pub fn versions(sides: &[Side]) -> Outcome<Vec<(&'static str, String)>> {
    program(&["wrk"], "test")?;
    let mut versions = vec![("wrk", said_by("wrk", &["-v"]))];
    if sides.contains(&Side::Nginx) {
        let nginx = program(&["nginx"], "bench")?;
        versions.push(("nginx", said_by(&nginx.to_string_lossy(), &["-v"])));
    }
    if sides.contains(&Side::PictRs) {
        let pict_rs = installed(PICT_RS)?;
        versions.push(("pict-rs", said_by(&pict_rs.to_string_lossy(), &["--version"])));
        for needed in ["ffmpeg", "exiftool"] {
            program(&[needed], "bench")?;
        }
        let imagemagick = program(&["magick", "convert-im6.q16"], "bench")?;
        versions.push(("ImageMagick", said_by(&imagemagick.to_string_lossy(), &["-version"])));
    }
    Ok(versions)
}

pub fn start_ferrotype(binary: &Path, data: &Path) -> Program {
    Program::start("ferrotype", "/health/live", |port, _| {
        let mut command = Command::new(binary);
        command
            .args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--data-folder"])
            .arg(data)
            .args(FERROTYPE_FLAGS);
        command
    })
}

/// Starts the bare handler with the answers in this folder.
pub fn start_bare(answers: &Path) -> Outcome<Program> {
    let exe = std::env::current_exe()?;
    Ok(Program::start("bare", bare::READY_PATH, |port, _| {
        let mut command = Command::new(&exe);
        command.arg(bare::COMMAND).arg(port.to_string()).arg(answers);
        command
    }))
}

/// Starts nginx on the objects of Ferrotype.
pub fn start_nginx(blobs: &Path) -> Outcome<Program> {
    let nginx = program(&["nginx"], "bench")?;
    let mut written = Ok(());
    let started = Program::start("nginx", "/ready", |port, folder| {
        let configuration = NGINX_CONFIGURATION
            .replace("PORT", &port.to_string())
            .replace("BLOBS", &blobs.to_string_lossy());
        let file = folder.join("nginx.conf");
        if let Err(error) = fs::write(&file, configuration) {
            written = Err(error);
        }
        let mut command = Command::new(&nginx);
        command.arg("-p").arg(folder).arg("-c").arg(&file).args(["-e", "stderr"]);
        command
    });
    written?;
    Ok(started)
}

/// From the folder of tools.
const PICT_RS: &str = "pict-rs/bin/pict-rs";

pub fn start_pict_rs(data: &Path) -> Outcome<Program> {
    let pict_rs = installed(PICT_RS)?;
    // `magick` is there, also where ImageMagick 6 calls its programs otherwise.
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", parent(&pict_rs)?.display());
    let mut written = Ok(());
    let started = Program::start("pict-rs", "/healthz", |port, folder| {
        let configuration = PICT_RS_CONFIGURATION
            .replace("PORT", &port.to_string())
            .replace("FOLDER", &data.to_string_lossy());
        let file = folder.join("pict-rs.toml");
        if let Err(error) = fs::write(&file, configuration) {
            written = Err(error);
        }
        let mut command = Command::new(&pict_rs);
        command.arg("--config-file").arg(file).arg("run").env("PATH", &path);
        command
    });
    written?;
    Ok(started)
}

fn parent(path: &Path) -> Outcome<&Path> {
    path.parent().ok_or_else(|| "a file in no folder".into())
}
