//! The data folder: whether it is there, whose it is, and how much goes into it.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{Access, access, statvfs};
use rustix::process::geteuid;

use super::Finding;
use crate::config::{BlobConfig, Config, TableConfig};
use crate::data_folder::DataFolder;
use crate::output::shown_bytes;

const CHECK: &str = "data folder";
/// With less than this beyond what stays free, a day of photos may fill the disk.
const FREE_WARNING_BYTES: u64 = 1 << 30;
/// With less than this, not even rows can be written for long.
const FREE_PROBLEM_BYTES: u64 = 200 << 20;
const REMEDY: &str = "set data_folder to a folder that this user may write";

/// Looks at the folder, if the configuration needs one.
pub(super) fn check(config: &Config) -> Vec<Finding> {
    let embedded = matches!(config.table, TableConfig::Embedded { .. });
    if !embedded && matches!(config.blob, BlobConfig::S3(_)) {
        return vec![Finding::ok(CHECK, "none is needed")];
    }
    let folder = DataFolder::new(&config.data_folder);
    let shown = folder.path().display();
    if folder.is_half_restored() {
        let found = format!("a restore into {shown} was interrupted");
        return vec![Finding::problem(CHECK, found).remedy("empty it and restore again")];
    }
    match fs::metadata(folder.path()) {
        Ok(found) if found.is_dir() => {
            check_existing(folder.path(), found.uid(), config.images.free_bytes_min)
        }
        Ok(_) => vec![Finding::problem(CHECK, format_args!("{shown} is no folder")).remedy(REMEDY)],
        Err(error) if error.kind() == io::ErrorKind::NotFound => vec![check_missing(folder.path())],
        Err(error) => {
            vec![Finding::problem(CHECK, format_args!("{shown}: {error}")).remedy(REMEDY)]
        }
    }
}

/// Whether this process may write what belongs to the owner of the folder without leaving
/// something behind there that the owner cannot write.
pub(super) fn is_ours(folder: &Path) -> bool {
    fs::metadata(folder).is_ok_and(|found| found.uid() == geteuid().as_raw())
}

fn check_existing(folder: &Path, owner: u32, free_min: u64) -> Vec<Finding> {
    let user = geteuid().as_raw();
    let shown = folder.display();
    if owner != user {
        let found = format!("{shown} belongs to user {owner}, and this is user {user}");
        let remedy = "run `ferrotype doctor` and `ferrotype serve` as its owner; until then \
                      nothing is written here to try";
        return vec![Finding::warning(CHECK, found).remedy(remedy), check_space(folder, free_min)];
    }
    if let Err(error) = try_writing(folder) {
        let found = format!("{shown} cannot be written: {error}");
        return vec![Finding::problem(CHECK, found).remedy(REMEDY)];
    }
    vec![Finding::ok(CHECK, format_args!("{shown} can be written")), check_space(folder, free_min)]
}

/// The nearest folder that exists is where it would be made.
fn check_missing(folder: &Path) -> Finding {
    let shown = folder.display();
    let mut above = folder.ancestors().skip(1).map(|above| match above.as_os_str().is_empty() {
        true => Path::new("."),
        false => above,
    });
    let above = above.find(|above| above.exists()).unwrap_or(Path::new("."));
    match access(above, Access::WRITE_OK | Access::EXEC_OK) {
        Ok(()) if !above.is_dir() => {
            let found = format!("{shown} cannot be made: {} is no folder", above.display());
            Finding::problem(CHECK, found).remedy(REMEDY)
        }
        Ok(()) => {
            Finding::ok(CHECK, format_args!("{shown} is not there yet; the first start makes it"))
        }
        Err(error) => {
            let found = format!("{shown} cannot be made in {}: {error}", above.display());
            Finding::problem(CHECK, found).remedy(REMEDY)
        }
    }
}

fn try_writing(folder: &Path) -> io::Result<()> {
    let path = folder.join(format!(".doctor-{:016x}", rand::random::<u64>()));
    let written = OpenOptions::new().write(true).create_new(true).open(&path);
    let written = written.and_then(|mut file| {
        io::Write::write_all(&mut file, b"ferrotype doctor")?;
        file.sync_all()
    });
    match (written, fs::remove_file(&path)) {
        (Err(error), _) | (Ok(()), Err(error)) => Err(error),
        (Ok(()), Ok(())) => Ok(()),
    }
}

fn check_space(folder: &Path, free_min: u64) -> Finding {
    const CHECK: &str = "free space";
    let remedy = "free some space, or move the data folder to a larger disk";
    match statvfs(folder) {
        Err(error) => Finding::warning(CHECK, format_args!("it cannot be known: {error}"))
            .remedy("look at the disk"),
        Ok(found) => {
            let free = found.f_bavail.saturating_mul(found.f_frsize);
            let text = format!("{} for {}", shown_bytes(free), folder.display());
            let text = match free_min {
                0 => text,
                kept => {
                    format!("{text}; with less than {} no photos are taken in", shown_bytes(kept))
                }
            };
            if free < free_min.max(FREE_PROBLEM_BYTES) {
                Finding::problem(CHECK, text).remedy(remedy)
            } else if free < free_min.saturating_add(FREE_WARNING_BYTES) {
                Finding::warning(CHECK, text).remedy(remedy)
            } else {
                Finding::ok(CHECK, text)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Status;

    #[test]
    fn trying_to_write_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let findings = check_existing(folder.path(), geteuid().as_raw(), 1 << 20);
        assert_eq!(findings[0].status, Status::Ok);
        assert!(findings[1].found.contains("with less than 1MB no photos are taken in"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_of_somebody_else_is_told_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let findings = check_existing(folder.path(), geteuid().as_raw() + 1, 0);
        assert_eq!(findings[0].status, Status::Warning);
        assert!(is_ours(folder.path()));
    }

    #[test]
    fn a_folder_that_is_not_there_is_made_by_the_first_start() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(check_missing(&folder.path().join("a/b/c")).status, Status::Ok);
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(check_missing(&file.join("data")).status, Status::Problem);
        assert!(!folder.path().join("a").exists());
    }
}
