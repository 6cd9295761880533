//! How much room is left where photos and rows are kept, so that no photo is taken in that would
//! fill the disk: deleting needs some, too.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::{Error, Result, Service};

/// The disks that photos and rows are on.
#[derive(Debug)]
pub struct Room {
    folders: Vec<PathBuf>,
    /// The folder that photos are kept in, if they are in one.
    photos: Option<PathBuf>,
    free_min: u64,
    last: Mutex<Option<Look>>,
}

/// What was seen, and when.
#[derive(Clone, Copy, Debug)]
struct Look {
    at: Instant,
    free: Option<u64>,
    was_short: bool,
}

/// Asking takes microseconds; every upload asks.
const KEPT: Duration = Duration::from_secs(1);
/// Bytes that can be written, on the fullest of the disks.
const FREE_BYTES: &str = "ferrotype_storage_free_bytes";
/// Bytes that are to stay free.
const FREE_BYTES_MIN: &str = "ferrotype_storage_free_bytes_min";

impl Room {
    /// The room on the disks of these folders, of which so many bytes are to stay free.
    pub fn new(folders: Vec<PathBuf>, free_min: u64) -> Self {
        metrics::describe_gauge!(
            FREE_BYTES,
            metrics::Unit::Bytes,
            "Bytes that can still be written where photos and rows are kept."
        );
        metrics::describe_gauge!(
            FREE_BYTES_MIN,
            metrics::Unit::Bytes,
            "Bytes that are to stay free: with less, no photos are taken in."
        );
        Self { folders, photos: None, free_min, last: Mutex::default() }
    }

    /// The same, with photos in this folder.
    pub fn photos_in(self, folder: PathBuf) -> Self {
        Self { photos: Some(folder), ..self }
    }

    /// Bytes that are to stay free.
    pub fn free_min(&self) -> u64 {
        self.free_min
    }

    /// Bytes that can be written, as of a second ago at most; none if that cannot be known.
    pub fn free_bytes(&self) -> Option<u64> {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match last {
            Some(look) if look.at.elapsed() < KEPT => look.free,
            _ => self.look(),
        }
    }

    /// Bytes of the disk that photos are kept on, used or not; none if they are on none, or that
    /// cannot be known.
    pub fn photo_disk_bytes(&self) -> Option<u64> {
        let found = rustix::fs::statvfs(self.photos.as_ref()?).ok()?;
        Some(found.f_blocks.saturating_mul(found.f_frsize))
    }

    /// The same as of now.
    pub fn look(&self) -> Option<u64> {
        let free = self.folders.iter().filter_map(|folder| {
            let found = rustix::fs::statvfs(folder).ok()?;
            Some(found.f_bavail.saturating_mul(found.f_frsize))
        });
        let free = free.min();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let was_short = last.is_some_and(|look| look.was_short);
        let is_short = free.is_some_and(|free| free < self.free_min);
        *last = Some(Look { at: Instant::now(), free, was_short: is_short });
        drop(last);
        if let Some(free) = free {
            // A float has room for the bytes of any disk that there is.
            metrics::gauge!(FREE_BYTES).set(free as f64);
            metrics::gauge!(FREE_BYTES_MIN).set(self.free_min as f64);
            let free_min = self.free_min;
            match (was_short, is_short) {
                (false, true) => {
                    tracing::warn!(
                        free,
                        free_min,
                        "the disk is nearly full: no photos are taken in"
                    );
                }
                (true, false) => tracing::info!(free, free_min, "there is room on the disk again"),
                _ => {}
            }
        }
        free
    }

    /// Whether less is left than is to stay free.
    pub fn is_short(&self) -> bool {
        self.free_bytes().is_some_and(|free| free < self.free_min)
    }

    /// Whether even renditions of what was taken in have to wait.
    pub(crate) fn is_very_short(&self) -> bool {
        self.free_bytes().is_some_and(|free| free < self.free_min / 2)
    }

    /// Refuses what would leave too little.
    ///
    /// # Errors
    /// [`Error::StorageFull`].
    pub(crate) fn require(&self, bytes: u64) -> Result<()> {
        let Some(free) = self.free_bytes() else { return Ok(()) };
        if free.saturating_sub(bytes) >= self.free_min {
            return Ok(());
        }
        let free_min = self.free_min;
        let message =
            format!("{free} bytes are free, {free_min} are to stay so, {bytes} would come");
        Err(Error::StorageFull { message })
    }
}

impl Service {
    /// Refuses an upload for which there is no room.
    pub(crate) fn require_room(&self, bytes: u64) -> Result<()> {
        self.settings().room.as_ref().map_or(Ok(()), |room| room.require(bytes))
    }

    /// Whether work that writes files has to wait for room.
    pub(crate) fn has_no_room_to_work(&self) -> bool {
        self.settings().room.as_ref().is_some_and(|room| room.is_very_short())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_leave_too_little_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let folders = vec![folder.path().to_owned(), folder.path().join("not there yet")];
        let free = Room::new(folders.clone(), 1).look().unwrap();
        assert!(free > 0);
        let room = Room::new(folders.clone(), 1);
        assert_eq!(room.photo_disk_bytes(), None);
        assert!(room.photos_in(folder.path().to_owned()).photo_disk_bytes().unwrap() >= free);
        let room = Room::new(folders, free / 2);
        assert!(!room.is_short());
        room.require(0).unwrap();
        assert!(matches!(room.require(free), Err(Error::StorageFull { .. })));
        let room = Room::new(vec![folder.path().to_owned()], u64::MAX);
        assert!(room.is_short() && room.is_very_short());
        // What cannot be known is left to the disk.
        assert!(Room::new(vec!["/not/there".into()], u64::MAX).require(1).is_ok());
    }
}
