//! A private PostgreSQL cluster on a free loopback port, to measure against.
//!
//! It keeps what it acknowledges (`fsync` and `synchronous_commit` are on), is reached over TCP with
//! a password of its own, and is gone when its owner is gone. It never touches a cluster that the
//! machine already has.

use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::leash::{Leashed, StopSignal};
use crate::servers::{free_port, server_folder_in};
use crate::wait::wait_until;

/// How long the server may take to be ready, recovery of a large cluster included.
const START_DEADLINE: Duration = Duration::from_secs(300);
/// How often it is started anew when it ends at once: another process may have taken its port, or
/// the killed server's last process may not have ended yet.
const START_ATTEMPTS: usize = 20;
/// The system user that runs the server when we are root, which PostgreSQL refuses.
const SYSTEM_USER: &str = "postgres";
/// The superuser inside the cluster.
const DATABASE_USER: &str = "ferrotype";

/// A running cluster; ended, and its folder removed, when dropped.
#[derive(Debug)]
pub struct Postgres {
    process: Leashed,
    installation: Installation,
    settings: Vec<(String, String)>,
    port: u16,
    password: String,
}

impl Postgres {
    /// Starts an empty cluster with default settings in the folder for temporary files.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start; the message says what to do.
    pub fn start() -> Self {
        Self::start_in(&std::env::temp_dir(), &[])
    }

    /// Starts an empty cluster with its files inside the folder, so that its disk can be chosen,
    /// and with these settings of `postgresql.conf`. When we are root, the system user `postgres`
    /// must be able to reach the folder.
    ///
    /// # Panics
    /// As [`Postgres::start`].
    pub fn start_in(parent: &Path, settings: &[(&str, &str)]) -> Self {
        let installation = Installation::find();
        let folder = server_folder_in(parent, "postgres");
        let password = format!("{:032x}", rand::random::<u128>());
        installation.create_cluster(&folder, &password);
        let settings: Vec<_> =
            settings.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();

        let port = free_port();
        let command = installation.server(folder.path(), port, &settings);
        let process = Leashed::start(&command, folder, StopSignal::Quit);
        let mut postgres = Self { process, installation, settings, port, password };
        postgres.wait_until_ready();
        postgres
    }

    /// How to reach it, in the form that `psql` and `tokio-postgres` take.
    pub fn connection_string(&self) -> String {
        let Self { port, password, .. } = self;
        format!(
            "host=127.0.0.1 port={port} user={DATABASE_USER} password={password} dbname=postgres"
        )
    }

    /// The loopback port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The id of the server's main process.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// The folder of all its files.
    pub fn folder(&self) -> &Path {
        self.process.folder()
    }

    /// Kills the server's main process and starts it again; returns how long it took from the
    /// start until it was ready. Its connections are lost, its port is another one afterwards.
    ///
    /// # Panics
    /// If it does not start again.
    pub fn crash_and_recover(&mut self) -> Duration {
        self.start_again();
        self.wait_until_ready()
    }

    /// Waits for the server, and returns how long the start that succeeded took.
    fn wait_until_ready(&mut self) -> Duration {
        for _ in 0..START_ATTEMPTS {
            let started = Instant::now();
            let mut ready = false;
            let settled = wait_until(START_DEADLINE, || {
                ready = is_ready(self.process.folder(), self.pid());
                ready || self.process.exited().is_some()
            });
            if ready {
                return started.elapsed();
            }
            let log = self.process.log();
            assert!(settled, "PostgreSQL was not ready within {START_DEADLINE:?}:\n{log}");
            self.start_again();
        }
        let log = self.process.log();
        panic!("PostgreSQL ended at once, {START_ATTEMPTS} times; it printed:\n{log}");
    }

    fn start_again(&mut self) {
        self.port = free_port();
        let command = self.installation.server(self.process.folder(), self.port, &self.settings);
        self.process.kill_and_start(&command);
    }
}

/// The programs, and the words that go before them so that they do not run as root.
#[derive(Debug)]
struct Installation {
    programs: PathBuf,
    system_user: Option<SystemUser>,
}

#[derive(Debug, Clone, Copy)]
struct SystemUser {
    uid: u32,
    gid: u32,
}

impl Installation {
    fn find() -> Self {
        let we_are_root =
            std::fs::metadata("/proc/self").expect("look at our own process").uid() == 0;
        Self { programs: newest_programs(), system_user: we_are_root.then(find_system_user) }
    }

    fn create_cluster(&self, folder: &TempDir, password: &str) {
        let password_file = folder.path().join("password");
        std::fs::write(&password_file, password).expect("write the password of the cluster");
        if let Some(SystemUser { uid, gid }) = self.system_user {
            for path in [folder.path(), &password_file] {
                chown(path, Some(uid), Some(gid)).expect("hand the folder to the system user");
            }
        }
        let mut command = self.program("initdb");
        command
            .arg("--pgdata")
            .arg(data_folder(folder.path()))
            .args(["--username", DATABASE_USER, "--auth", "scram-sha-256", "--pwfile"])
            .arg(&password_file)
            .args(["--encoding", "UTF8", "--locale", "C", "--no-sync"])
            .current_dir(folder.path());
        let output = command.output().expect("run initdb");
        assert!(
            output.status.success(),
            "initdb in {} failed:\n{}",
            folder.path().display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }

    fn server(&self, folder: &Path, port: u16, settings: &[(String, String)]) -> Command {
        let mut command = self.program("postgres");
        command.arg("-D").arg(data_folder(folder)).arg("-p").arg(port.to_string());
        let own = [
            ("listen_addresses", "127.0.0.1"),
            ("unix_socket_directories", ""),
            ("fsync", "on"),
            ("synchronous_commit", "on"),
            ("full_page_writes", "on"),
        ];
        let given = settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        // Of two settings of one name the later one counts: ours, which say what is measured.
        for (name, value) in given.chain(own) {
            command.arg("-c").arg(format!("{name}={value}"));
        }
        command
    }

    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        let Some(SystemUser { uid, gid }) = self.system_user else {
            return Command::new(program);
        };
        let mut command = Command::new("setpriv");
        command
            .arg(format!("--reuid={uid}"))
            .arg(format!("--regid={gid}"))
            .args(["--clear-groups", "--"])
            .arg(program);
        command
    }
}

fn newest_programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    versions
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse::<u32>().ok()?, entry.path())))
        .map(|(version, path)| (version, path.join("bin")))
        .filter(|(_, programs)| programs.join("initdb").exists())
        .max()
        .map(|(_, programs)| programs)
        .expect("PostgreSQL is missing in /usr/lib/postgresql: run scripts/setup test")
}

fn find_system_user() -> SystemUser {
    let users = std::fs::read_to_string("/etc/passwd").expect("read /etc/passwd");
    users
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>())
        .find_map(|fields| match fields[..] {
            [SYSTEM_USER, _, uid, gid, ..] => {
                Some(SystemUser { uid: uid.parse().ok()?, gid: gid.parse().ok()? })
            }
            _ => None,
        })
        .expect("the system user postgres is missing: run scripts/setup test")
}

fn data_folder(folder: &Path) -> PathBuf {
    folder.join("data")
}

/// The server writes its process id and, once it takes connections, `ready` into this file.
fn is_ready(folder: &Path, pid: u32) -> bool {
    let status = std::fs::read_to_string(data_folder(folder).join("postmaster.pid"));
    let status = status.unwrap_or_default();
    let mut lines = status.lines().map(str::trim);
    lines.next() == Some(&pid.to_string()) && lines.nth(6) == Some("ready")
}
