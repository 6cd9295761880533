//! Asking the server that has the table.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

use super::socket::Way;
use super::{ANSWER_BYTES_MAX, Answer, Failed, Order, Question, Standing};
use crate::build_info::VERSION;
use crate::failure::Failure;
use crate::output::say;

/// A server that has just taken the table is not yet ready to be asked.
const STARTING: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(50);

/// Has the server behind this socket do it, and prints what it says.
///
/// # Errors
/// What the server says; or that it cannot be asked, as [`Failure::Unsuitable`].
pub async fn ask(socket: &Path, order: Order) -> Result<(), Failure> {
    let Answer { said, failed } = answer(socket, order).await.map_err(|error| {
        Failure::Unsuitable(format!(
            "the running server cannot be asked at {}: {error}\nrun this as the user that runs the \
             server, or stop the server first",
            socket.display()
        ))
    })?;
    for line in said.lines() {
        say!("{line}");
    }
    match failed {
        None => Ok(()),
        Some(Failed { message, code }) => Err(Failure::Told { message, code }),
    }
}

/// How the server behind this socket stands, if it can be asked.
pub async fn find_standing(socket: &Path) -> Option<Standing> {
    let answer = answer(socket, Order::Standing).await.ok()?;
    serde_json::from_str(answer.said.trim()).ok()
}

async fn answer(socket: &Path, order: Order) -> io::Result<Answer> {
    let mut stream = connect(socket).await?;
    let question = Question { version: VERSION.to_owned(), order };
    let mut line = serde_json::to_vec(&question)?;
    line.push(b'\n');
    stream.write_all(&line).await?;
    let mut text = Vec::new();
    stream.take(ANSWER_BYTES_MAX).read_to_end(&mut text).await?;
    if text.is_empty() {
        return Err(io::Error::other("it hung up; its log says why"));
    }
    Ok(serde_json::from_slice(&text)?)
}

async fn connect(socket: &Path) -> io::Result<UnixStream> {
    let began = Instant::now();
    loop {
        let connected = match Way::to(socket) {
            Ok(way) => UnixStream::connect(&way.path).await,
            Err(error) => Err(error),
        };
        match connected {
            Err(error) if is_starting(&error) && began.elapsed() < STARTING => {
                tokio::time::sleep(PAUSE).await;
            }
            connected => return connected,
        }
    }
}

/// There is no socket yet, or one that a killed server has left.
fn is_starting(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
}
