//! docs/api.md, as typed.

use crate::fences::{Fence, fences};
use crate::site::{Site, installed, read, succeed};

/// Between what the blocks print.
const END: char = '\u{1e}';

#[test]
fn the_first_ten_calls_and_the_three_ways_to_upload_work_as_typed() {
    for program in ["bash", "curl", "jq"] {
        installed(program);
    }
    let site = Site::open();
    let blocks = blocks(&read("docs/api.md"));
    assert!(blocks.len() > 10, "the first ten calls, and more: {}", blocks.len());
    let script: String =
        blocks.iter().map(|(typed, _)| format!("{typed}printf '\\036'\n")).collect();
    std::fs::write(site.folder.path().join("typed.sh"), script).unwrap();
    let printed = succeed(site.command("bash", &["-u", "typed.sh"]));
    let printed: Vec<&str> = printed.split(END).collect();
    for ((typed, expected), printed) in blocks.iter().zip(&printed) {
        assert_eq!(printed, expected, "\n{typed}");
    }
    assert_eq!(printed.len(), blocks.len() + 1, "one for each, and nothing behind them");
}

/// What is typed, and what it prints according to the document.
fn blocks(document: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for Fence { language, text } in fences(document) {
        match (language.as_str(), all.last_mut()) {
            ("sh", _) => all.push((text, String::new())),
            ("text", Some((_, printed))) => *printed = text,
            _ => {}
        }
    }
    all
}
