//! The fenced blocks of a document.

/// A block between two lines of three backticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    /// What stands behind the first backticks, such as `sh`.
    pub language: String,
    pub text: String,
}

/// All blocks, in order.
pub fn fences(document: &str) -> Vec<Fence> {
    let mut all = Vec::new();
    let mut open: Option<Fence> = None;
    for line in document.lines() {
        match (line.strip_prefix("```"), open.as_mut()) {
            (Some(_), Some(_)) => all.extend(open.take()),
            (Some(language), None) => {
                open = Some(Fence { language: language.to_owned(), text: String::new() });
            }
            (None, Some(fence)) => {
                fence.text.push_str(line);
                fence.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert_eq!(open, None, "a block has no end");
    all
}

/// The one block of a language.
pub fn only(document: &str, language: &str) -> String {
    let mut all: Vec<_> = fences(document).into_iter().filter(|f| f.language == language).collect();
    assert_eq!(all.len(), 1, "blocks of {language}");
    all.remove(0).text
}

#[test]
fn blocks_are_found_with_their_language() {
    let all = fences("a\n```sh\nls\n```\n\n```\nx\ny\n```\n");
    let told: Vec<_> = all.iter().map(|f| (f.language.as_str(), f.text.as_str())).collect();
    assert_eq!(told, [("sh", "ls\n"), ("", "x\ny\n")]);
}
