//! Objects as files in a local folder; the path of a file is the key of the object.
//!
//! `object_store`'s own `LocalFileSystem` reads here, but does not write. Its `with_fsync`
//! syncs files and new directories, yet does not promise what we do:
//! - of two writers into one new directory, the one that finds it already there reports
//!   success without anybody having made the directory's own entry durable;
//! - deletes are not synced, so a purged photo may be back after a power cut;
//! - temporary files lie beside the objects, so that finding those of a crash means
//!   walking the whole tree;
//! - listings are in no order, so that every page costs a walk of the whole tree.
//!
//! So a write goes: temporary file in `.staging`, sync the file, make the directories
//! durable, rename, sync the directory, report success.

mod directories;
mod disk;
mod failure;
mod staging;
mod upload;
mod walk;

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use model::Timestamp;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{GetOptions, ObjectStore, ObjectStoreExt};

use self::directories::Directories;
use self::disk::{Disk, RealDisk, Step};
use self::failure::{classify, classify_read};
use self::staging::{StagedName, Staging};
use self::upload::FolderUpload;
use self::walk::{Walk, locate};
use crate::{
    Access, ByteRange, ContentType, Engine, Error, Listed, Meta, Opened, Result, SignedUrl, Upload,
    Written,
};

/// How often a write tries again when the directory it made is removed under its feet by
/// the deletion of the last object in it.
const ATTEMPTS_MAX: usize = 16;
/// How many files are listed in one go off the async threads.
const LISTED_AT_ONCE: usize = 512;

/// A store in a local folder.
#[derive(Clone, Debug)]
pub(crate) struct Folder(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    root: PathBuf,
    reader: LocalFileSystem,
    disk: Arc<dyn Disk>,
    directories: Directories,
    staging: Staging,
}

impl Folder {
    /// Opens the folder, creating it if need be, removes what crashes have left behind and
    /// makes sure that it can be written to.
    pub(crate) async fn open(root: &FilePath) -> Result<Self> {
        Self::open_on(root, Arc::new(RealDisk)).await
    }

    async fn open_on(root: &FilePath, disk: Arc<dyn Disk>) -> Result<Self> {
        let root = root.to_owned();
        blocking(move || {
            let action = format!("opening the blob folder {}", root.display());
            let inner = Inner::open(&root, disk).map_err(|error| classify_open(&action, &error))?;
            Ok(Self(Arc::new(inner)))
        })
        .await
    }
}

impl Inner {
    fn open(root: &FilePath, disk: Arc<dyn Disk>) -> io::Result<Self> {
        directories::create_root(&*disk, root)?;
        let root = root.canonicalize()?;
        let staging = Staging::open(&root, Arc::clone(&disk))?;
        probe(&staging)?;
        let reader = LocalFileSystem::new_with_prefix(&root).map_err(io::Error::other)?;
        let directories = Directories::new(root.clone(), Arc::clone(&disk));
        Ok(Self { root, reader, disk, directories, staging })
    }

    /// Gives a file its final name by `step`, durably.
    fn place(&self, to: &Path, step: impl Fn(&FilePath) -> io::Result<()>) -> io::Result<()> {
        let target = locate(&self.root, to);
        let dir = target.parent().unwrap_or(&self.root);
        let mut attempts = 0;
        loop {
            attempts += 1;
            let placed = self.directories.ensure(dir).and_then(|()| step(&target));
            match placed {
                Ok(()) => return self.disk.perform(Step::SyncDir(dir)),
                Err(error) if error.kind() == ErrorKind::NotFound && attempts < ATTEMPTS_MAX => {
                    self.directories.forget(dir);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn place_over(&self, staged: &StagedName, to: &Path) -> io::Result<()> {
        self.place(to, |target| self.disk.perform(Step::Rename { from: staged.path(), to: target }))
    }

    fn put_new(&self, to: &Path, bytes: Bytes) -> io::Result<Written> {
        let staged = self.staging.create()?;
        staged.write(&[bytes])?;
        let staged = staged.finish()?;
        let link =
            |target: &FilePath| self.disk.perform(Step::Link { from: staged.path(), to: target });
        match self.place(to, link) {
            Ok(()) => Ok(Written::Created),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(Written::AlreadyThere),
            Err(error) => Err(error),
        }
    }

    fn copy(&self, from: &Path, to: &Path) -> io::Result<()> {
        // Objects never change in place, so two names for one file are two objects.
        let staged = self.staging.link(&locate(&self.root, from))?;
        self.place_over(&staged, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let source = locate(&self.root, from);
        // Placing retries on "not found", which must not hide that the source is missing.
        source.symlink_metadata()?;
        self.place(to, |target| self.disk.perform(Step::Rename { from: &source, to: target }))?;
        let dir = source.parent().unwrap_or(&self.root);
        self.directories.sync_removal(dir)?;
        self.directories.prune(dir);
        Ok(())
    }

    fn delete(&self, paths: &[Path]) -> io::Result<()> {
        let mut touched = BTreeSet::new();
        for path in paths {
            let file = locate(&self.root, path);
            match self.disk.perform(Step::RemoveFile(&file)) {
                Err(error) if is_absent(&error) => {}
                done => done?,
            }
            // Even if it was missing: whoever removed it may not have synced yet.
            touched.extend(file.parent().map(FilePath::to_owned));
        }
        for dir in touched {
            self.directories.sync_removal(&dir)?;
            self.directories.prune(&dir);
        }
        Ok(())
    }
}

#[async_trait]
impl Engine for Folder {
    async fn start(&self, path: &Path, _kind: Option<&ContentType>) -> Result<Box<dyn Upload>> {
        Ok(Box::new(FolderUpload::start(Arc::clone(&self.0), path.clone()).await?))
    }

    async fn put_new(
        &self,
        path: &Path,
        bytes: Bytes,
        _kind: Option<&ContentType>,
    ) -> Result<Written> {
        let (inner, path) = (Arc::clone(&self.0), path.clone());
        blocking(move || {
            inner.put_new(&path, bytes).map_err(|e| classify(&format!("writing {path}"), &e))
        })
        .await
    }

    async fn get(&self, path: &Path, range: Option<&ByteRange>) -> Result<Opened> {
        let fail = |error| classify_read(path.as_ref(), &error);
        let mut found = self.0.reader.get_opts(path, GetOptions::new()).await.map_err(fail)?;
        let meta = Meta::from(&found.meta);
        if let Some(range) = range {
            let size_bytes = meta.size_bytes;
            let bad = || Error::BadRange { key: path.to_string(), size_bytes };
            found.range = range.within(size_bytes).ok_or_else(bad)?;
        }
        let (key, range) = (path.to_string(), found.range.clone());
        let body = found.into_stream().map_err(move |error| classify_read(&key, &error)).boxed();
        Ok(Opened { meta, range, body })
    }

    async fn head(&self, path: &Path) -> Result<Meta> {
        let found = self.0.reader.head(path).await;
        found.map(|meta| Meta::from(&meta)).map_err(|e| classify_read(path.as_ref(), &e))
    }

    async fn delete(&self, paths: Vec<Path>) -> Result<()> {
        let inner = Arc::clone(&self.0);
        blocking(move || inner.delete(&paths).map_err(|e| classify("deleting objects", &e))).await
    }

    fn list(&self, prefix: &Path, start_after: Option<&str>) -> BoxStream<'static, Result<Listed>> {
        let walk =
            Walk::new(self.0.root.clone(), prefix.as_ref(), start_after.map(ToOwned::to_owned));
        let batches = stream::try_unfold(walk, |mut walk| {
            blocking(move || {
                let batch: io::Result<Vec<Listed>> = walk.by_ref().take(LISTED_AT_ONCE).collect();
                let batch = batch.map_err(|error| classify("listing objects", &error))?;
                Ok((!batch.is_empty()).then(|| (stream::iter(batch).map(Ok), walk)))
            })
        });
        batches.try_flatten().boxed()
    }

    async fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        let (inner, from, to) = (Arc::clone(&self.0), from.clone(), to.clone());
        blocking(move || inner.copy(&from, &to).map_err(|e| classify_move("copying", &from, &e)))
            .await
    }

    async fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        let (inner, from, to) = (Arc::clone(&self.0), from.clone(), to.clone());
        blocking(move || inner.rename(&from, &to).map_err(|e| classify_move("moving", &from, &e)))
            .await
    }

    async fn sign(&self, _: &Path, _: &Access, _: Timestamp) -> Result<SignedUrl> {
        Err(Error::Misconfigured {
            setting: "URL signing secret",
            problem: "a local folder cannot sign URLs by itself".to_owned(),
            remedy: "set a base URL and a signing secret of at least 32 bytes",
        })
    }
}

/// Runs file system work where it blocks nobody.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => {
            Err(Error::Failed { action: "using the disk".into(), cause: error.to_string() })
        }
    }
}

/// A read-only or full folder must show when it is opened, not at the first upload.
fn probe(staging: &Staging) -> io::Result<()> {
    let file = staging.create()?;
    file.write(&[Bytes::from_static(b"probe")])?;
    file.finish().map(drop)
}

fn classify_open(action: &str, error: &io::Error) -> Error {
    match error.kind() {
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => Error::Misconfigured {
            setting: "blob folder",
            problem: format!("it is not a folder ({error})"),
            remedy: "name a folder, or a path where one can be created",
        },
        _ => classify(action, error),
    }
}

fn classify_move(verb: &str, from: &Path, error: &io::Error) -> Error {
    if error.kind() == ErrorKind::NotFound {
        return Error::NotFound { key: from.to_string() };
    }
    classify(&format!("{verb} {from}"), error)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests;
