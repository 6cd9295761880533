//! A backup: one file with the table, a folder with the blobs, and a manifest that says what
//! belongs together.
//!
//! The manifest is replaced last and in one step, so a backup that is interrupted leaves the
//! one before it as it was. That is why the table's file has its checksum in its name.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use model::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::data_folder::{create_durably, sync};

/// The folder of a backup.
#[derive(Clone, Debug)]
pub struct BackupFolder(PathBuf);

/// What belongs to a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// The form of this file; grows when an older program could not read it rightly.
    pub format: u32,
    /// The program that made the backup.
    pub version: String,
    /// When the table was copied.
    pub created: Timestamp,
    /// The table.
    pub table: TableCopy,
    /// The blobs; none if they are in a bucket.
    pub blobs: Option<BlobCount>,
}

/// The copy of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableCopy {
    /// The name of its file.
    pub file: String,
    /// The file's size.
    pub size_bytes: u64,
    /// The file's SHA-256 in hexadecimal digits.
    pub sha256: String,
}

/// How many blobs there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BlobCount {
    /// Objects.
    pub count: u64,
    /// Their sizes together.
    pub size_bytes: u64,
}

/// The form of manifests that this program writes and reads.
pub const FORMAT: u32 = 1;
const MANIFEST: &str = "backup.json";
const TABLE_SUFFIX: &str = ".sqlite";
/// A table that has no checksum yet.
const NEW_TABLE: &str = "table-new.partial";

impl BackupFolder {
    /// The folder at this path.
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// The blobs' folder in it.
    pub fn blobs(&self) -> PathBuf {
        self.0.join("blobs")
    }

    /// The table's file.
    pub fn table(&self, copy: &TableCopy) -> PathBuf {
        self.0.join(&copy.file)
    }

    /// Creates the folder if need be and keeps other backups out of it until the lock is
    /// dropped.
    pub fn lock(&self) -> Result<File, String> {
        let failed = |error: &dyn std::fmt::Display| {
            format!("cannot write in {}: {error}", self.0.display())
        };
        create_durably(&self.0).map_err(|error| failed(&error))?;
        let lock = File::create(self.0.join("backup.lock")).map_err(|error| failed(&error))?;
        lock.try_lock().map_err(|_| {
            format!("another backup into {} is under way; wait for it", self.0.display())
        })?;
        Ok(lock)
    }

    /// Takes in a table that `copy` writes to the path it is given. `tell` is told how many bytes of
    /// all have been read again.
    pub fn add_table<E: std::fmt::Display>(
        &self,
        copy: impl FnOnce(&Path) -> Result<(), E>,
        tell: &dyn Fn(u64, u64),
    ) -> Result<TableCopy, String> {
        let new = self.0.join(NEW_TABLE);
        let failed = |error: io::Error| format!("cannot write {}: {error}", new.display());
        match fs::remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        copy(&new).map_err(|error| error.to_string())?;
        let (size_bytes, sha256) = measure(&new, tell).map_err(failed)?;
        let file = format!("table-{sha256}{TABLE_SUFFIX}");
        fs::rename(&new, self.0.join(&file)).map_err(failed)?;
        sync(&self.0).map_err(failed)?;
        Ok(TableCopy { file, size_bytes, sha256 })
    }

    /// Makes this the backup, and removes the tables of earlier ones.
    pub fn commit(&self, manifest: &Manifest) -> Result<(), String> {
        let path = self.0.join(MANIFEST);
        let failed = |error: io::Error| format!("cannot write {}: {error}", path.display());
        let new = path.with_extension("json.partial");
        let text = serde_json::to_string_pretty(manifest).map_err(|error| error.to_string())?;
        let mut file = File::create(&new).map_err(failed)?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
        fs::rename(&new, &path).map_err(failed)?;
        sync(&self.0).map_err(failed)?;
        self.remove_other_tables(&manifest.table.file).map_err(failed)
    }

    /// Reads the manifest.
    pub fn load(&self) -> Result<Manifest, String> {
        let path = self.0.join(MANIFEST);
        let text = fs::read_to_string(&path).map_err(|error| {
            format!("cannot read {}: {error}; give the folder of a backup", path.display())
        })?;
        let broken = |error: serde_json::Error| {
            format!("{} is damaged: {error}; use another backup", path.display())
        };
        // Another form may lack anything but this.
        #[derive(Deserialize)]
        struct Form {
            format: u32,
        }
        let Form { format } = serde_json::from_str(&text).map_err(broken)?;
        if format != FORMAT {
            return Err(format!(
                "the backup has form {format}, and this version reads form {FORMAT}; use the \
                 version of Ferrotype that made it"
            ));
        }
        serde_json::from_str(&text).map_err(broken)
    }

    /// Makes sure that the table's file is the one that was backed up.
    pub fn verify_table(&self, copy: &TableCopy, tell: &dyn Fn(u64, u64)) -> Result<(), String> {
        let path = self.table(copy);
        // A name with a path in it could be any file of this machine.
        if copy.file.contains('/') {
            return Err(format!("{:?} is not the name of a table's file", copy.file));
        }
        let (size_bytes, sha256) = measure(&path, tell)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        if (size_bytes, &sha256) != (copy.size_bytes, &copy.sha256) {
            return Err(format!(
                "{} is damaged: it has {size_bytes} bytes with SHA-256 {sha256}, not {} bytes \
                 with SHA-256 {}; use another backup",
                path.display(),
                copy.size_bytes,
                copy.sha256
            ));
        }
        Ok(())
    }

    fn remove_other_tables(&self, kept: &str) -> io::Result<()> {
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("table-") && name.ends_with(TABLE_SUFFIX) && name != kept {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

/// The size and the SHA-256 of a file.
fn measure(file: &Path, tell: &dyn Fn(u64, u64)) -> io::Result<(u64, String)> {
    let mut file = File::open(file)?;
    let all = file.metadata()?.len();
    let mut hash = Sha256::new();
    let mut size_bytes = 0;
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer)?;
        let Some(bytes) = buffer.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
        hash.update(bytes);
        size_bytes += read as u64;
        tell(size_bytes, all);
    }
    let digits = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((size_bytes, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nobody(_: u64, _: u64) {}

    fn manifest(table: TableCopy) -> Manifest {
        let blobs = Some(BlobCount { count: 2, size_bytes: 10 });
        let created = Timestamp::from_millis(0);
        Manifest { format: FORMAT, version: "0.1.0".to_owned(), created, table, blobs }
    }

    #[test]
    fn a_manifest_is_read_as_it_was_written_and_replaces_the_one_before() {
        let root = tempfile::tempdir().unwrap();
        let folder = BackupFolder::new(&root.path().join("backup"));
        let _lock = folder.lock().unwrap();
        let first = folder.add_table(|path| fs::write(path, "one"), &nobody).unwrap();
        folder.commit(&manifest(first.clone())).unwrap();
        let second = folder.add_table(|path| fs::write(path, "two"), &nobody).unwrap();
        folder.verify_table(&folder.load().unwrap().table, &nobody).unwrap();
        folder.commit(&manifest(second.clone())).unwrap();
        assert_eq!(folder.load().unwrap(), manifest(second));
        assert!(!folder.table(&first).exists());
    }

    #[test]
    fn a_changed_table_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let folder = BackupFolder::new(root.path());
        let copy = folder.add_table(|path| fs::write(path, "table"), &nobody).unwrap();
        folder.verify_table(&copy, &nobody).unwrap();
        fs::write(folder.table(&copy), "Table").unwrap();
        assert!(folder.verify_table(&copy, &nobody).unwrap_err().contains("is damaged"));
        let outside = TableCopy { file: "../table".to_owned(), ..copy };
        assert!(folder.verify_table(&outside, &nobody).is_err());
    }

    #[test]
    fn a_manifest_of_another_form_is_refused() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join(MANIFEST), r#"{"format":2,"else":true}"#).unwrap();
        let error = BackupFolder::new(root.path()).load().unwrap_err();
        assert!(error.contains("form 2"), "{error}");
    }

    #[test]
    fn two_backups_at_once_are_refused() {
        let root = tempfile::tempdir().unwrap();
        let folder = BackupFolder::new(root.path());
        let _lock = folder.lock().unwrap();
        assert!(folder.lock().unwrap_err().contains("another backup"));
    }
}
