//! The header `Content-Disposition`: what a browser does with a file, and what it calls it.

/// The header's value, with the name for programs of any age.
pub(crate) fn disposition(kind: &str, filename: &str) -> String {
    let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '\\') || c == ' ';
    let plain: String = filename.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let encoded: String = filename
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' => {
                char::from(byte).to_string()
            }
            byte => format!("%{byte:02X}"),
        })
        .collect();
    format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_twice_and_break_out_of_nothing() {
        assert_eq!(
            disposition("attachment", "été \"1\".zip"),
            "attachment; filename=\"_t_ _1_.zip\"; filename*=UTF-8''%C3%A9t%C3%A9%20%221%22.zip"
        );
        assert!(!disposition("inline", "a\r\nb").contains(['\r', '\n']));
    }
}
