//! Photos and sidecars as other programs write them: by exiftool.

use std::process::Command;

use testkit::servers::installed;

/// A photo of Grace Hopper, as it is.
pub fn portrait() -> Vec<u8> {
    std::fs::read(installed("test-faces").join("grace_hopper.jpg")).unwrap()
}

/// The photo with these tags, such as `-XMP-dc:Title=Harbour`.
pub fn photo(tags: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("photo.jpg");
    std::fs::write(&path, portrait()).unwrap();
    exiftool(&[tags, &["-overwrite_original", path.to_str().unwrap()]].concat());
    std::fs::read(path).unwrap()
}

/// A sidecar with these tags.
pub fn sidecar(tags: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("photo.xmp");
    exiftool(&[tags, &[path.to_str().unwrap()]].concat());
    std::fs::read(path).unwrap()
}

fn exiftool(arguments: &[&str]) {
    let written = Command::new("exiftool").arg("-q").args(arguments).output();
    let written = written.expect("exiftool is missing; `scripts/setup test` installs it");
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
}
