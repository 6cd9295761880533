//! The table's folder: the names of its files, and the lock that keeps a second process out.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::OpenError;

/// The table's file in its folder; SQLite keeps `-wal` and `-shm` files next to it.
pub const TABLE_FILE: &str = "table.sqlite";
const LOCK_FILE: &str = "table.lock";

/// Holds the folder for this process until it is dropped. The lock belongs to the open file,
/// so it goes with the process however that ends.
#[derive(Debug)]
pub(crate) struct FolderLock {
    _file: File,
}

/// Where the table's file is in this folder.
pub(crate) fn table_file(folder: &Path) -> PathBuf {
    folder.join(TABLE_FILE)
}

/// Where SQLite keeps the write-ahead log of a table's file.
pub(crate) fn wal_file(table_file: &Path) -> PathBuf {
    let mut name = table_file.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

/// Makes sure that the folder exists.
pub(crate) fn create_folder(folder: &Path) -> Result<(), OpenError> {
    match fs::metadata(folder) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(OpenError::NotAFolder { folder: folder.to_owned() }),
        Err(_) => fs::create_dir_all(folder).map_err(|source| match source.kind() {
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                OpenError::NotAFolder { folder: folder.to_owned() }
            }
            io::ErrorKind::StorageFull => OpenError::Full { folder: folder.to_owned() },
            _ => OpenError::NotWritable { folder: folder.to_owned(), source },
        }),
    }
}

impl FolderLock {
    /// Takes the lock or says who has it.
    pub(crate) fn take(folder: &Path) -> Result<Self, OpenError> {
        let path = folder.join(LOCK_FILE);
        let open =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file =
            open.map_err(|source| OpenError::NotWritable { folder: folder.to_owned(), source })?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let pid = read_pid(&mut file);
                return Err(OpenError::Locked { folder: folder.to_owned(), pid });
            }
            Err(TryLockError::Error(source)) => {
                return Err(OpenError::NotWritable { folder: folder.to_owned(), source });
            }
        }
        // The pid only makes a message better; a full disk must not keep the table shut.
        let _ = write_pid(&mut file);
        Ok(Self { _file: file })
    }
}

fn read_pid(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn write_pid(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

/// Makes new names in the folder durable.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
