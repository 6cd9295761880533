//! Looks after the disk while the server runs, so that deleting works when it is full.
//!
//! Photos are refused before the end is reached (`storage.free_min`), but other programs may fill
//! the disk all the same. So a file is set aside and given up then, which leaves room for the rows
//! that deleting writes; and the table's log is kept short while there is little room.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::{FallocateFlags, fallocate};
use service::Room;
use tokio::task::JoinHandle;

use crate::engines::{Engines, TableEngine};

/// How often the disk is looked at.
const INTERVAL: Duration = Duration::from_millis(500);
/// The file set aside is an eighth of what stays free, but no larger.
const RESERVE_BYTES_MAX: u64 = 64 << 20;
/// It is given up when only this part of it is free.
const GIVEN_UP_AT: u64 = 4;

/// The task that looks after the disk.
pub struct RoomKeeper(JoinHandle<()>);

struct Reserve {
    path: PathBuf,
    size_bytes: u64,
}

impl RoomKeeper {
    /// Begins to look after the disk that the reserve is to lie on.
    pub fn start(room: Arc<Room>, engines: Arc<Engines>, path: &Path) -> Self {
        let size_bytes = (room.free_min() / 8).min(RESERVE_BYTES_MAX);
        let reserve = Reserve { path: path.to_owned(), size_bytes };
        Self(tokio::spawn(async move {
            let reserve = Arc::new(reserve);
            let mut ticks = tokio::time::interval(INTERVAL);
            ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                ticks.tick().await;
                let (room, engines, reserve) =
                    (Arc::clone(&room), Arc::clone(&engines), Arc::clone(&reserve));
                let looked = move || look(&room, &engines, &reserve);
                // A disk that hangs is looked at again when it answers.
                let _ = tokio::task::spawn_blocking(looked).await;
            }
        }))
    }

    /// Ends it. The file set aside stays.
    pub async fn stop(self) {
        self.0.abort();
        let _ = self.0.await;
    }
}

fn look(room: &Room, engines: &Engines, reserve: &Reserve) {
    let Some(free) = room.look() else { return };
    if let TableEngine::Embedded(table) = &engines.table {
        table.set_short_of_disk(free < room.free_min());
    }
    let done = if free <= reserve.size_bytes / GIVEN_UP_AT {
        reserve.give_up()
    } else if free >= room.free_min().saturating_add(reserve.size_bytes) {
        reserve.set_aside()
    } else {
        Ok(())
    };
    if let Err(error) = done {
        tracing::debug!(%error, "the reserve on the disk is left as it is");
    }
}

impl Reserve {
    fn set_aside(&self) -> io::Result<()> {
        if self.size_bytes == 0 || self.path.exists() {
            return Ok(());
        }
        let made = self.fill();
        if made.is_err() {
            let _ = fs::remove_file(&self.path);
        }
        made
    }

    fn fill(&self) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(&self.path)?;
        if fallocate(&file, FallocateFlags::empty(), 0, self.size_bytes).is_err() {
            // Not every file system can; every one can write.
            io::copy(&mut io::Read::take(io::repeat(0xa5), self.size_bytes), &mut file)?;
            file.flush()?;
        }
        file.sync_all()
    }

    fn give_up(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Ok(()) => {
                tracing::warn!("the disk is full: the reserve is given up so that deleting works");
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reserve_takes_its_room_and_gives_it_back() {
        let folder = tempfile::tempdir().unwrap();
        let reserve = Reserve { path: folder.path().join("reserve"), size_bytes: 1 << 20 };
        reserve.give_up().unwrap();
        for _ in 0..2 {
            reserve.set_aside().unwrap();
            let taken = std::os::unix::fs::MetadataExt::blocks(&reserve.path.metadata().unwrap());
            assert!(taken * 512 >= 1 << 20, "{taken} blocks");
        }
        reserve.give_up().unwrap();
        assert!(!reserve.path.exists());
    }
}
