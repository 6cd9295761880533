//! Every change to the disk goes through [`Disk::perform`], so that a test can write down
//! the order of changes and syncs, and can make any one of them fail.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// One change to the disk, or one order to make changes durable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'a> {
    /// Make a directory whose parent exists.
    CreateDir(&'a Path),
    /// Append to a file.
    Write { file: &'a File, bytes: &'a [u8] },
    /// Make a file's content durable.
    SyncFile(&'a File),
    /// Make a directory's entries durable.
    SyncDir(&'a Path),
    /// Move a file over whatever is there.
    Rename { from: &'a Path, to: &'a Path },
    /// Give a file a second name that must be free.
    Link { from: &'a Path, to: &'a Path },
    /// Remove a name of a file.
    RemoveFile(&'a Path),
    /// Remove a directory that must be empty.
    RemoveDir(&'a Path),
}

/// Whoever carries out the steps.
pub(super) trait Disk: fmt::Debug + Send + Sync {
    /// Carries out one step.
    fn perform(&self, step: Step<'_>) -> io::Result<()>;
}

/// The disk of this machine.
#[derive(Debug)]
pub(super) struct RealDisk;

impl Disk for RealDisk {
    fn perform(&self, step: Step<'_>) -> io::Result<()> {
        match step {
            Step::CreateDir(path) => fs::create_dir(path),
            Step::Write { mut file, bytes } => file.write_all(bytes),
            Step::SyncFile(file) => file.sync_all(),
            Step::SyncDir(path) => File::open(path)?.sync_all(),
            Step::Rename { from, to } => fs::rename(from, to),
            Step::Link { from, to } => fs::hard_link(from, to),
            Step::RemoveFile(path) => fs::remove_file(path),
            Step::RemoveDir(path) => fs::remove_dir(path),
        }
    }
}
