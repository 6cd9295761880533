//! What has been sent, so that the next run goes on where this one stopped.
//!
//! A file with a line for every step, added to as steps are made: a killed process loses none.
//! It is rewritten, in one step, when much of it is out of date. Nothing in it is secret.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::walk::{FileVersion, ImageFile};

/// The steps of all uploads to one server as one user. Other processes are kept out.
#[derive(Debug)]
pub(super) struct Journal {
    server: String,
    user: String,
    steps: Mutex<BTreeMap<String, (FileVersion, Step)>>,
    file: Mutex<File>,
    _lock: File,
}

/// How far a file has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Step {
    /// The upload that was begun for it.
    Upload(String),
    /// The image that it has become.
    Image(String),
}

/// A line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    server: String,
    user: String,
    path: String,
    size_bytes: u64,
    modified: i64,
    #[serde(flatten)]
    step: Step,
}

/// So many lines out of date are not worth the writing.
const STALE_LINES_MAX: usize = 1000;

/// Where the journal is unless the user says so: where programs keep what they know from one run
/// to the next.
pub(super) fn default_path() -> Option<PathBuf> {
    let folder = |name: &str| {
        std::env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute())
    };
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    Some(state.join("ferrotype/uploads.jsonl"))
}

impl Journal {
    /// Opens the journal at this path, creating it if there is none.
    pub(super) fn open(path: &Path, server: &str, user: &str) -> Result<Self, String> {
        let failed =
            |error: io::Error| format!("cannot use the state file {}: {error}", path.display());
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
        }
        let lock = File::create(with_suffix(path, ".lock")).map_err(failed)?;
        lock.try_lock().map_err(|_| {
            format!(
                "another upload uses the state file {}; wait for it, or give this one a file of \
                 its own with --state",
                path.display()
            )
        })?;
        let (lines, is_whole) = read(path).map_err(failed)?;
        let newest = newest(&lines);
        if !is_whole || lines.len() > newest.len() + STALE_LINES_MAX {
            rewrite(path, &newest).map_err(failed)?;
        }
        let mine = newest.into_iter().filter(|line| line.server == server && line.user == user);
        let steps = mine.map(|line| {
            let version = FileVersion { size_bytes: line.size_bytes, modified: line.modified };
            (line.path, (version, line.step))
        });
        let steps = Mutex::new(steps.collect());
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
        let file = Mutex::new(file.map_err(failed)?);
        Ok(Self { server: server.to_owned(), user: user.to_owned(), steps, file, _lock: lock })
    }

    /// How far this version of a file has come.
    pub(super) fn find(&self, file: &ImageFile) -> Option<Step> {
        let steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        let (version, step) = steps.get(&name_of(&file.path))?;
        (*version == file.version).then(|| step.clone())
    }

    /// Notes a step; once this has returned, the end of this process does not undo it.
    pub(super) fn note(&self, file: &ImageFile, step: Step) -> io::Result<()> {
        let line = Line {
            server: self.server.clone(),
            user: self.user.clone(),
            path: name_of(&file.path),
            size_bytes: file.version.size_bytes,
            modified: file.version.modified,
            step,
        };
        let text = serde_json::to_string(&line)? + "\n";
        let steps = self.steps.lock();
        steps.unwrap_or_else(PoisonError::into_inner).insert(line.path, (file.version, line.step));
        // In one write, so that no line is torn by another.
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes())
    }
}

/// All lines, and whether each of them made sense.
fn read(path: &Path) -> io::Result<(Vec<Line>, bool)> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), true)),
        bytes => bytes?,
    };
    // The last line may be half of one, of a process or a machine that was stopped.
    let mut is_whole = bytes.last().is_none_or(|last| *last == b'\n');
    let mut lines = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice(line) {
            Ok(line) => lines.push(line),
            Err(_) => is_whole = false,
        }
    }
    Ok((lines, is_whole))
}

/// The last line of each file.
fn newest(lines: &[Line]) -> Vec<Line> {
    let key = |line: &Line| (line.server.clone(), line.user.clone(), line.path.clone());
    let newest: BTreeMap<_, _> = lines.iter().map(|line| (key(line), line)).collect();
    newest.into_values().cloned().collect()
}

fn rewrite(path: &Path, lines: &[Line]) -> io::Result<()> {
    let new = with_suffix(path, ".new");
    let mut text = String::new();
    for line in lines {
        text += &serde_json::to_string(line)?;
        text.push('\n');
    }
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&new, path)
}

/// A path as text, also where it is none.
fn name_of(path: &Path) -> String {
    match path.to_str() {
        Some(text) => text.to_owned(),
        None => path.as_os_str().as_encoded_bytes().escape_ascii().to_string(),
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, size_bytes: u64) -> ImageFile {
        let version = FileVersion { size_bytes, modified: 7 };
        let path = Path::new("/photos").join(name);
        ImageFile { shown: name.into(), path, version, sidecar: None }
    }

    fn upload(id: &str) -> Step {
        Step::Upload(id.to_owned())
    }

    fn image(id: &str) -> Step {
        Step::Image(id.to_owned())
    }

    #[test]
    fn what_was_noted_is_known_to_the_next_run_of_the_same_user() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/state.jsonl");
        let journal = Journal::open(&path, "http://a", "ada").unwrap();
        assert_eq!(journal.find(&file("1", 10)), None);
        journal.note(&file("1", 10), upload("u1")).unwrap();
        journal.note(&file("2", 10), upload("u2")).unwrap();
        journal.note(&file("1", 10), image("i1")).unwrap();
        assert_eq!(journal.find(&file("1", 10)), Some(image("i1")));
        drop(journal);

        let journal = Journal::open(&path, "http://a", "ada").unwrap();
        assert_eq!(journal.find(&file("1", 10)), Some(image("i1")));
        assert_eq!(journal.find(&file("2", 10)), Some(upload("u2")));
        assert_eq!(journal.find(&file("1", 11)), None, "it has been changed");
        drop(journal);
        for (server, user) in [("http://b", "ada"), ("http://a", "bob")] {
            let journal = Journal::open(&path, server, user).unwrap();
            assert_eq!(journal.find(&file("1", 10)), None);
        }
    }

    #[test]
    fn a_torn_line_costs_only_itself() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.jsonl");
        let journal = Journal::open(&path, "s", "u").unwrap();
        journal.note(&file("1", 10), image("i1")).unwrap();
        journal.note(&file("2", 10), image("i2")).unwrap();
        drop(journal);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 5]).unwrap();
        let journal = Journal::open(&path, "s", "u").unwrap();
        assert_eq!(journal.find(&file("1", 10)), Some(image("i1")));
        assert_eq!(journal.find(&file("2", 10)), None);
        journal.note(&file("3", 10), image("i3")).unwrap();
        drop(journal);
        let journal = Journal::open(&path, "s", "u").unwrap();
        assert_eq!(journal.find(&file("3", 10)), Some(image("i3")));
    }

    #[test]
    fn what_is_out_of_date_is_dropped_sometimes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.jsonl");
        let journal = Journal::open(&path, "s", "u").unwrap();
        for n in 0..=STALE_LINES_MAX + 1 {
            journal.note(&file("1", 10), upload(&n.to_string())).unwrap();
        }
        drop(journal);
        let journal = Journal::open(&path, "s", "u").unwrap();
        let last = (STALE_LINES_MAX + 1).to_string();
        assert_eq!(journal.find(&file("1", 10)), Some(upload(&last)));
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1);
    }

    #[test]
    fn one_process_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.jsonl");
        let _first = Journal::open(&path, "s", "u").unwrap();
        let error = Journal::open(&path, "s", "u").unwrap_err();
        assert!(error.contains("--state"), "{error}");
    }
}
