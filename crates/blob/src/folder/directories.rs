use std::collections::HashSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::disk::{Disk, Step};

/// The directories below a root: makes them durable before anything is put into them, and
/// takes them away when they are empty.
///
/// A file is only as durable as the entries of all directories above it. It does not
/// matter who created a directory: until this process itself has synced the parent, the
/// entry may still be lost in a power cut. Hence the memory of what is known to be durable,
/// instead of syncing only when a directory is created.
#[derive(Debug)]
pub(super) struct Directories {
    root: PathBuf,
    disk: Arc<dyn Disk>,
    durable: Mutex<HashSet<PathBuf>>,
}

/// Enough for the images being worked on; forgetting costs one sync, not correctness.
const REMEMBERED_MAX: usize = 16_384;

impl Directories {
    /// The directories below `root`, which exists and is durable.
    pub(super) fn new(root: PathBuf, disk: Arc<dyn Disk>) -> Self {
        Self { root, disk, durable: Mutex::default() }
    }

    /// Makes sure that `dir` exists and will survive a power cut.
    pub(super) fn ensure(&self, dir: &Path) -> io::Result<()> {
        if dir == self.root || self.is_durable(dir) {
            return Ok(());
        }
        let Some(parent) = dir.parent() else { return Ok(()) };
        self.ensure(parent)?;
        create_dir(&*self.disk, dir)?;
        self.disk.perform(Step::SyncDir(parent))?;
        self.remember(dir);
        Ok(())
    }

    /// No longer believes that `dir` or anything above it exists.
    pub(super) fn forget(&self, dir: &Path) {
        let mut durable = self.durable.lock().unwrap_or_else(PoisonError::into_inner);
        for dir in dir.ancestors().take_while(|dir| *dir != self.root) {
            durable.remove(dir);
        }
    }

    /// Makes the removal of something in `dir` durable. If `dir` itself is gone, whoever
    /// removed it found it empty, and the directory above says so.
    pub(super) fn sync_removal(&self, dir: &Path) -> io::Result<()> {
        for dir in dir.ancestors() {
            match self.disk.perform(Step::SyncDir(dir)) {
                Err(error) if error.kind() == ErrorKind::NotFound && dir != self.root => {}
                done => return done,
            }
        }
        Ok(())
    }

    /// Removes `dir` and what is above it as far as it is empty. Best effort: an empty
    /// directory means nothing. The first level stays, as it is in use all the time.
    pub(super) fn prune(&self, dir: &Path) {
        for dir in dir.ancestors() {
            let depth = dir.strip_prefix(&self.root).map_or(0, |below| below.components().count());
            if depth < 2 || self.disk.perform(Step::RemoveDir(dir)).is_err() {
                return;
            }
            self.forget(dir);
        }
    }

    fn is_durable(&self, dir: &Path) -> bool {
        self.durable.lock().unwrap_or_else(PoisonError::into_inner).contains(dir)
    }

    fn remember(&self, dir: &Path) {
        let mut durable = self.durable.lock().unwrap_or_else(PoisonError::into_inner);
        if durable.len() >= REMEMBERED_MAX {
            durable.clear();
        }
        durable.insert(dir.to_owned());
    }
}

/// Creates `root` and all that is missing above it, durably.
pub(super) fn create_root(disk: &dyn Disk, root: &Path) -> io::Result<()> {
    if root.is_dir() {
        return Ok(());
    }
    let parent = match root.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => return Ok(()),
    };
    create_root(disk, parent)?;
    create_dir(disk, root)?;
    disk.perform(Step::SyncDir(parent))
}

fn create_dir(disk: &dyn Disk, dir: &Path) -> io::Result<()> {
    match disk.perform(Step::CreateDir(dir)) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        done => done,
    }
}
