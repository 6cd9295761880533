//! `docs/requirements.md`: every id has exactly one row.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use super::Finding;

const DOCUMENT: &str = "docs/requirements.md";
/// How many requirements each letter has.
const LETTERS: [(char, u32); 5] = [('L', 9), ('I', 20), ('S', 17), ('T', 9), ('B', 34)];

/// Counts the rows.
pub fn check(root: &Path) -> Result<Vec<Finding>, Box<dyn Error>> {
    let text = fs::read_to_string(root.join(DOCUMENT))
        .map_err(|error| format!("cannot read {DOCUMENT}: {error}"))?;
    Ok(check_text(&text))
}

fn check_text(text: &str) -> Vec<Finding> {
    let mut rows: BTreeMap<String, usize> = BTreeMap::new();
    for id in text.lines().filter_map(id_of_row) {
        *rows.entry(id).or_default() += 1;
    }
    let mut findings = Vec::new();
    for (letter, last) in LETTERS {
        for number in 1..=last {
            let id = format!("{letter}{number}");
            match rows.remove(&id).unwrap_or_default() {
                1 => {}
                0 => findings.push(Finding::new(DOCUMENT, format!("{id} has no row"))),
                n => findings.push(Finding::new(DOCUMENT, format!("{id} has {n} rows"))),
            }
        }
    }
    let unknown = rows.into_keys().map(|id| format!("{id} is no requirement"));
    findings.extend(unknown.map(|what| Finding::new(DOCUMENT, what)));
    findings
}

/// The first cell of a table's row, if it looks like an id.
fn id_of_row(line: &str) -> Option<String> {
    let cell = line.trim().strip_prefix('|')?.split('|').next()?;
    let id: String = cell.chars().filter(|c| !matches!(c, '`' | '*' | ' ')).collect();
    let mut chars = id.chars();
    let is_id = chars.next()?.is_ascii_uppercase()
        && !chars.as_str().is_empty()
        && chars.all(|c| c.is_ascii_digit());
    is_id.then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete() -> String {
        let mut text = String::from("| id | state |\n|---|---|\n");
        for (letter, last) in LETTERS {
            for number in 1..=last {
                text.push_str(&format!("| {letter}{number} | open |\n"));
            }
        }
        text
    }

    fn findings(text: &str) -> Vec<String> {
        check_text(text).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn one_row_each_is_fine() {
        assert_eq!(findings(&complete()), Vec::<String>::new());
        assert_eq!(findings(&complete().replace("| L1 |", "| **`L1`** |")), Vec::<String>::new());
    }

    #[test]
    fn a_missing_a_double_and_an_unknown_id_are_found() {
        let text = complete().replace("| B7 |", "| B8 |") + "| Z1 | open |\n";
        let expected = ["B7 has no row", "B8 has 2 rows", "Z1 is no requirement"];
        assert_eq!(findings(&text), expected.map(|what| format!("{DOCUMENT}: {what}")));
    }

    #[test]
    fn text_that_mentions_an_id_is_no_row() {
        let text = complete().replace("| L3 | open |", "L3 is open") + "| x | L3 |\n";
        assert_eq!(findings(&text), [format!("{DOCUMENT}: L3 has no row")]);
    }
}
