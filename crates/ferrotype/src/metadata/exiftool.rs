//! exiftool as a child process.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::tags::Tags;

/// Files of one call: enough that its start does not matter, few enough to hold what it says.
pub(super) const FILES_MAX: usize = 200;

const MISSING: &str = "exiftool was not found: install it (Debian: apt-get install \
                       libimage-exiftool-perl; elsewhere see exiftool.org) and have it on the PATH";

/// Its version.
pub(super) fn version() -> Result<String, String> {
    let asked = Command::new("exiftool").arg("-ver").stdin(Stdio::null()).output();
    let answer = asked.map_err(|_| MISSING.to_owned())?;
    Ok(String::from_utf8_lossy(&answer.stdout).trim().to_owned())
}

/// What it reads in these files, in their order; `None` where it reads nothing.
pub(super) fn read(files: &[PathBuf]) -> Result<Vec<Option<Tags>>, String> {
    let failed = |error: std::io::Error| format!("exiftool cannot be used: {error}");
    // With numbers instead of words for them, every group by its place, structures and flat tags,
    // and with the composite tags of the Metadata Working Group.
    let mut child = Command::new("exiftool")
        .args(["-use", "MWG", "-json", "-G1", "-a", "-n", "-q", "-q", "-m"])
        .args(["-api", "struct=2", "-charset", "filename=utf8"])
        .args(["-@", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|_| MISSING.to_owned())?;
    let list: Vec<u8> = files.iter().flat_map(|file| line(file)).collect();
    let mut input = child.stdin.take();
    // It reads the whole list before it answers, so neither waits for the other.
    if let Some(input) = &mut input {
        input.write_all(&list).map_err(failed)?;
    }
    drop(input);
    let answer = child.wait_with_output().map_err(failed)?.stdout;
    let answer = String::from_utf8_lossy(&answer);
    let all: Vec<Tags> = if answer.trim().is_empty() {
        Vec::new()
    } else {
        serde_json::from_str(&answer)
            .map_err(|error| format!("exiftool answers no JSON: {error}"))?
    };
    let of = |file: &PathBuf| {
        let name = file.to_string_lossy();
        all.iter().find(|tags| tags.text(&["SourceFile"]).as_deref() == Some(&name)).cloned()
    };
    Ok(files.iter().map(of).collect())
}

fn line(file: &Path) -> Vec<u8> {
    let mut line = file.to_string_lossy().into_owned().into_bytes();
    line.push(b'\n');
    line
}
