//! Compares the repository with what its documents and policies say, so that they stay true.

mod architecture;
mod links;
mod policy;
mod requirements;
mod sources;
mod workspace;

use std::error::Error;
use std::fmt;
use std::path::Path;

use workspace::Workspace;

/// What tidy has to say.
#[derive(Debug, Default)]
pub struct Report {
    /// What must be mended.
    pub findings: Vec<Finding>,
    /// What is worth knowing.
    pub notes: Vec<String>,
}

/// Something that must be mended.
#[derive(Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where: a file, with a line where that makes sense.
    place: String,
    /// What is wrong and what to do.
    what: String,
}

impl Finding {
    fn new(place: impl fmt::Display, what: impl fmt::Display) -> Self {
        Self { place: place.to_string(), what: what.to_string() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// Runs every check on the repository at `root`.
///
/// # Errors
/// When a file or `cargo metadata` cannot be read, so that nothing can be said.
pub fn tidy(root: &Path) -> Result<Report, Box<dyn Error>> {
    let policy = policy::Policy::load(&root.join("deny.toml"))?;
    let workspace = Workspace::load(root, policy.targets())?;
    let mut report = Report::default();
    report.findings.extend(architecture::check(root, &workspace.crates)?);
    report.findings.extend(sources::check(root)?);
    report.findings.extend(requirements::check(root)?);
    report.findings.extend(links::check(root)?);
    report.findings.extend(policy.check(&workspace.packages));
    report.notes.extend(policy::duplicates(&workspace.packages));
    Ok(report)
}
