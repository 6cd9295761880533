//! Real servers for tests, each a process of its own on a free loopback port, with a folder of
//! its own, gone when its owner is gone.
//!
//! [`Dynoxide`] speaks the DynamoDB API. [`Ministack`] speaks DynamoDB, S3, SQS and Cognito.
//! [`OidcProvider`] is where people sign in. [`Program`] is any other.
//! `start` gives a server of one's own and `shared` the one of this test process; tests that share
//! one must use tables and buckets of their own. Both accept [`ACCESS_KEY_ID`] and
//! [`SECRET_ACCESS_KEY`] in [`REGION`].

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use tempfile::TempDir;

use crate::leash::{Leashed, StopSignal};
use crate::wait::wait_until;

/// The access key that the servers know.
pub const ACCESS_KEY_ID: &str = "testkit";
/// The secret key that belongs to [`ACCESS_KEY_ID`].
pub const SECRET_ACCESS_KEY: &str = "testkitsecret";
/// The region to sign for.
pub const REGION: &str = "us-east-1";

/// The environment variable that names another folder of test servers than `.tools`, from
/// the root of the repository if it is not absolute.
pub const TOOLS_VARIABLE: &str = "FERROTYPE_TOOLS";

/// How long a server may take until its first answer, on a busy machine with cold caches.
const START_DEADLINE: Duration = Duration::from_secs(60);
/// How long one look at a starting server may take.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);
/// How often another port is tried when somebody else was faster to take it.
const START_ATTEMPTS: usize = 3;

/// A `dynoxide` process: the DynamoDB API, in memory.
#[derive(Debug)]
pub struct Dynoxide(Server);

impl Dynoxide {
    /// Starts an empty server.
    ///
    /// # Panics
    /// If it is not installed or does not answer; the message says what to do.
    pub fn start() -> Self {
        let program = installed("node/node_modules/@dynoxide/linux-x64/dynoxide");
        Self(Server::start("dynoxide", LIST_TABLES, |port, _| {
            let mut command = Command::new(&program);
            command.args(["serve", "--host", "127.0.0.1", "--port"]).arg(port.to_string());
            command
        }))
    }

    /// The server that all tests of this process share.
    ///
    /// # Panics
    /// As [`Dynoxide::start`].
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Dynoxide> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// Its address, such as `http://127.0.0.1:40001`.
    pub fn endpoint(&self) -> String {
        self.0.endpoint()
    }

    /// The id of the server's process.
    pub fn pid(&self) -> u32 {
        self.0.process.pid()
    }

    /// The folder of the server's files, removed with it.
    pub fn folder(&self) -> &Path {
        self.0.process.folder()
    }
}

/// A `ministack` process: the APIs of DynamoDB, S3, SQS and Cognito, in memory.
///
/// It refuses to show objects to anonymous readers, and presigned URLs that are expired or were
/// tampered with; signatures in headers it does not check.
#[derive(Debug)]
pub struct Ministack(Server);

impl Ministack {
    /// Starts an empty server.
    ///
    /// # Panics
    /// If it is not installed or does not answer; the message says what to do.
    pub fn start() -> Self {
        let python = installed("python/bin/python");
        Self(Server::start("ministack", MINISTACK_READY, |port, folder| {
            let mut command = Command::new(&python);
            command
                .args(["-m", "ministack"])
                .env("BIND_HOST", "127.0.0.1")
                .env("MINISTACK_HOST", "127.0.0.1")
                .env("GATEWAY_PORT", port.to_string())
                .env("SERVICES", "dynamodb,s3,sqs,cognito-idp")
                // Both would listen on fixed ports.
                .env("IOT_MTLS_ENABLED", "0")
                .env("SFTP_ENABLED", "0")
                .env("AUTH", "true")
                .env("AWS_ACCESS_KEY_ID", ACCESS_KEY_ID)
                .env("AWS_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY)
                .env("MINISTACK_REGION", REGION)
                .env("STATE_DIR", folder.join("state"))
                .env("S3_DATA_DIR", folder.join("s3"))
                // Never touch a container daemon of the developer's machine.
                .env("DOCKER_HOST", format!("unix://{}/no-docker.sock", folder.display()))
                .env("LOG_LEVEL", "WARNING");
            command
        }))
    }

    /// The server that all tests of this process share.
    ///
    /// # Panics
    /// As [`Ministack::start`].
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Ministack> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// Its address, such as `http://127.0.0.1:40001`; the same for all its services.
    pub fn endpoint(&self) -> String {
        self.0.endpoint()
    }

    /// The id of the server's process.
    pub fn pid(&self) -> u32 {
        self.0.process.pid()
    }

    /// The folder of the server's files, removed with it.
    pub fn folder(&self) -> &Path {
        self.0.process.folder()
    }
}

/// An `oidc-provider` process: an OpenID provider where anybody signs in with any password as
/// anybody, for the client [`OIDC_CLIENT_ID`].
#[derive(Debug)]
pub struct OidcProvider(Server);

/// What [`OidcProvider`] calls the program that is tested.
pub const OIDC_CLIENT_ID: &str = "ferrotype";
/// What proves [`OIDC_CLIENT_ID`]; full of characters that must be encoded.
pub const OIDC_CLIENT_SECRET: &str = "a secret: with / signs";

impl OidcProvider {
    /// Starts a provider with keys of its own.
    ///
    /// # Panics
    /// If it is not installed or does not answer; the message says what to do.
    pub fn start() -> Self {
        let module = installed("node/node_modules/oidc-provider/lib/index.js");
        let launcher = concat!(env!("CARGO_MANIFEST_DIR"), "/src/servers/oidc_provider.mjs");
        Self(Server::start("oidc-provider", OIDC_DISCOVERY, |port, _| {
            let mut command = Command::new("node");
            command.arg(launcher).arg(&module).arg(port.to_string());
            command
        }))
    }

    /// The server that all tests of this process share.
    ///
    /// # Panics
    /// As [`OidcProvider::start`].
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<OidcProvider> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// Its address, by which it also names itself.
    pub fn issuer(&self) -> String {
        self.0.endpoint()
    }
}

/// Any other program that answers HTTP on a port that it is told.
#[derive(Debug)]
pub struct Program(Server);

impl Program {
    /// Starts it. The command is made for a port and a folder for files of its own; it is up when
    /// it answers a GET of `ready_path` with 200. It ends by SIGTERM, by which those that have
    /// workers end them too.
    ///
    /// # Panics
    /// If it does not answer; the message has what it printed.
    pub fn start(name: &str, ready_path: &str, command: impl FnMut(u16, &Path) -> Command) -> Self {
        let probe =
            format!("GET {ready_path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        Self(Server::start_with(StopSignal::Terminate, name, &probe, command))
    }

    /// Its address, such as `http://127.0.0.1:40001`.
    pub fn endpoint(&self) -> String {
        self.0.endpoint()
    }

    /// The id of its process.
    pub fn pid(&self) -> u32 {
        self.0.process.pid()
    }
}

const OIDC_DISCOVERY: &str = "GET /.well-known/openid-configuration HTTP/1.1\r\n\
    Host: 127.0.0.1\r\nConnection: close\r\n\r\n";

const LIST_TABLES: &str = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
    Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n\
    Authorization: AWS4-HMAC-SHA256 Credential=testkit/20250101/us-east-1/dynamodb/aws4_request, \
    SignedHeaders=host;x-amz-date, Signature=0\r\nX-Amz-Date: 20250101T000000Z\r\n\
    Content-Length: 2\r\n\r\n{}";

const MINISTACK_READY: &str =
    "GET /_ministack/ready HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";

/// A started process that has answered on its port.
#[derive(Debug)]
struct Server {
    process: Leashed,
    port: u16,
}

impl Server {
    fn start(name: &str, probe: &str, command: impl FnMut(u16, &Path) -> Command) -> Self {
        Self::start_with(StopSignal::Kill, name, probe, command)
    }

    fn start_with(
        signal: StopSignal,
        name: &str,
        probe: &str,
        mut command: impl FnMut(u16, &Path) -> Command,
    ) -> Self {
        let mut log = String::new();
        for _ in 0..START_ATTEMPTS {
            let port = free_port();
            let folder = server_folder_in(&std::env::temp_dir(), name);
            let command = command(port, folder.path());
            let mut process = Leashed::start(&command, folder, signal);
            let mut answered = false;
            let settled = wait_until(START_DEADLINE, || {
                answered = answers(port, probe);
                answered || process.exited().is_some()
            });
            // Alive after the answer: otherwise it was somebody else's answer on a port we lost.
            if answered && process.exited().is_none() {
                return Self { process, port };
            }
            log = process.log();
            assert!(settled, "{name} did not answer within {START_DEADLINE:?}; it printed:\n{log}");
        }
        panic!("{name} ended at once, {START_ATTEMPTS} times; it printed:\n{log}");
    }

    fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

/// A loopback port that nobody listens on at this moment.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .expect("find a free loopback port")
        .port()
}

/// A folder inside another for one server's files and log.
pub(crate) fn server_folder_in(parent: &Path, name: &str) -> TempDir {
    tempfile::Builder::new()
        .prefix(&format!("ferrotype-{name}-"))
        .tempdir_in(parent)
        .expect("create a folder for a test server")
}

fn answers(port: u16, probe: &str) -> bool {
    let exchange = || -> std::io::Result<[u8; 12]> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut stream = TcpStream::connect_timeout(&address, PROBE_TIMEOUT)?;
        stream.set_read_timeout(Some(PROBE_TIMEOUT))?;
        stream.write_all(probe.as_bytes())?;
        let mut status = [0; 12];
        stream.read_exact(&mut status)?;
        Ok(status)
    };
    exchange().is_ok_and(|status| status.ends_with(b" 200"))
}

/// The path of a program that `scripts/setup test` installs, from the folder of test tools.
///
/// # Panics
/// If it is not there; the message says what to do.
pub fn installed(program: &str) -> PathBuf {
    let path = tools_folder().join(program);
    assert!(path.exists(), "{} is missing: run scripts/setup test", path.display());
    path
}

fn tools_folder() -> PathBuf {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    repository.join(std::env::var_os(TOOLS_VARIABLE).unwrap_or_else(|| ".tools".into()))
}
