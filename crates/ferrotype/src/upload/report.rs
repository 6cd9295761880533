//! What became of everything, told at the end.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// What became of every file.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// Files in folders that are no images.
    pub(super) skipped: usize,
    uploaded: Vec<(PathBuf, String)>,
    already_there: Vec<(PathBuf, String)>,
    failed: Vec<(PathBuf, String)>,
    /// Images whose end is not known yet.
    open: usize,
    stopped: Option<String>,
}

impl Report {
    /// So many images are to be sent.
    pub(super) fn begin(&mut self, images: usize) {
        self.open = images;
    }

    /// A file has become this image.
    pub(super) fn upload(&mut self, file: &Path, image: String) {
        self.open = self.open.saturating_sub(1);
        self.uploaded.push((file.to_owned(), image));
    }

    /// A file was this image before.
    pub(super) fn know(&mut self, file: &Path, image: String) {
        self.open = self.open.saturating_sub(1);
        self.already_there.push((file.to_owned(), image));
    }

    /// A file was not taken.
    pub(super) fn fail(&mut self, file: &Path, reason: String) {
        self.open = self.open.saturating_sub(1);
        self.failed.push((file.to_owned(), reason));
    }

    /// Nothing more is sent.
    pub(super) fn stop(&mut self, reason: &str) {
        self.stopped = Some(reason.to_owned());
    }

    /// Whether everything went as it should so far.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// The images that the server has of these files.
    pub(super) fn images(&self) -> Vec<String> {
        let images = self.uploaded.iter().chain(&self.already_there);
        images.map(|(_, image)| image.clone()).collect()
    }

    /// An image that was taken could not be processed.
    pub(super) fn fail_image(&mut self, image: &str, reason: &str) {
        for list in [&mut self.uploaded, &mut self.already_there] {
            let failed = list.extract_if(.., |(_, id)| id == image);
            let reasons = failed.map(|(file, _)| (file, reason.to_owned()));
            self.failed.extend(reasons);
        }
    }

    /// Success, if nothing failed; else every failure with its reason.
    pub(super) fn into_result(self) -> Result<(), Failure> {
        if self.failed.is_empty() && self.stopped.is_none() {
            return Ok(());
        }
        let failures = self.failed.iter();
        let mut lines: Vec<String> =
            failures.map(|(file, reason)| format!("{}: {reason}", file.display())).collect();
        if let Some(reason) = self.stopped {
            let unsent = match self.open {
                0 => String::new(),
                1 => "1 image was not sent: ".to_owned(),
                many => format!("{many} images were not sent: "),
            };
            lines.push(format!("{unsent}{reason}"));
        }
        Err(Failure::Upload(lines.join("\n")))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unsent = if self.stopped.is_some() { self.open } else { 0 };
        write!(
            f,
            "{} uploaded, {} already there, {} skipped, {} failed",
            self.uploaded.len(),
            self.already_there.len(),
            self.skipped,
            self.failed.len() + unsent
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_counts_every_file_once() {
        let mut report = Report { skipped: 2, ..Report::default() };
        report.fail(Path::new("notes.txt"), "no image".to_owned());
        report.begin(4);
        report.upload(Path::new("a.jpg"), "A".to_owned());
        report.know(Path::new("b.jpg"), "B".to_owned());
        report.fail_image("A", "it is damaged");
        report.stop("the server is gone");
        assert_eq!(report.to_string(), "0 uploaded, 1 already there, 2 skipped, 4 failed");
        let told = report.into_result().unwrap_err().to_string();
        let lines: Vec<_> = told.lines().collect();
        assert_eq!(
            lines,
            [
                "notes.txt: no image",
                "a.jpg: it is damaged",
                "2 images were not sent: the server is gone"
            ]
        );
    }

    #[test]
    fn where_nothing_failed_there_is_nothing_to_tell() {
        let mut report = Report::default();
        report.begin(1);
        report.upload(Path::new("a.jpg"), "A".to_owned());
        assert_eq!(report.to_string(), "1 uploaded, 0 already there, 0 skipped, 0 failed");
        assert!(report.into_result().is_ok());
    }
}
