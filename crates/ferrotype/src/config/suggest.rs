//! What may have been meant by a name that does not exist.

/// The known name that is most like `wrong`, if one is like enough to be a slip.
pub fn suggest(wrong: &str, known: impl IntoIterator<Item = String>) -> Option<String> {
    let slips_max = (wrong.chars().count() / 4 + 1).min(3);
    let distances = known.into_iter().map(|name| (distance(wrong, &name), name));
    let (slips, name) = distances.min_by_key(|(slips, _)| *slips)?;
    (slips <= slips_max).then_some(name)
}

/// How many letters must be put in, taken out or replaced to make one of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        let mut next = vec![left];
        for (other, above) in b.iter().zip(row.iter().skip(1)) {
            let replaced = diagonal + usize::from(letter != *other);
            left = replaced.min(left + 1).min(above + 1);
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_the_textbook() {
        for (a, b, expected) in
            [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = || ["listen", "log.level", "table.engine"].map(str::to_owned);
        assert_eq!(suggest("lisen", known()).as_deref(), Some("listen"));
        assert_eq!(suggest("log.levle", known()).as_deref(), Some("log.level"));
        assert_eq!(suggest("tabel.engine", known()).as_deref(), Some("table.engine"));
        for other in ["port", "seed", "service_host", "port_8080_tcp"] {
            assert_eq!(suggest(other, known()), None, "{other}");
        }
    }
}
