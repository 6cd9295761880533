use super::SearchKey;

/// A search that is being written: what stands before its last part, and that part as far as it
/// goes. Whether it can be understood does not matter yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchDraft<'t> {
    /// Everything before the last part, with the minus of that.
    pub before: &'t str,
    /// The key of the last part.
    pub key: Option<SearchKey>,
    /// What was written of its value or its word.
    pub started: String,
}

impl<'t> SearchDraft<'t> {
    /// The draft that a text is.
    pub fn of(text: &'t str) -> Self {
        let start = start_of_last_part(text);
        let part = text.get(start..).unwrap_or_default();
        let sign = usize::from(part.starts_with('-'));
        let before = text.get(..start + sign).unwrap_or_default();
        let part = part.get(sign..).unwrap_or_default();
        let keyed =
            part.split_once(':').and_then(|(name, rest)| Some((SearchKey::of(name)?, rest)));
        let (key, started) = match keyed {
            Some((key, rest)) => (Some(key), rest),
            None => (None, part),
        };
        let started = match started.strip_prefix('"') {
            Some(quoted) => {
                quoted.trim_end_matches('"').replace("\\\"", "\"").replace("\\\\", "\\")
            }
            None => started.to_owned(),
        };
        Self { before, key, started }
    }

    /// The search with a key and a value in the place of its last part.
    pub fn with_value(&self, key: SearchKey, value: &str) -> String {
        format!("{}{}:{value} ", self.before, key.name())
    }
}

fn start_of_last_part(text: &str) -> usize {
    let (mut start, mut is_quoted, mut is_escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        if c == '"' && !is_escaped {
            is_quoted = !is_quoted;
        }
        if c.is_whitespace() && !is_quoted {
            start = at + c.len_utf8();
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_is_what_is_being_written() {
        for (text, before, key, started) in [
            ("", "", None, ""),
            ("red ca", "red ", None, "ca"),
            ("red -ca", "red -", None, "ca"),
            ("red ", "red ", None, ""),
            ("x tag:", "x ", Some(SearchKey::Tag), ""),
            ("-TAG:\"red ca", "-", Some(SearchKey::Tag), "red ca"),
            ("tag:\"red car\" al", "tag:\"red car\" ", None, "al"),
            ("foo:b", "", None, "foo:b"),
            ("\"", "", None, ""),
        ] {
            let draft = SearchDraft { before, key, started: started.to_owned() };
            assert_eq!(SearchDraft::of(text), draft, "{text}");
        }
    }
}
