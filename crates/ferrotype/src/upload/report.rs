//! What became of everything, told at the end.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::kinds::Kind;
use crate::failure::Failure;

/// What became of every file.
#[derive(Debug, Default)]
pub(super) struct Report {
    entries: Vec<Entry>,
    /// Images whose end is not known yet.
    open: Vec<PathBuf>,
    stopped: Option<String>,
}

/// What became of one file.
#[derive(Debug)]
struct Entry {
    file: PathBuf,
    outcome: Outcome,
}

#[derive(Debug)]
enum Outcome {
    Uploaded { image: String },
    AlreadyThere { image: String },
    Skipped(Kind),
    Failed { reason: String, code: String, image: Option<String> },
}

/// A line of the report for programs.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

impl Report {
    /// These images are to be sent.
    pub(super) fn begin(&mut self, images: impl Iterator<Item = PathBuf>) {
        self.open = images.collect();
        // Taken from the end, in about the order in which they are sent.
        self.open.reverse();
    }

    /// A file in a folder that is no image.
    pub(super) fn skip(&mut self, file: PathBuf, kind: Kind) {
        self.entries.push(Entry { file, outcome: Outcome::Skipped(kind) });
    }

    /// A file has become this image.
    pub(super) fn upload(&mut self, file: &Path, image: String) {
        self.end(file, Outcome::Uploaded { image });
    }

    /// A file was this image before.
    pub(super) fn know(&mut self, file: &Path, image: String) {
        self.end(file, Outcome::AlreadyThere { image });
    }

    /// A file was not taken.
    pub(super) fn fail(&mut self, file: &Path, reason: String, code: String) {
        self.end(file, Outcome::Failed { reason, code, image: None });
    }

    fn end(&mut self, file: &Path, outcome: Outcome) {
        // Near the end of the list, since files end about as they begin.
        if let Some(place) = self.open.iter().rposition(|open| open == file) {
            self.open.remove(place);
        }
        self.entries.push(Entry { file: file.to_owned(), outcome });
    }

    /// Nothing more is sent.
    pub(super) fn stop(&mut self, reason: &str) {
        self.stopped.get_or_insert_with(|| reason.to_owned());
    }

    /// Whether everything went as it should so far.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// The images that the server has of these files.
    pub(super) fn images(&self) -> Vec<String> {
        let image = |entry: &Entry| match &entry.outcome {
            Outcome::Uploaded { image } | Outcome::AlreadyThere { image } => Some(image.clone()),
            _ => None,
        };
        self.entries.iter().filter_map(image).collect()
    }

    /// An image that was taken could not be processed.
    pub(super) fn fail_image(&mut self, failed: &str, reason: &str) {
        for entry in &mut self.entries {
            let image = match &entry.outcome {
                Outcome::Uploaded { image } | Outcome::AlreadyThere { image } => image,
                _ => continue,
            };
            if image == failed {
                let (reason, code) = (reason.to_owned(), "not_processed".to_owned());
                let image = Some(image.clone());
                entry.outcome = Outcome::Failed { reason, code, image };
            }
        }
    }

    /// What was left out, by kind, each with how many and why.
    pub(super) fn left_out(&self) -> Vec<String> {
        let mut kinds: BTreeMap<&Kind, usize> = BTreeMap::new();
        let mut failures: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
        for entry in &self.entries {
            match &entry.outcome {
                Outcome::Skipped(kind) => *kinds.entry(kind).or_default() += 1,
                Outcome::Failed { reason, code, .. } => {
                    failures.entry(code.as_str()).or_insert((0, reason.as_str())).0 += 1;
                }
                Outcome::Uploaded { .. } | Outcome::AlreadyThere { .. } => {}
            }
        }
        let kinds = kinds.into_iter().map(|(kind, count)| kind.counted(count));
        let failures = failures.into_values().map(|(count, reason)| {
            let more = if count > 1 { "such as " } else { "" };
            format!("{count} failed: {more}{reason}")
        });
        kinds.chain(failures).collect()
    }

    /// Writes a line of JSON for every file.
    pub(super) fn write(&self, file: &mut File) -> io::Result<()> {
        let mut out = BufWriter::new(file);
        for Entry { file, outcome } in &self.entries {
            let file = &file.to_string_lossy();
            write_line(&mut out, &outcome.line(file))?;
        }
        for file in self.open.iter().rev().filter(|_| self.stopped.is_some()) {
            let file = &file.to_string_lossy();
            let reason = self.stopped.as_deref();
            let code = Some("stopped");
            write_line(&mut out, &Line { file, outcome: "not_sent", image: None, code, reason })?;
        }
        out.flush()
    }

    /// Success, if nothing failed; else every failure with its reason.
    pub(super) fn into_result(self) -> Result<(), Failure> {
        let failed = |entry: &Entry| match &entry.outcome {
            Outcome::Failed { reason, .. } => Some(format!("{}: {reason}", entry.file.display())),
            _ => None,
        };
        let mut lines: Vec<String> = self.entries.iter().filter_map(failed).collect();
        if lines.is_empty() && self.stopped.is_none() {
            return Ok(());
        }
        if let Some(reason) = self.stopped {
            let unsent = match self.open.len() {
                0 => String::new(),
                1 => "1 image was not sent: ".to_owned(),
                many => format!("{many} images were not sent: "),
            };
            lines.push(format!("{unsent}{reason}"));
        }
        Err(Failure::Upload(lines.join("\n")))
    }

    fn count(&self, is: impl Fn(&Outcome) -> bool) -> usize {
        self.entries.iter().filter(|entry| is(&entry.outcome)).count()
    }
}

impl Outcome {
    fn line<'a>(&'a self, file: &'a str) -> Line<'a> {
        let line = Line { file, outcome: "", image: None, code: None, reason: None };
        match self {
            Self::Uploaded { image } => Line { outcome: "uploaded", image: Some(image), ..line },
            Self::AlreadyThere { image } => {
                Line { outcome: "already_there", image: Some(image), ..line }
            }
            Self::Skipped(kind) => {
                let (code, reason) = (Some(kind.code()), Some(kind.reason()));
                Line { outcome: "skipped", code, reason, ..line }
            }
            Self::Failed { reason, code, image } => {
                let image = image.as_deref();
                Line { outcome: "failed", image, code: Some(code), reason: Some(reason), ..line }
            }
        }
    }
}

fn write_line(out: &mut impl Write, line: &Line<'_>) -> io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    out.write_all(&text)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unsent = if self.stopped.is_some() { self.open.len() } else { 0 };
        write!(
            f,
            "{} uploaded, {} already there, {} skipped, {} failed",
            self.count(|outcome| matches!(outcome, Outcome::Uploaded { .. })),
            self.count(|outcome| matches!(outcome, Outcome::AlreadyThere { .. })),
            self.count(|outcome| matches!(outcome, Outcome::Skipped(_))),
            self.count(|outcome| matches!(outcome, Outcome::Failed { .. })) + unsent
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Report {
        let mut report = Report::default();
        for name in ["a.mp4", "b.mp4", "c.pdf"] {
            report.skip(name.into(), Kind::of(Path::new(name), b""));
        }
        let reason = "not an image".to_owned();
        report.fail(Path::new("notes.txt"), reason, "not_an_image".to_owned());
        report.begin(["a.jpg", "b.jpg", "c.jpg", "d.jpg"].map(PathBuf::from).into_iter());
        report.upload(Path::new("a.jpg"), "A".to_owned());
        report.know(Path::new("b.jpg"), "B".to_owned());
        report.fail_image("A", "it is damaged");
        report.stop("the server is gone");
        report
    }

    #[test]
    fn the_summary_counts_every_file_once() {
        let report = full();
        assert_eq!(report.to_string(), "0 uploaded, 1 already there, 3 skipped, 4 failed");
        let told = report.into_result().unwrap_err().to_string();
        let lines: Vec<_> = told.lines().collect();
        assert_eq!(
            lines,
            [
                "notes.txt: not an image",
                "a.jpg: it is damaged",
                "2 images were not sent: the server is gone"
            ]
        );
    }

    #[test]
    fn what_was_left_out_is_named_by_kind() {
        let expected = [
            "2 videos: not taken yet",
            "1 PDF: not an image",
            "1 failed: not an image",
            "1 failed: it is damaged",
        ];
        assert_eq!(full().left_out(), expected);
    }

    #[test]
    fn programs_are_told_of_every_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.jsonl");
        full().write(&mut File::create(&path).unwrap()).unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let told = |line: &serde_json::Value| {
            let of = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
            [of("file"), of("outcome"), of("code"), of("image")].join(" ")
        };
        let told: Vec<_> = lines.iter().map(told).collect();
        let expected = [
            "a.mp4 skipped video ",
            "b.mp4 skipped video ",
            "c.pdf skipped not_an_image ",
            "notes.txt failed not_an_image ",
            "a.jpg failed not_processed A",
            "b.jpg already_there  B",
            "c.jpg not_sent stopped ",
            "d.jpg not_sent stopped ",
        ];
        assert_eq!(told, expected);
        assert_eq!(lines[6]["reason"], "the server is gone");
    }

    #[test]
    fn where_nothing_failed_there_is_nothing_to_tell() {
        let mut report = Report::default();
        report.begin([PathBuf::from("a.jpg")].into_iter());
        report.upload(Path::new("a.jpg"), "A".to_owned());
        assert_eq!(report.to_string(), "1 uploaded, 0 already there, 0 skipped, 0 failed");
        assert!(report.left_out().is_empty());
        assert!(report.into_result().is_ok());
    }
}
