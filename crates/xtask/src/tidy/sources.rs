//! Source files: short enough to have one idea, and finished.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Finding;

const LINES_MAX: usize = 600;
const EXTENSIONS: [&str; 6] = ["rs", "sh", "py", "ts", "js", "svelte"];
/// Folders of other people's or generated files.
const SKIPPED: [&str; 3] = ["target", "node_modules", "dist"];
/// Not written in one piece, or this very file would be found.
const UNFINISHED: [&str; 2] = [concat!("to", "do!("), concat!("unimple", "mented!(")];

/// Looks at all source files.
pub fn check(root: &Path) -> io::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in files(root, |file| has_extension(file, &EXTENSIONS))? {
        let text = fs::read_to_string(&file)?;
        let shown = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        findings.extend(check_text(&shown, &text));
    }
    Ok(findings)
}

fn check_text(file: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let lines = text.lines().count();
    if lines > LINES_MAX {
        let what = format!("has {lines} lines; split it by idea, {LINES_MAX} are the most");
        findings.push(Finding::new(file, what));
    }
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(mark) = UNFINISHED.iter().find(|mark| line.contains(*mark)) {
            let what = format!("{mark}…) means that something is missing; finish it");
            findings.push(Finding::new(format_args!("{file}:{number}"), what));
        }
    }
    findings
}

/// All wanted files below `root`, in a stable order; hidden and generated folders are left out.
pub fn files(root: &Path, wanted: impl Fn(&Path) -> bool) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type()?;
            if kind.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
                folders.push(entry.path());
            } else if kind.is_file() && wanted(&entry.path()) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Whether the file's name ends with one of these extensions.
pub fn has_extension(file: &Path, extensions: &[&str]) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extensions.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_600_lines_is_fine_and_of_601_is_not() {
        assert!(check_text("a.rs", &"x\n".repeat(600)).is_empty());
        let found = check_text("a.rs", &"x\n".repeat(601));
        assert!(found[0].to_string().starts_with("a.rs: has 601 lines"), "{found:?}");
    }

    #[test]
    fn unfinished_code_is_found_with_its_line() {
        for mark in UNFINISHED {
            let found = check_text("a.rs", &format!("fn a() {{\n    {mark})\n}}\n"));
            assert_eq!(found.len(), 1);
            assert!(found[0].to_string().starts_with("a.rs:2: "), "{found:?}");
        }
    }

    #[test]
    fn hidden_and_generated_folders_are_left_out() {
        let root = tempfile::tempdir().unwrap();
        for folder in ["src", "target", ".git", "web/node_modules"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
            fs::write(root.path().join(folder).join("a.rs"), "").unwrap();
        }
        fs::write(root.path().join("src/a.txt"), "").unwrap();
        let found = files(root.path(), |file| has_extension(file, &EXTENSIONS)).unwrap();
        assert_eq!(found, [root.path().join("src/a.rs")]);
    }
}
