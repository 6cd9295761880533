//! The crate table of ARCHITECTURE.md against the crates themselves.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use super::Finding;
use super::workspace::Crate;

const DOCUMENT: &str = "ARCHITECTURE.md";
const HEADER: [&str; 3] = ["crate", "what it is", "may use"];
/// Marks the row of a crate that does not exist yet.
const PLANNED: &str = "(planned)";
/// Names that say nothing, and therefore collect everything.
const EMPTY_NAMES: [&str; 8] =
    ["common", "core", "util", "utils", "helper", "helpers", "misc", "shared"];

/// What the table says about a crate.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    may_use: MayUse,
    planned: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum MayUse {
    Any,
    Only(Vec<String>),
}

/// Compares the document with the crates.
pub fn check(root: &Path, crates: &[Crate]) -> Result<Vec<Finding>, Box<dyn Error>> {
    let text = fs::read_to_string(root.join(DOCUMENT))
        .map_err(|error| format!("cannot read {DOCUMENT}: {error}"))?;
    Ok(compare(&text, crates))
}

fn compare(document: &str, crates: &[Crate]) -> Vec<Finding> {
    let rows = rows(document);
    if rows.is_empty() {
        let what = format!("has no table with the columns {}", HEADER.join(", "));
        return vec![Finding::new(DOCUMENT, what)];
    }
    let mut findings = unknown_names(&rows, crates);
    for our in crates {
        findings.extend(check_crate(our, rows.get(our.name.as_str())));
    }
    findings
}

fn check_crate(our: &Crate, row: Option<&Row>) -> Vec<Finding> {
    let manifest = format!("crates/{}/Cargo.toml", our.name);
    let mut findings = Vec::new();
    if our.name.split(['-', '_']).any(|word| EMPTY_NAMES.contains(&word)) {
        findings.push(Finding::new(&manifest, "the crate's name says nothing; name what it is"));
    }
    match row {
        None => {
            let what = format!("the crate table has no row for `{}`", our.name);
            findings.push(Finding::new(DOCUMENT, what));
        }
        Some(Row { may_use: MayUse::Any, .. }) => {}
        Some(Row { may_use: MayUse::Only(allowed), .. }) => {
            for used in our.uses.iter().filter(|used| !allowed.contains(used)) {
                let what = format!(
                    "uses `{used}`, which the crate table of {DOCUMENT} does not allow for `{}`",
                    our.name
                );
                findings.push(Finding::new(&manifest, what));
            }
        }
    }
    findings
}

fn unknown_names(rows: &BTreeMap<String, Row>, crates: &[Crate]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, row) in rows {
        let exists = crates.iter().any(|our| our.name == *name);
        if exists == row.planned {
            let is = if exists { "exists" } else { "does not exist" };
            let what = format!("`{name}` {is}; only crates that do not are marked {PLANNED}");
            findings.push(Finding::new(DOCUMENT, what));
        }
        if let MayUse::Only(allowed) = &row.may_use {
            for other in allowed.iter().filter(|other| !rows.contains_key(other.as_str())) {
                let what = format!("`{name}` may use `{other}`, which has no row of its own");
                findings.push(Finding::new(DOCUMENT, what));
            }
        }
    }
    findings
}

/// The rows of the crate table by crate; a row may name several crates, and folders that are
/// no crates end with a slash.
fn rows(document: &str) -> BTreeMap<String, Row> {
    let mut lines = document.lines().skip_while(|line| cells(line) != HEADER);
    let table = lines.by_ref().skip(2).take_while(|line| line.starts_with('|'));
    let mut rows = BTreeMap::new();
    for line in table {
        if let [names, what, may_use] = cells(line).as_slice() {
            for name in names.split(',').map(str::trim).filter(|name| !name.ends_with('/')) {
                let planned = what.contains(PLANNED);
                rows.insert(name.to_owned(), Row { may_use: MayUse::parse(may_use), planned });
            }
        }
    }
    rows
}

/// The cells of a line, without the marks for code.
fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|'));
    inner.map_or(Vec::new(), |inner| {
        inner.split('|').map(|cell| cell.replace('`', "").trim().to_owned()).collect()
    })
}

impl MayUse {
    fn parse(cell: &str) -> Self {
        match cell {
            "any" => Self::Any,
            "–" | "-" | "" => Self::Only(Vec::new()),
            names => Self::Only(names.split(',').map(|name| name.trim().to_owned()).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "\
# Map

| crate | what it is | may use |
|---|---|---|
| `model` | words | – |
| `table` | the port | – |
| `catalog` | keys | model, table |
| `worker` | runs jobs (planned) | model |
| `ferrotype` | the binary | any |
| `testkit`, `xtask` | development only | any |
| `web/` | the gallery | the HTTP API |

Text | with | bars.
";

    fn uses(name: &str, uses: &[&str]) -> Crate {
        Crate { name: name.to_owned(), uses: uses.iter().map(|&name| name.to_owned()).collect() }
    }

    fn all_as_documented() -> Vec<Crate> {
        vec![
            uses("model", &[]),
            uses("table", &[]),
            uses("catalog", &["model", "table"]),
            uses("ferrotype", &["catalog", "table"]),
            uses("testkit", &[]),
            uses("xtask", &["testkit"]),
        ]
    }

    fn findings(crates: &[Crate]) -> Vec<String> {
        compare(DOCUMENT, crates).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_documented_is_fine() {
        assert_eq!(findings(&all_as_documented()), Vec::<String>::new());
    }

    #[test]
    fn a_dependency_that_is_not_documented_is_found() {
        let mut crates = all_as_documented();
        crates[1] = uses("table", &["model"]);
        let found = findings(&crates);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("crates/table/Cargo.toml: uses `model`"), "{found:?}");
    }

    #[test]
    fn a_crate_without_a_row_is_found() {
        let mut crates = all_as_documented();
        crates.push(uses("import", &[]));
        assert_eq!(findings(&crates), ["ARCHITECTURE.md: the crate table has no row for `import`"]);
    }

    #[test]
    fn a_row_without_a_crate_is_found_unless_it_is_planned() {
        let crates = &all_as_documented()[1..];
        let found = findings(crates);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("`model` does not exist"), "{found:?}");
    }

    #[test]
    fn a_planned_crate_that_exists_is_found() {
        let mut crates = all_as_documented();
        crates.push(uses("worker", &["model"]));
        let found = findings(&crates);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("`worker` exists"), "{found:?}");
    }

    #[test]
    fn a_name_that_says_nothing_is_found() {
        for name in ["common", "table-util", "image_helpers"] {
            let finding =
                check_crate(&uses(name, &[]), Some(&Row { may_use: MayUse::Any, planned: false }));
            assert_eq!(finding.len(), 1, "{name}");
        }
    }

    #[test]
    fn a_document_without_the_table_is_found() {
        let found = compare("# Map\n", &all_as_documented());
        assert!(found[0].to_string().contains("has no table"), "{found:?}");
    }
}
