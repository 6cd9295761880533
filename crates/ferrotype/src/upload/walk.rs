//! Which files are meant.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Local};
use model::{TakenAt, Timestamp};

use super::kinds::Kind;
use super::sidecars::{self, Sidecars, Unpaired};

/// An image to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ImageFile {
    /// As the user knows it.
    pub(super) shown: PathBuf,
    /// Where it is, whatever names lead there.
    pub(super) path: PathBuf,
    /// What it was when it was found.
    pub(super) version: FileVersion,
    /// The file of XMP beside it.
    pub(super) sidecar: Option<Box<ImageFile>>,
}

/// What changes when a file does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileVersion {
    pub(super) size_bytes: u64,
    /// When it was last written, in nanoseconds since 1970.
    pub(super) modified: i64,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// The images, each once.
    pub(super) images: Vec<ImageFile>,
    /// Files in folders that are no images, and what they are.
    pub(super) skipped: Vec<(PathBuf, Kind)>,
    /// What cannot be sent, why, and in one word for programs.
    pub(super) failed: Vec<(PathBuf, String, &'static str)>,
    seen: BTreeSet<PathBuf>,
    sidecars: Sidecars,
}

/// So many bytes tell what kind of file it is.
const SNIFFED_BYTES: u64 = 4096;

/// Looks at what was named: files, and folders with all that is in them but for hidden files and
/// links to other folders, so that no way leads in circles.
pub(super) fn search(named: &[PathBuf]) -> Search {
    let mut search = Search::default();
    for path in named {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => search.add_folder(path),
            Ok(_) => search.add_named(path),
            Err(error) => search.fail(path, &error),
        }
    }
    search.pair_sidecars();
    search
}

impl FileVersion {
    /// When it was last written, as RFC 3339 has it, by the clock of this machine: a file that was
    /// written on an evening is from that day, not from the next one of UTC.
    pub(super) fn modified_at(&self) -> String {
        let millis = self.modified.div_euclid(1_000_000);
        let local = DateTime::from_timestamp_millis(millis).map(|at| at.with_timezone(&Local));
        let offset = local.map(|local| local.offset().local_minus_utc() / 60);
        TakenAt { at: Timestamp::from_millis(millis), offset_minutes: offset }.to_string()
    }

    pub(super) fn of(metadata: &fs::Metadata) -> Self {
        let seconds = metadata.mtime().saturating_mul(1_000_000_000);
        let modified = seconds.saturating_add(metadata.mtime_nsec());
        Self { size_bytes: metadata.len(), modified }
    }
}

impl Search {
    /// Everything in a folder, in the order of names.
    fn add_folder(&mut self, folder: &Path) {
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.fail(folder, &error),
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.add_folder(&path),
                Ok(kind) if kind.is_file() => self.add_found(&path),
                // A link to a file is as good as the file; devices, pipes and links to folders
                // are not.
                Ok(kind) if kind.is_symlink() => {
                    if fs::metadata(&path).is_ok_and(|target| target.is_file()) {
                        self.add_found(&path);
                    }
                }
                Ok(_) => {}
                Err(error) => self.fail(&path, &error),
            }
        }
    }

    fn add_found(&mut self, path: &Path) {
        if sidecars::is_sidecar(path) {
            return self.sidecars.add_found(path);
        }
        match look(path) {
            Ok(Looked::Image(image)) => self.add(image),
            Ok(Looked::Other(kind)) => self.skipped.push((path.to_owned(), kind)),
            Err(error) => self.fail(path, &error),
        }
    }

    fn add_named(&mut self, path: &Path) {
        if sidecars::is_sidecar(path) {
            return self.sidecars.add_named(path);
        }
        match look(path) {
            Ok(Looked::Image(image)) => {
                self.sidecars.look_beside(path);
                self.add(image);
            }
            Ok(Looked::Other(kind)) => {
                let reason = match kind {
                    Kind::Video => "it is a video, and those are not taken yet",
                    _ => "it is not an image of a kind that is taken, by its first bytes",
                };
                self.failed.push((path.to_owned(), reason.to_owned(), kind.code()));
            }
            Err(error) => self.fail(path, &error),
        }
    }

    fn add(&mut self, image: ImageFile) {
        if self.seen.insert(image.path.clone()) {
            self.images.push(image);
        }
    }

    /// Gives every image its sidecar, and says which sidecars are nobody's.
    fn pair_sidecars(&mut self) {
        let Unpaired { found, named } = self.sidecars.pair(&mut self.images);
        self.skipped.extend(found.into_iter().map(|path| (path, Kind::Sidecar)));
        self.failed.extend(named.into_iter().map(|path| {
            let reason = "it is a sidecar, and its photo is not there".to_owned();
            (path, reason, Kind::Sidecar.code())
        }));
    }

    fn fail(&mut self, path: &Path, error: &io::Error) {
        let reason = format!("it cannot be read: {error}");
        self.failed.push((path.to_owned(), reason, "unreadable"));
    }
}

/// What a file was found to be.
enum Looked {
    Image(ImageFile),
    Other(Kind),
}

fn look(path: &Path) -> io::Result<Looked> {
    let metadata = fs::metadata(path)?;
    let mut start = Vec::new();
    if metadata.is_file() {
        File::open(path)?.take(SNIFFED_BYTES).read_to_end(&mut start)?;
    }
    if imaging::sniff(&start).is_none() {
        return Ok(Looked::Other(Kind::of(path, &start)));
    }
    let version = FileVersion::of(&metadata);
    let (shown, path) = (path.to_owned(), path.canonicalize()?);
    Ok(Looked::Image(ImageFile { shown, path, version, sidecar: None }))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const GIF: &[u8] = b"GIF89a and so on";

    fn names(files: &[ImageFile]) -> Vec<&str> {
        files.iter().map(|file| file.shown.file_name().unwrap().to_str().unwrap()).collect()
    }

    #[test]
    fn folders_are_walked_without_circles_and_each_image_is_found_once() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("photos");
        fs::create_dir_all(folder.join("2026/june")).unwrap();
        fs::create_dir(folder.join(".thumbs")).unwrap();
        for name in ["b.gif", "a.gif", "2026/june/c.gif", ".hidden.gif", ".thumbs/d.gif"] {
            fs::write(folder.join(name), GIF).unwrap();
        }
        fs::write(folder.join("notes.txt"), "no image").unwrap();
        fs::write(folder.join("empty.jpg"), "").unwrap();
        symlink(&folder, folder.join("2026/back")).unwrap();
        symlink("b.gif", folder.join("z.gif")).unwrap();
        symlink("nowhere", folder.join("broken.gif")).unwrap();

        let found = search(&[folder.clone(), folder.join("a.gif")]);
        assert_eq!(names(&found.images), ["c.gif", "a.gif", "b.gif"]);
        let skipped: Vec<_> = found.skipped.iter().map(|(path, _)| path.clone()).collect();
        assert_eq!(skipped, [folder.join("empty.jpg"), folder.join("notes.txt")]);
        assert!(found.failed.is_empty(), "{:?}", found.failed);
    }

    #[test]
    fn what_was_named_must_be_an_image() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("notes.jpg"), "no image").unwrap();
        let found = search(&[root.path().join("notes.jpg"), root.path().join("gone.jpg")]);
        assert!(found.images.is_empty() && found.skipped.is_empty());
        let reasons: Vec<_> = found.failed.iter().map(|(_, reason, _)| reason.as_str()).collect();
        assert!(reasons[0].contains("not an image"), "{reasons:?}");
        assert!(reasons[1].contains("cannot be read"), "{reasons:?}");
    }

    #[test]
    fn a_file_that_is_written_again_is_another_version() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("a.gif");
        fs::write(&path, GIF).unwrap();
        let version = || FileVersion::of(&fs::metadata(&path).unwrap());
        let before = version();
        assert_eq!(before, version());
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
        assert_ne!(before, version());
        assert_eq!(version().modified, 0);
    }
}
