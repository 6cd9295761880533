//! The data folder: what is where in it, and whether it may be used.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A data folder; it need not exist yet.
#[derive(Clone, Debug)]
pub struct DataFolder(PathBuf);

/// Stands in the folder while a restore is under way.
const RESTORE_MARK: &str = "restore.incomplete";
/// What may be in a folder that counts as empty: our configuration, and what some file systems
/// put into every volume.
const NO_DATA: [&str; 2] = ["ferrotype.toml", "lost+found"];

impl DataFolder {
    /// The folder at this path.
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The embedded table's folder in it.
    pub fn table(&self) -> PathBuf {
        self.0.join("table")
    }

    /// The blobs' folder in it.
    pub fn blobs(&self) -> PathBuf {
        self.0.join("blobs")
    }

    /// The folder in it for models that find faces.
    pub fn models(&self) -> PathBuf {
        self.0.join("models")
    }

    /// The file in it that is given up when the disk is full.
    pub fn reserve(&self) -> PathBuf {
        self.0.join("reserve")
    }

    /// Where a running server takes commands.
    pub fn control(&self) -> PathBuf {
        self.0.join("control.sock")
    }

    /// Creates the folder if need be, durably, and refuses one that is half restored.
    pub fn prepare(&self) -> Result<(), Failure> {
        if self.is_half_restored() {
            return Err(Failure::HalfRestored { folder: self.0.clone() });
        }
        create_durably(&self.0).map_err(|source| self.unusable(source))
    }

    /// Whether a restore into it was begun and not finished.
    pub fn is_half_restored(&self) -> bool {
        self.restore_mark().exists()
    }

    /// Fails unless there is no data in the folder.
    pub fn require_empty(&self) -> Result<(), Failure> {
        let entries = match fs::read_dir(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(|source| self.unusable(source))?,
        };
        for entry in entries {
            let name = entry.map_err(|source| self.unusable(source))?.file_name();
            if !NO_DATA.iter().any(|harmless| name == *harmless) {
                return Err(Failure::NotEmpty { folder: self.0.clone() });
            }
        }
        Ok(())
    }

    /// From now on the folder is half restored.
    pub fn begin_restore(&self) -> io::Result<()> {
        create_durably(&self.0)?;
        File::create_new(self.restore_mark())?.sync_all()?;
        sync(&self.0)
    }

    /// Everything is restored.
    pub fn end_restore(&self) -> io::Result<()> {
        fs::remove_file(self.restore_mark())?;
        sync(&self.0)
    }

    /// Removes what a failed restore has brought; the folder was empty before.
    pub fn undo_restore(&self) -> io::Result<()> {
        for folder in [self.table(), self.blobs()] {
            match fs::remove_dir_all(folder) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        self.end_restore()
    }

    fn restore_mark(&self) -> PathBuf {
        self.0.join(RESTORE_MARK)
    }

    fn unusable(&self, source: io::Error) -> Failure {
        Failure::DataFolder { folder: self.0.clone(), source }
    }
}

/// Creates a folder with all its parents, so that they are still there after a power cut.
pub fn create_durably(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    create_durably(parent)?;
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
        created => created?,
    }
    sync(parent)
}

/// Makes the names in a folder durable.
pub fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_its_configuration_only_is_empty() {
        let root = tempfile::tempdir().unwrap();
        let folder = DataFolder::new(&root.path().join("data"));
        folder.require_empty().unwrap();
        folder.prepare().unwrap();
        fs::write(folder.path().join("ferrotype.toml"), "").unwrap();
        folder.require_empty().unwrap();
        fs::write(folder.path().join("other"), "").unwrap();
        assert!(matches!(folder.require_empty(), Err(Failure::NotEmpty { .. })));
    }

    #[test]
    fn a_half_restored_folder_is_refused_until_it_is_finished_or_undone() {
        let root = tempfile::tempdir().unwrap();
        let folder = DataFolder::new(&root.path().join("a/b/data"));
        folder.begin_restore().unwrap();
        fs::create_dir(folder.table()).unwrap();
        assert!(matches!(folder.prepare(), Err(Failure::HalfRestored { .. })));
        assert!(folder.begin_restore().is_err());
        folder.undo_restore().unwrap();
        folder.require_empty().unwrap();
        folder.prepare().unwrap();
        folder.begin_restore().unwrap();
        folder.end_restore().unwrap();
        folder.prepare().unwrap();
    }
}
