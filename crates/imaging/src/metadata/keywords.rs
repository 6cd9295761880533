//! Keywords, flat and in hierarchies, as one list.

use std::collections::HashSet;

const KEYWORDS_MAX: usize = 1000;
const CHARS_MAX: usize = 500;
const LEVELS_MAX: usize = 32;

/// A path of keywords, from the largest.
pub(super) type Path = Vec<String>;

/// A path out of one text.
pub(super) fn path(text: &str, separator: char) -> Path {
    let parts = text.split(separator).map(str::trim).filter(|part| !part.is_empty());
    parts.take(LEVELS_MAX).map(cut).collect()
}

/// A keyword of a length that people write. Each path has those above it, so what is cut too late
/// is held as often as there are paths.
pub(super) fn cut(keyword: &str) -> String {
    keyword.chars().take(CHARS_MAX).collect()
}

/// All of them once. Programs that know hierarchies repeat their last keyword, or all, in the flat
/// list, for those that do not; and may name a hierarchy besides one that goes on further.
pub(super) fn merged(flat: &[String], paths: Vec<Path>) -> Vec<String> {
    let lower = |part: &String| part.to_lowercase();
    // darktable's own notes about a file.
    let mut paths: Vec<Path> = paths
        .into_iter()
        .take(KEYWORDS_MAX)
        .filter(|path| match &**path {
            [] => false,
            [first, _, ..] => first != "darktable",
            [_] => true,
        })
        .collect();
    let mut begun = HashSet::new();
    let mut within = HashSet::new();
    for path in &paths {
        let path: Path = path.iter().map(lower).collect();
        begun.extend((1..path.len()).filter_map(|length| Some(path.get(..length)?.to_vec())));
        within.extend(path);
    }
    paths.retain(|path| !begun.contains(&path.iter().map(lower).collect::<Path>()));
    let flat = flat.iter().filter(|keyword| !within.contains(&lower(keyword)));
    let all = paths.iter().map(|path| path.join("/")).chain(flat.cloned());
    let mut seen = HashSet::new();
    let mut merged: Vec<String> = Vec::new();
    for keyword in all {
        let keyword = cut(keyword.trim());
        if !keyword.is_empty() && merged.len() < KEYWORDS_MAX && seen.insert(keyword.to_lowercase())
        {
            merged.push(keyword);
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merge(flat: &[&str], hierarchical: &[&str]) -> Vec<String> {
        let flat: Vec<String> = flat.iter().map(ToString::to_string).collect();
        merged(&flat, hierarchical.iter().map(|text| path(text, '|')).collect())
    }

    #[test]
    fn a_keyword_is_cut_before_it_is_repeated_in_paths() {
        let long = "ä".repeat(20_000);
        assert_eq!(path(&format!("{long}|b"), '|'), ["ä".repeat(CHARS_MAX), "b".to_owned()]);
        assert_eq!(cut(&long).chars().count(), CHARS_MAX);
    }

    #[test]
    fn what_a_hierarchy_names_is_not_repeated() {
        assert_eq!(
            merge(&["Paris", "sea"], &["Places|France|Paris"]),
            ["Places/France/Paris", "sea"]
        );
        assert_eq!(merge(&["places", "Paris"], &["Places|Paris"]), ["Places/Paris"]);
        assert_eq!(
            merge(&[], &["Places", "Places|Paris", "Places|Rome"]),
            ["Places/Paris", "Places/Rome"]
        );
        assert_eq!(merge(&["a", "A", "b"], &["a"]), ["a", "b"]);
    }

    #[test]
    fn notes_of_darktable_are_nobodys_keywords() {
        assert_eq!(merge(&["sea"], &["darktable|format|nef", "darktable"]), ["darktable", "sea"]);
    }

    #[test]
    fn there_is_an_end_to_them() {
        let many: Vec<String> = (0..2000).map(|number| format!("keyword {number}")).collect();
        assert_eq!(merged(&many, Vec::new()).len(), KEYWORDS_MAX);
        let long = merged(&["x".repeat(9999)], vec![path(&"a|".repeat(9999), '|')]);
        assert!(long.iter().all(|keyword| keyword.chars().count() <= CHARS_MAX));
    }
}
