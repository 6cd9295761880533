//! The running server's side.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::geteuid;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Notify;
use tokio::task::{JoinHandle, JoinSet};

use super::order::{Order, run};
use super::socket::Way;
use super::{Answer, Failed, QUESTION_BYTES_MAX, Question};
use crate::build_info::VERSION;
use crate::failure::Failure;
use service::Service;

/// The task that takes commands.
pub struct Control {
    socket: PathBuf,
    stop: Arc<Notify>,
    task: JoinHandle<()>,
}

/// Commands at once; more wait to be accepted.
const AT_ONCE_MAX: usize = 8;
/// Commands are short; whoever connects and says nothing is no command.
const PATIENCE: Duration = Duration::from_secs(10);

impl Control {
    /// Takes commands at this socket from now on. A socket that is there was left by a server that
    /// was killed: whoever calls this has the table.
    ///
    /// Where there can be no socket, such as on some network disks, there is a warning.
    pub fn start(socket: &Path, service: &Service) -> Option<Self> {
        match listen(socket) {
            Ok(listener) => {
                let stop = Arc::new(Notify::new());
                let task = tokio::spawn(serve(listener, service.clone(), Arc::clone(&stop)));
                Some(Self { socket: socket.to_owned(), stop, task })
            }
            Err(error) => {
                tracing::warn!(
                    socket = %socket.display(), %error,
                    "commands such as `ferrotype user` will need the server to be stopped"
                );
                None
            }
        }
    }

    /// Takes no more commands, and finishes those that were taken.
    pub async fn stop(self) {
        self.stop.notify_one();
        if let Err(error) = self.task.await {
            tracing::error!(%error, "taking commands");
        }
        // A socket that nobody listens on does no harm.
        let _ = fs::remove_file(self.socket);
    }
}

fn listen(socket: &Path) -> io::Result<UnixListener> {
    match fs::remove_file(socket) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let way = Way::to(socket)?;
    let listener = UnixListener::bind(&way.path)?;
    // Until here others may have been able to connect; who they are is asked of each.
    fs::set_permissions(socket, Permissions::from_mode(0o600))?;
    Ok(listener)
}

async fn serve(listener: UnixListener, service: Service, stop: Arc<Notify>) {
    let mut commands = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.notified() => break,
            accepted = listener.accept(), if commands.len() < AT_ONCE_MAX => match accepted {
                Ok((stream, _)) => {
                    let service = service.clone();
                    commands.spawn(async move {
                        if let Err(error) = attend(stream, &service).await {
                            tracing::warn!(%error, "a command could not be taken");
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "taking commands");
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            },
            Some(_) = commands.join_next() => {}
        }
    }
    while commands.join_next().await.is_some() {}
}

async fn attend(mut stream: UnixStream, service: &Service) -> io::Result<()> {
    let caller = stream.peer_cred()?.uid();
    if caller != geteuid().as_raw() && caller != 0 {
        let message = format!("user {caller} is not the one that runs this server");
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
    }
    let (reading, mut writing) = stream.split();
    let mut line = String::new();
    let mut reading = BufReader::new(reading.take(QUESTION_BYTES_MAX));
    tokio::time::timeout(PATIENCE, reading.read_line(&mut line)).await??;
    let answer = match serde_json::from_str::<Question>(&line) {
        Ok(question) if question.version == VERSION => answer(service, question.order).await,
        _ => refused(&format!(
            "the running server is Ferrotype {VERSION}, and this command is of another version; \
             use that one, or restart the server"
        )),
    };
    let text = serde_json::to_vec(&answer)?;
    tokio::time::timeout(PATIENCE, writing.write_all(&text)).await??;
    writing.shutdown().await
}

async fn answer(service: &Service, order: Order) -> Answer {
    let about = order.about();
    let mut said = String::new();
    let failed = run(service, order, &mut said).await.err();
    match &failed {
        None => tracing::info!(command = about, "a command was done"),
        Some(failure) => tracing::info!(command = about, %failure, "a command failed"),
    }
    Answer { said, failed: failed.as_ref().map(Failed::of) }
}

fn refused(message: &str) -> Answer {
    let failure = Failure::Unsuitable(message.to_owned());
    Answer { said: String::new(), failed: Some(Failed::of(&failure)) }
}

impl Failed {
    fn of(failure: &Failure) -> Self {
        Self { message: failure.to_string(), code: failure.code() }
    }
}
