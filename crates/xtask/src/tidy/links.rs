//! Links between our documents lead somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::Finding;
use super::sources::{files, has_extension};

/// Follows every link of every document.
pub fn check(root: &Path) -> io::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in files(root, |file| has_extension(file, &["md"]))? {
        let text = fs::read_to_string(&file)?;
        for link in links(&text) {
            if let Some(problem) = problem(&file, &text, &link.target) {
                let shown = file.strip_prefix(root).unwrap_or(&file).display();
                let place = format!("{shown}:{}", link.line);
                findings.push(Finding::new(place, format!("{} {problem}", link.target)));
            }
        }
    }
    Ok(findings)
}

struct Link {
    target: String,
    line: usize,
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

fn links(text: &str) -> Vec<Link> {
    let target = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url),
        _ => None,
    };
    let line_at = |offset| 1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count();
    let found = parser(text).into_offset_iter();
    found
        .filter_map(|(event, range)| Some((target(event)?, range)))
        .map(|(target, range)| Link { target: target.to_string(), line: line_at(range.start) })
        .collect()
}

/// What is wrong with a link in `file`, if anything; other sites are not asked.
fn problem(file: &Path, text: &str, target: &str) -> Option<&'static str> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(p, a)| (p, Some(a)));
    let folder = file.parent().unwrap_or(file);
    let linked = folder.join(path);
    if !linked.exists() {
        return Some("leads nowhere");
    }
    let anchor = anchor?;
    let found = if path.is_empty() {
        anchors(text).contains(anchor)
    } else if has_extension(&linked, &["md"]) {
        fs::read_to_string(&linked).is_ok_and(|text| anchors(&text).contains(anchor))
    } else {
        true
    };
    (!found).then_some("names no heading there")
}

/// The anchors of all headings, as code forges make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut heading: Option<String> = None;
    for event in parser(text) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::End(TagEnd::Heading(_)), Some(title)) => {
                let anchor = anchor(title);
                let numbered = (1..).map(|n| format!("{anchor}-{n}"));
                let free = std::iter::once(anchor.clone()).chain(numbered);
                anchors.extend(free.into_iter().find(|name| !anchors.contains(name)));
                heading = None;
            }
            (Event::Text(text) | Event::Code(text), Some(title)) => title.push_str(&text),
            _ => {}
        }
    }
    anchors
}

fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(files: &[(&str, &str)]) -> Vec<String> {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        check(root.path()).unwrap().iter().map(ToString::to_string).collect()
    }

    const OTHER: (&str, &str) = ("docs/other.md", "# The `one` table\n## Twice\n## Twice\n");

    #[test]
    fn links_that_lead_somewhere_are_fine() {
        let text = "# Here\n[a](docs/other.md) [b](docs/other.md#the-one-table) [c](#here)\n\
                    [d](docs) [e](https://example.org/x) [f](docs/other.md#twice-1)\n\
                    `[g](gone.md)`\n```\n[h](gone.md)\n```\n";
        assert_eq!(findings(&[("README.md", text), OTHER]), Vec::<String>::new());
    }

    #[test]
    fn links_that_do_not_are_found_with_their_line() {
        let text = "# Here\n\n[a](gone.md) and ![b](docs/gone.png)\n[c]\n\n[c]: ../other.md\n";
        let found = findings(&[("README.md", text), OTHER]);
        let expected = [
            "README.md:3: gone.md leads nowhere",
            "README.md:3: docs/gone.png leads nowhere",
            "README.md:4: ../other.md leads nowhere",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn anchors_that_do_not_exist_are_found() {
        let text = "[a](docs/other.md#two) [b](#here)\n";
        let found = findings(&[("README.md", text), OTHER]);
        let expected = [
            "README.md:1: docs/other.md#two names no heading there",
            "README.md:1: #here names no heading there",
        ];
        assert_eq!(found, expected);
    }
}
