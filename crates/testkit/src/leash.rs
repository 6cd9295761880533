//! A child process that cannot outlive its owner, however the owner ends.
//!
//! A server shared by the tests of a process sits in a static, and statics are never dropped; and
//! a killed process drops nothing at all. So every server starts through a shell that first leaves
//! a guard behind, waiting on a pipe that only we hold open. When we are gone the pipe closes, and
//! the guard ends the server and removes its folder. (`PR_SET_PDEATHSIG` would not do: it follows
//! the thread that started the child, and a test is a thread.)

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::wait::wait_until;

/// `$1` is the folder, `$2` the signal, the rest the command. The shell becomes the server by
/// `exec`, so the server keeps the process id that we and the guard know.
const SCRIPT: &str = r#"
dir=$1 signal=$2
shift 2
exec 3<&0
(
    trap '' HUP INT QUIT TERM
    cd /
    read -r word <&3
    [ "$word" = released ] && exit
    kill -s "$signal" $$
    tries=100
    while [ -e "$dir" ] && [ "$tries" -gt 0 ]; do
        rm -rf -- "$dir"
        tries=$((tries - 1))
        sleep 0.1
    done
) &
exec "$@" </dev/null 3<&-
"#;

/// How long a server may take to obey its signal before it is killed.
const STOP_DEADLINE: Duration = Duration::from_secs(10);

/// The signal that ends a server.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StopSignal {
    /// For servers that keep nothing outside their folder.
    Kill,
    /// For PostgreSQL, which then gives its shared memory back but saves nothing.
    Quit,
    /// For those that have workers of their own to end.
    Terminate,
}

impl StopSignal {
    fn name(self) -> &'static str {
        match self {
            Self::Kill => "KILL",
            Self::Quit => "QUIT",
            Self::Terminate => "TERM",
        }
    }
}

/// A running process with a folder of its own; ended, and its folder removed, when dropped or when
/// this process ends in any way.
#[derive(Debug)]
pub(crate) struct Leashed {
    child: Child,
    leash: Option<ChildStdin>,
    signal: StopSignal,
    folder: TempDir,
}

impl Leashed {
    /// Starts a command in its folder with only the environment the command itself sets, so that
    /// settings of whoever runs the tests cannot change what a server does.
    pub(crate) fn start(command: &Command, folder: TempDir, signal: StopSignal) -> Self {
        let (child, leash) = spawn(command, folder.path(), signal);
        Self { child, leash, signal, folder }
    }

    /// Kills the server without a warning and starts a command in the same folder.
    pub(crate) fn kill_and_start(&mut self, command: &Command) {
        self.release();
        let _ = self.child.kill();
        let _ = self.child.wait();
        (self.child, self.leash) = spawn(command, self.folder.path(), self.signal);
    }

    /// The process id of the server itself.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The folder of the server's files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The exit status if the server has ended by itself.
    pub(crate) fn exited(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("ask for the state of a test server")
    }

    /// What the server has printed so far.
    pub(crate) fn log(&self) -> String {
        let bytes = std::fs::read(log_path(self.folder.path())).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Sends the guard away; it must let go before the process id is free to be used again.
    fn release(&mut self) {
        if let Some(mut leash) = self.leash.take() {
            let _ = leash.write_all(b"released\n");
        }
    }

    fn send_signal(&self) {
        // A failure shows as a server that does not end, and is answered below.
        let _ = Command::new("/bin/sh")
            .args(["-c", "kill -s \"$1\" \"$2\"", "sh", self.signal.name()])
            .arg(self.pid().to_string())
            .status();
    }
}

impl Drop for Leashed {
    fn drop(&mut self) {
        self.release();
        if self.exited().is_some() {
            return;
        }
        self.send_signal();
        if !wait_until(STOP_DEADLINE, || self.exited().is_some()) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn spawn(command: &Command, folder: &Path, signal: StopSignal) -> (Child, Option<ChildStdin>) {
    let log = File::create(log_path(folder)).expect("create the log of a test server");
    let errors = log.try_clone().expect("share the log of a test server");
    let mut child = Command::new("/bin/sh")
        .args(["-c", SCRIPT, "sh"])
        .arg(folder)
        .arg(signal.name())
        .arg(command.get_program())
        .args(command.get_args())
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", folder)
        .env("TMPDIR", folder)
        .env("LANG", "C.UTF-8")
        .envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(log)
        .stderr(errors)
        .spawn()
        .expect("start /bin/sh");
    let leash = child.stdin.take();
    (child, leash)
}

fn log_path(folder: &Path) -> PathBuf {
    folder.join("server.log")
}
