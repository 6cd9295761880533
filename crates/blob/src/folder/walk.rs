//! Lists a tree of files in the order of their keys, as S3 does.

use std::fs::{self, DirEntry, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use model::Timestamp;

use super::staging::STAGING;
use crate::{Listed, Meta};

/// An iterator over the files of a tree in the byte order of their keys.
///
/// It keeps the sorted names of the directories on the way down and nothing else.
#[derive(Debug)]
pub(super) struct Walk {
    root: PathBuf,
    start_after: Option<String>,
    /// One level per directory that is being listed: what is left of it, last first.
    levels: Vec<Vec<Node>>,
}

/// A key that ends in `/` if and only if it is a directory's. With the slash, directories
/// sort among files just where the keys inside them belong.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Node(String);

impl Walk {
    /// Lists what is below `prefix` in `root` and comes after `start_after`.
    pub(super) fn new(root: PathBuf, prefix: &str, start_after: Option<String>) -> Self {
        let top = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
        Self { root, start_after, levels: vec![vec![Node(top)]] }
    }

    /// Sorted names of one directory, without those that come too early.
    fn list_dir(&self, key: &str) -> io::Result<Vec<Node>> {
        let entries = match fs::read_dir(self.root.join(key)) {
            // Deleted meanwhile, or never there.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound) => return Ok(Vec::new()),
            Err(error) if matches!(error.kind(), ErrorKind::NotADirectory) => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut nodes = Vec::new();
        for entry in entries {
            let entry = entry?;
            if key.is_empty() && entry.file_name() == STAGING {
                continue;
            }
            let name = entry.file_name();
            let slash = if is_dir(&entry)? { "/" } else { "" };
            let node = Node(format!("{key}{}{slash}", name.to_string_lossy()));
            if self.is_wanted(&node) {
                nodes.push(node);
            }
        }
        nodes.sort_unstable_by(|a, b| b.cmp(a));
        Ok(nodes)
    }

    /// Whether the key, or some key below the directory, comes after `start_after`.
    fn is_wanted(&self, Node(key): &Node) -> bool {
        match &self.start_after {
            None => true,
            Some(start) => key > start || (key.ends_with('/') && start.starts_with(key)),
        }
    }
}

impl Iterator for Walk {
    type Item = io::Result<Listed>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(Node(key)) = self.levels.last_mut()?.pop() else {
                self.levels.pop();
                continue;
            };
            if key.is_empty() || key.ends_with('/') {
                match self.list_dir(&key) {
                    Ok(nodes) => self.levels.push(nodes),
                    Err(error) => return Some(Err(error)),
                }
                continue;
            }
            match fs::metadata(self.root.join(&key)) {
                Ok(meta) => return Some(Ok(Listed { path: key, meta: facts(&meta) })),
                // Deleted while we were on the way.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn is_dir(entry: &DirEntry) -> io::Result<bool> {
    let kind = entry.file_type()?;
    if kind.is_symlink() {
        // A link to nowhere is listed as a file and left out when its facts are read.
        return Ok(fs::metadata(entry.path()).is_ok_and(|meta| meta.is_dir()));
    }
    Ok(kind.is_dir())
}

fn facts(meta: &Metadata) -> Meta {
    let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let millis = modified.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
    Meta { size_bytes: meta.len(), modified: Timestamp::from_millis(millis) }
}

/// The path of a file in the tree.
pub(super) fn locate(root: &Path, key: &object_store::path::Path) -> PathBuf {
    root.join(key.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(keys: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for key in keys {
            let path = dir.path().join(key);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, key).unwrap();
        }
        dir
    }

    fn walk(dir: &Path, prefix: &str, start_after: Option<&str>) -> Vec<String> {
        Walk::new(dir.into(), prefix, start_after.map(Into::into))
            .map(|l| l.unwrap().path)
            .collect()
    }

    /// `-`, `.`, `/` and `0` are neighbours in this order, so a walk that sorts plain names
    /// gets every one of these wrong.
    const KEYS: [&str; 8] = ["a", "a-b", "a.b/c", "d-e/x", "d/e", "d/e-f/g", "d/e.f", "d0"];

    #[test]
    fn goes_in_the_byte_order_of_whole_keys() {
        let mut keys = KEYS;
        keys.sort_unstable();
        assert_eq!(walk(tree(&KEYS).path(), "", None), keys);
    }

    #[test]
    fn continues_after_any_text() {
        let dir = tree(&KEYS);
        let mut starts: Vec<String> = KEYS.map(String::from).into();
        starts.extend(
            ["", "d", "d/", "d/e-", "d/e-f", "d/e-f/", "d/e-f/h", "c", "~"].map(Into::into),
        );
        for start in starts {
            let mut expected: Vec<&str> = KEYS.into_iter().filter(|key| **key > *start).collect();
            expected.sort_unstable();
            assert_eq!(walk(dir.path(), "", Some(&start)), expected, "after {start:?}");
        }
    }

    #[test]
    fn a_prefix_is_made_of_whole_segments() {
        let dir = tree(&KEYS);
        assert_eq!(walk(dir.path(), "d", None), ["d/e", "d/e-f/g", "d/e.f"]);
        assert_eq!(walk(dir.path(), "d/e-f", None), ["d/e-f/g"]);
        assert_eq!(walk(dir.path(), "none", None), [""; 0]);
    }

    #[test]
    fn links_are_followed_and_dangling_ones_left_out() {
        let dir = tree(&["images/x"]);
        let elsewhere = tree(&["y"]);
        std::os::unix::fs::symlink(elsewhere.path(), dir.path().join("linked")).unwrap();
        std::os::unix::fs::symlink("nowhere", dir.path().join("dangling")).unwrap();
        assert_eq!(walk(dir.path(), "", None), ["images/x", "linked/y"]);
    }
}
