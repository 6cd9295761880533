//! Cases that are listed by hand in a macro, checked for completeness.

/// Panics if a case (`pub async fn …` at the start of a line) of one of the sources is not
/// listed, on a line of its own, in `list`; such a case would never run.
#[allow(clippy::panic, reason = "it is an assertion of tests")]
pub fn assert_every_case_is_listed(list: &str, sources: &[&str]) {
    let listed: Vec<&str> = list.lines().filter_map(|line| line.trim().strip_suffix(',')).collect();
    let cases: Vec<&str> = sources
        .iter()
        .flat_map(|source| source.lines())
        .filter_map(|line| line.strip_prefix("pub async fn "))
        .filter_map(|rest| rest.split('(').next())
        .collect();
    assert!(!cases.is_empty(), "the sources have no cases");
    for case in cases {
        assert!(listed.contains(&case), "the case {case} is not listed and never runs");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "pub async fn first(w: &World) {}\npub async fn second() {}";

    #[test]
    fn all_listed_is_fine() {
        assert_every_case_is_listed("  [\n  first,\n  second,\n]", &[SOURCE]);
    }

    #[test]
    #[should_panic(expected = "second is not listed")]
    fn one_forgotten_is_told() {
        assert_every_case_is_listed("first,\nsecond_not,", &[SOURCE]);
    }
}
