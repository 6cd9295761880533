//! Which file of XMP belongs to which photo.
//!
//! Programs call it after the photo, `photo.jpg.xmp`, or after its name without the ending,
//! `photo.xmp`. Of photos that share such a name, a RAW file is meant, since programs write into
//! others themselves; where there is none, all are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::walk::{FileVersion, ImageFile};

/// Files of XMP that were found.
#[derive(Debug, Default)]
pub(super) struct Sidecars {
    /// In folders.
    found: BTreeSet<PathBuf>,
    /// Named one by one.
    named: BTreeSet<PathBuf>,
    /// Beside photos that were named one by one.
    beside: BTreeSet<PathBuf>,
}

/// Those without a photo.
pub(super) struct Unpaired {
    /// In folders.
    pub(super) found: Vec<PathBuf>,
    /// Named one by one.
    pub(super) named: Vec<PathBuf>,
}

const RAW: [&str; 28] = [
    "dng", "cr2", "cr3", "crw", "nef", "nrw", "arw", "srf", "sr2", "orf", "rw2", "raf", "pef",
    "srw", "3fr", "fff", "erf", "kdc", "dcr", "mef", "mos", "mrw", "raw", "rwl", "iiq", "x3f",
    "gpr", "cap",
];

/// Whether a file is called like one.
pub(super) fn is_sidecar(path: &Path) -> bool {
    ending_of(path).is_some_and(|ending| ending == "xmp")
}

fn ending_of(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_lowercase())
}

impl Sidecars {
    pub(super) fn add_found(&mut self, path: &Path) {
        self.found.insert(path.to_owned());
    }

    pub(super) fn add_named(&mut self, path: &Path) {
        self.named.insert(path.to_owned());
    }

    /// Looks for those of a photo that was named alone.
    pub(super) fn look_beside(&mut self, photo: &Path) {
        let is_file = |path: &PathBuf| fs::metadata(path).is_ok_and(|found| found.is_file());
        self.beside.extend(names_for(photo).into_iter().flatten().filter(is_file));
    }

    /// Gives each photo its own, and returns those that are left.
    pub(super) fn pair(&mut self, images: &mut [ImageFile]) -> Unpaired {
        let mut raw: BTreeMap<PathBuf, bool> = BTreeMap::new();
        for image in images.iter() {
            *raw.entry(image.shown.with_extension("")).or_default() |= is_raw(&image.shown);
        }
        let mut used = BTreeSet::new();
        for image in images {
            let [own, shared] = names_for(&image.shown);
            let is_meant = is_raw(&image.shown)
                || raw.get(&image.shown.with_extension("")).is_none_or(|has_raw| !has_raw);
            let names = own.into_iter().chain(shared.into_iter().filter(|_| is_meant));
            let Some(path) = names.into_iter().find(|name| self.has(name)) else { continue };
            image.sidecar = sidecar(&path).map(Box::new);
            used.insert(path);
        }
        let left = |paths: &BTreeSet<PathBuf>| paths.difference(&used).cloned().collect();
        Unpaired { found: left(&self.found), named: left(&self.named) }
    }

    fn has(&self, path: &Path) -> bool {
        [&self.found, &self.named, &self.beside].into_iter().any(|paths| paths.contains(path))
    }
}

fn is_raw(path: &Path) -> bool {
    ending_of(path).is_some_and(|ending| RAW.contains(&ending.as_str()))
}

/// What the sidecar of a photo may be called: after all of its name, or after the name without its
/// ending, which others may share.
fn names_for(photo: &Path) -> [Vec<PathBuf>; 2] {
    let own = |ending: &str| {
        let mut name = photo.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    [vec![own(".xmp"), own(".XMP")], vec![photo.with_extension("xmp"), photo.with_extension("XMP")]]
}

fn sidecar(path: &Path) -> Option<ImageFile> {
    let version = FileVersion::of(&fs::metadata(path).ok()?);
    let (shown, path) = (path.to_owned(), path.canonicalize().ok()?);
    Some(ImageFile { shown, path, version, sidecar: None })
}

#[cfg(test)]
mod tests {
    use super::super::walk::search;
    use super::*;

    /// The names of the photos in a folder with those of their sidecars, and the sidecars left.
    fn paired(names: &[&str]) -> (Vec<(String, Option<String>)>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            fs::write(folder.path().join(name), "GIF89a and so on").unwrap();
        }
        let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        let found = search(&[folder.path().to_owned()]);
        let pairs = found.images.iter().map(|image| {
            let sidecar = image.sidecar.as_ref().map(|sidecar| name(&sidecar.shown));
            (name(&image.shown), sidecar)
        });
        (pairs.collect(), found.skipped.iter().map(|(path, _)| name(path)).collect())
    }

    fn pair(photo: &str, sidecar: Option<&str>) -> (String, Option<String>) {
        (photo.to_owned(), sidecar.map(str::to_owned))
    }

    #[test]
    fn sidecars_belong_to_the_photo_of_their_name() {
        let (pairs, left) =
            paired(&["a.jpg", "a.jpg.xmp", "b.jpg", "b.xmp", "C.GIF", "C.XMP", "d.xmp", "e.jpg"]);
        assert_eq!(
            pairs,
            [
                pair("C.GIF", Some("C.XMP")),
                pair("a.jpg", Some("a.jpg.xmp")),
                pair("b.jpg", Some("b.xmp")),
                pair("e.jpg", None)
            ]
        );
        assert_eq!(left, ["d.xmp"]);
    }

    #[test]
    fn of_photos_with_one_name_the_raw_file_is_meant() {
        let (pairs, left) = paired(&["a.jpg", "a.nef", "a.xmp"]);
        assert_eq!(pairs, [pair("a.jpg", None), pair("a.nef", Some("a.xmp"))]);
        assert!(left.is_empty());
        let (pairs, _) = paired(&["a.jpg", "a.nef", "a.xmp", "a.jpg.xmp"]);
        assert_eq!(pairs, [pair("a.jpg", Some("a.jpg.xmp")), pair("a.nef", Some("a.xmp"))]);
        let (pairs, _) = paired(&["a.jpg", "a.png", "a.xmp"]);
        assert_eq!(pairs, [pair("a.jpg", Some("a.xmp")), pair("a.png", Some("a.xmp"))]);
    }

    #[test]
    fn photos_that_are_named_alone_have_theirs_too() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["a.jpg", "a.xmp", "b.jpg", "b.jpg.xmp", "c.xmp"] {
            fs::write(at(name), "GIF89a and so on").unwrap();
        }
        let found = search(&[at("a.jpg"), at("b.jpg"), at("b.jpg.xmp"), at("c.xmp")]);
        assert!(found.images.iter().all(|image| image.sidecar.is_some()), "{:?}", found.images);
        assert!(found.skipped.is_empty());
        let failed: Vec<_> = found.failed.iter().map(|(path, ..)| path.clone()).collect();
        assert_eq!(failed, [at("c.xmp")]);
    }
}
