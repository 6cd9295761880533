//! The comparison over a folder, counted by field.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::agreement::{self, Outcome};
use super::field::Field;
use super::{Read, exiftool, is_sidecar};

/// Larger files are left out.
const FILE_BYTES_MAX: u64 = 1 << 30;

/// What came out.
#[derive(Debug, Default)]
pub struct Comparison {
    /// exiftool's version.
    pub exiftool: String,
    /// Files that both could read.
    pub files: usize,
    /// Files that are images or sidecars and were not compared, and why.
    pub left_out: Vec<(PathBuf, String)>,
    /// What differs: the file, the field, what exiftool has and what was read here.
    pub differences: Vec<Difference>,
    counts: BTreeMap<Field, Counts>,
}

/// A field of a file that differs.
#[derive(Debug)]
pub struct Difference {
    pub file: PathBuf,
    pub field: &'static str,
    pub exiftool: String,
    pub here: String,
}

impl Difference {
    /// For programs.
    pub fn to_json(&self) -> serde_json::Value {
        json!({
            "file": self.file.display().to_string(),
            "field": self.field,
            "exiftool": self.exiftool,
            "here": self.here,
        })
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    agree: usize,
    exiftool_has: usize,
    only_here: usize,
}

impl Counts {
    fn percent(self) -> f64 {
        if self.exiftool_has == 0 {
            return 100.0;
        }
        self.agree as f64 * 100.0 / self.exiftool_has as f64
    }
}

/// Compares all images and sidecars in a folder, and in those below it.
pub fn compare(folder: &Path) -> Result<Comparison, String> {
    let mut comparison = Comparison { exiftool: exiftool::version()?, ..Comparison::default() };
    let folder = fs::canonicalize(folder)
        .map_err(|error| format!("cannot read the folder {}: {error}", folder.display()))?;
    let files = files_in(&folder);
    for files in files.chunks(exiftool::FILES_MAX) {
        let all = exiftool::read(files)?;
        for (file, tags) in files.iter().zip(all) {
            match (Read::file(file), tags) {
                (Ok(read), Some(tags)) => comparison.add(file, &read, &tags),
                (Err(reason), _) => comparison.left_out.push((file.clone(), reason)),
                (Ok(_), None) => {
                    let reason = "exiftool reads nothing in it".to_owned();
                    comparison.left_out.push((file.clone(), reason));
                }
            }
        }
    }
    Ok(comparison)
}

impl Comparison {
    fn add(&mut self, file: &Path, read: &Read, tags: &super::tags::Tags) {
        self.files += 1;
        for field in Field::ALL {
            let counts = self.counts.entry(field).or_default();
            match agreement::compare(field, tags, read) {
                Outcome::Neither => {}
                Outcome::OnlyHere => counts.only_here += 1,
                Outcome::Agrees => {
                    counts.agree += 1;
                    counts.exiftool_has += 1;
                }
                Outcome::Differs { exiftool, here } => {
                    counts.exiftool_has += 1;
                    let (file, field) = (file.to_owned(), field.name());
                    self.differences.push(Difference { file, field, exiftool, here });
                }
            }
        }
    }

    /// A line for each field, and one for all.
    pub fn table(&self) -> Vec<String> {
        let line = |name: &str, counts: Counts| {
            let Counts { agree, exiftool_has, only_here } = counts;
            let percent = match exiftool_has {
                0 => "–".to_owned(),
                _ => format!("{:.1}", counts.percent()),
            };
            format!("{name:<14}{agree:>8}{exiftool_has:>14}{percent:>8}{only_here:>11}")
        };
        let head = format!(
            "{:<14}{:>8}{:>14}{:>8}{:>11}",
            "field", "agree", "exiftool has", "%", "only here"
        );
        let fields = self.counts.iter().map(|(field, counts)| line(field.name(), *counts));
        let all = self.counts.values().fold(Counts::default(), |sum, counts| Counts {
            agree: sum.agree + counts.agree,
            exiftool_has: sum.exiftool_has + counts.exiftool_has,
            only_here: sum.only_here + counts.only_here,
        });
        [head].into_iter().chain(fields).chain([line("all", all)]).collect()
    }

    /// The fields that agree in less than so many of a hundred files.
    pub fn below(&self, percent: f64) -> Vec<&'static str> {
        let counts = self.counts.iter().filter(|(_, counts)| counts.percent() < percent);
        counts.map(|(field, _)| field.name()).collect()
    }
}

/// Images by their first bytes and sidecars by their names, in the order of names.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        for entry in entries {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(kind) if kind.is_file() && is_compared(&path) => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

fn is_compared(path: &Path) -> bool {
    // Its list of files has one in each line.
    let named = path.to_str().is_some_and(|name| !name.contains(['\n', '\r']));
    let small = fs::metadata(path).is_ok_and(|found| found.len() <= FILE_BYTES_MAX);
    let sniffed = || {
        let mut head = Vec::new();
        let mut file = fs::File::open(path).ok()?.take(4096);
        file.read_to_end(&mut head).ok()?;
        imaging::sniff(&head)
    };
    named && small && (is_sidecar(path) || sniffed().is_some())
}
