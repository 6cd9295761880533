//! What is not in an archive although it belongs there, and the text that says so at its end.

/// A photo that is not in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Missing {
    /// What its file would have been called.
    pub(super) name: String,
    pub(super) why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// It was deleted, or is not shown any more to whoever downloads.
    Gone,
    /// It was made anew since the archive was begun, and has another length than was promised.
    Changed,
    /// There is nothing to be put in: it lives elsewhere or is not processed yet.
    NoFile,
}

impl Why {
    fn words(self) -> &'static str {
        match self {
            Self::Gone => "deleted, or not shown to you any more",
            Self::Changed => "changed while the archive was made; download it again",
            Self::NoFile => {
                "has no file that could be put in: it is kept elsewhere, cannot be \
                             shown, or is not processed yet"
            }
        }
    }
}

/// All that is missing, told at the end.
#[derive(Default)]
pub(super) struct AllMissing {
    named: Vec<Missing>,
    count: u64,
}

/// The file that tells it.
pub(super) const NAME: &str = "NOT-IN-THIS-ARCHIVE.txt";

/// Photos that are named; of the rest it is said how many there are.
const NAMED_MAX: usize = 10_000;

impl AllMissing {
    pub(super) fn add(&mut self, missing: Missing) {
        self.count = self.count.saturating_add(1);
        if self.named.len() < NAMED_MAX {
            self.named.push(missing);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// With line ends that every editor knows.
    pub(super) fn text(&self) -> String {
        let mut text = format!("Not in this archive: {}\r\n\r\n", self.count);
        for Missing { name, why } in &self.named {
            text.push_str(&format!("{name}: {}\r\n", why.words()));
        }
        let more = self.count.saturating_sub(self.named.len() as u64);
        if more > 0 {
            text.push_str(&format!("and {more} more\r\n"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_its_reason_and_never_without_end() {
        let mut all = AllMissing::default();
        assert!(all.is_empty());
        for number in 0..NAMED_MAX + 2 {
            all.add(Missing { name: format!("{number}.jpg"), why: Why::Gone });
        }
        let text = all.text();
        assert!(text.starts_with("Not in this archive: 10002\r\n\r\n0.jpg: deleted, or"));
        assert!(
            text.ends_with("9999.jpg: deleted, or not shown to you any more\r\nand 2 more\r\n")
        );
    }
}
