//! Where things are in the repository, and where a report goes.

use std::fs;
use std::path::{Path, PathBuf};

use testkit::servers::TOOLS_VARIABLE;

use super::targets::Target;
use crate::Outcome;

/// The root of the repository.
pub fn repository() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap_or(root)
}

/// A script of the benchmarks.
pub fn script(name: &str) -> PathBuf {
    repository().join("scripts/bench").join(name)
}

/// Something that `scripts/setup bench` has put into the folder of tools.
///
/// # Errors
/// When it is not there: says what installs it.
pub fn installed(what: &str) -> Outcome<PathBuf> {
    let tools = std::env::var_os(TOOLS_VARIABLE).unwrap_or_else(|| ".tools".into());
    let path = repository().join(tools).join(what);
    if path.exists() {
        return Ok(path);
    }
    Err(format!("{} is missing: run scripts/setup bench", path.display()).into())
}

/// The first of these programs that is installed.
///
/// # Errors
/// When none is: says what installs it.
pub fn program(names: &[&str], setup: &str) -> Outcome<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    // Servers are there for administrators only, as far as their paths go.
    let folders: Vec<PathBuf> =
        std::env::split_paths(&folders).chain(["/usr/sbin".into()]).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
        .ok_or_else(|| {
            format!("{} is missing: run scripts/setup {setup}", names.join(" or ")).into()
        })
}

/// Prints the report, writes it where it belongs, and fails if a target is missed, unless it is
/// only asked for the report.
pub fn hand_in(text: &str, out: Option<PathBuf>, targets: &[Target], report_only: bool) -> Outcome {
    println!("{text}");
    if let Some(out) = out {
        fs::create_dir_all(out.parent().unwrap_or(&out))?;
        fs::write(&out, text)?;
        eprintln!("bench: wrote {}", out.display());
    }
    let missed = targets.iter().filter(|target| !target.met).count();
    if missed > 0 && !report_only {
        return Err(format!("{missed} of {} targets are missed", targets.len()).into());
    }
    Ok(())
}
