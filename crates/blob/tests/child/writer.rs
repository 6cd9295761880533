//! A process for tests to kill or to starve: writes objects into a folder and says which
//! are acknowledged.
//!
//! `blob-writer <folder> stream` writes objects for ever, several at a time, and prints
//! the key of each when it is acknowledged. `blob-writer <folder> once <bytes>` writes one
//! object of this size. Errors go to stderr.
//!
//! An object proves itself: it starts with the SHA-256 of the rest.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use blob::{BlobKey, Blobs, PutLimits, Result, Sha256Sum};
use bytes::Bytes;
use model::{ImageId, Timestamp};

const WRITERS: u64 = 4;
const SIZE_BYTES_MAX: usize = 400_000;
/// Some keys are written again and again.
const KEYS_PER_WRITER: u64 = 20;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        [folder, "stream"] => stream(Path::new(folder)).await,
        [folder, "once", size] => once(Path::new(folder), size.parse().unwrap_or(0)).await,
        _ => {
            eprintln!("usage: blob-writer <folder> stream | once <bytes>");
            return ExitCode::FAILURE;
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn once(folder: &Path, size: usize) -> Result<()> {
    let blobs = Blobs::open_folder(folder).await?;
    write(&blobs, &key(0, 0), size).await
}

async fn stream(folder: &Path) -> Result<()> {
    let blobs = Blobs::open_folder(folder).await?;
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let blobs = blobs.clone();
        writers.spawn(async move {
            for number in 0.. {
                let size = rand::random_range(0..SIZE_BYTES_MAX);
                write(&blobs, &key(writer, number % KEYS_PER_WRITER), size).await?;
            }
            Ok::<(), blob::Error>(())
        });
    }
    while let Some(ended) = writers.join_next().await {
        if let Ok(result) = ended {
            result?;
        }
    }
    Ok(())
}

async fn write(blobs: &Blobs, key: &BlobKey, size: usize) -> Result<()> {
    let receipt = blobs.put_bytes(key, proof(size), &PutLimits::at_most(u64::MAX)).await?;
    // One write call per line, so that lines do not mix.
    let line = format!("{key} {}\n", receipt.sha256);
    if std::io::stdout().lock().write_all(line.as_bytes()).is_err() {
        std::process::exit(0);
    }
    Ok(())
}

fn proof(size: usize) -> Bytes {
    let seed: u8 = rand::random();
    let rest: Vec<u8> = (0..size).map(|i| seed ^ (i ^ (i >> 8)) as u8).collect();
    [Sha256Sum::of(&rest).as_bytes().as_slice(), &rest].concat().into()
}

fn key(writer: u64, number: u64) -> BlobKey {
    let random = u128::from(writer * KEYS_PER_WRITER + number);
    BlobKey::Original(ImageId::new(Timestamp::from_millis(1), random))
}
