//! Where objects are while they are written: `.staging` in the root, so that a crash leaves
//! its remains in one place instead of all over the tree.
//!
//! Whoever has the folder open holds a shared lock on `.staging/lock`. If nobody does when
//! the folder is opened, everything in there is left over from a crash and is removed.
//! Otherwise other processes are writing, and only what nobody has touched for a day goes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::disk::{Disk, Step};

/// The name of the staging area in the root; no key starts with a dot.
pub(super) const STAGING: &str = ".staging";
const LOCK: &str = "lock";
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The staging area of an open folder.
#[derive(Debug)]
pub(super) struct Staging {
    dir: PathBuf,
    disk: Arc<dyn Disk>,
    /// Held, shared, for as long as the folder is open.
    _lock: File,
}

impl Staging {
    /// Opens the staging area in `root` and removes what crashes have left there.
    pub(super) fn open(root: &Path, disk: Arc<dyn Disk>) -> io::Result<Self> {
        let dir = root.join(STAGING);
        match disk.perform(Step::CreateDir(&dir)) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let path = dir.join(LOCK);
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        let alone = lock.try_lock().is_ok();
        sweep(&dir, &*disk, if alone { Duration::ZERO } else { ABANDONED_AFTER })?;
        if alone {
            lock.unlock()?;
        }
        // A file system without locks sweeps by age alone: an unlocked folder never looks
        // as if it were ours alone, as taking the lock fails there, too.
        if let Err(error) = lock.lock_shared() {
            tracing::warn!(%error, folder = %root.display(), "the blob folder cannot be locked");
        }
        Ok(Self { dir, disk, _lock: lock })
    }

    /// A new, empty file that is not an object yet.
    pub(super) fn create(&self) -> io::Result<StagedFile> {
        let path = self.new_path();
        let file = OpenOptions::new().create_new(true).write(true).open(&path)?;
        Ok(StagedFile { file, name: self.guard(path) })
    }

    /// A second, temporary name for the file `from`.
    pub(super) fn link(&self, from: &Path) -> io::Result<StagedName> {
        let path = self.new_path();
        self.disk.perform(Step::Link { from, to: &path })?;
        Ok(self.guard(path))
    }

    fn new_path(&self) -> PathBuf {
        self.dir.join(format!("{:032x}", rand::random::<u128>()))
    }

    fn guard(&self, path: PathBuf) -> StagedName {
        StagedName { path, disk: Arc::clone(&self.disk) }
    }
}

/// A name in the staging area; dropping it removes it, if it is still there.
#[derive(Debug)]
pub(super) struct StagedName {
    path: PathBuf,
    disk: Arc<dyn Disk>,
}

impl StagedName {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for StagedName {
    fn drop(&mut self) {
        // A leftover costs room until the next sweep, and nothing else.
        if let Err(error) = self.disk.perform(Step::RemoveFile(&self.path))
            && error.kind() != ErrorKind::NotFound
        {
            tracing::warn!(%error, file = %self.path.display(), "a temporary file stays behind");
        }
    }
}

/// A file in the staging area that is being written.
#[derive(Debug)]
pub(super) struct StagedFile {
    file: File,
    name: StagedName,
}

impl StagedFile {
    /// Appends to the file.
    pub(super) fn write(&self, chunks: &[Bytes]) -> io::Result<()> {
        let write = |bytes: &Bytes| self.name.disk.perform(Step::Write { file: &self.file, bytes });
        chunks.iter().try_for_each(write)
    }

    /// Makes the content durable; what remains is to give it its final name.
    pub(super) fn finish(self) -> io::Result<StagedName> {
        self.name.disk.perform(Step::SyncFile(&self.file))?;
        Ok(self.name)
    }
}

fn sweep(dir: &Path, disk: &dyn Disk, untouched_for: Duration) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_name() == LOCK {
            continue;
        }
        let age = entry.metadata().and_then(|meta| meta.modified()).map(|time| time.elapsed());
        // A time in the future is as young as can be.
        let age = age.map_or(Duration::ZERO, Result::unwrap_or_default);
        if age >= untouched_for {
            match disk.perform(Step::RemoveFile(&entry.path())) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}
