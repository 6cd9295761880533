//! Bytes as text, where the file does not say or says wrongly in which charset they are.

use std::borrow::Cow;

use super::xmp::COPIED_BYTES_MAX;

/// So many bytes of a text are looked at; nobody writes more.
pub(super) const TEXT_BYTES_MAX: usize = 1 << 17;
/// Longer texts are cut off; the longest caption of a stock agency has some 2,000 characters.
const CHARS_MAX: usize = 20_000;

/// UTF-8 if it is, else Windows-1252: what programs without either have written for decades.
pub(crate) fn guessed(bytes: &[u8]) -> String {
    let bytes = bytes.get(..TEXT_BYTES_MAX).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| western(byte)).collect(),
    }
}

/// UTF-16 without a byte order mark, or with one that wins.
pub(super) fn utf16(bytes: &[u8], little_endian: bool) -> String {
    let (bytes, little_endian) = match bytes {
        [0xff, 0xfe, rest @ ..] => (rest, true),
        [0xfe, 0xff, rest @ ..] => (rest, false),
        _ => (bytes, little_endian),
    };
    let number = if little_endian { u16::from_le_bytes } else { u16::from_be_bytes };
    let units = bytes.as_chunks::<2>().0.iter().copied().map(number);
    char::decode_utf16(units.take_while(|&unit| unit != 0))
        .map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// XML by its byte order mark or, without one, by its first sign; of UTF-8 what is none is replaced.
pub(super) fn xml(bytes: &[u8]) -> Cow<'_, str> {
    let copied = bytes.get(..COPIED_BYTES_MAX).unwrap_or(bytes);
    match copied {
        [0xef, 0xbb, 0xbf, ..] => utf8(bytes.get(3..).unwrap_or_default()),
        [0xff, 0xfe, 0, 0, rest @ ..] => utf32(rest, u32::from_le_bytes).into(),
        [0, 0, 0xfe, 0xff, rest @ ..] => utf32(rest, u32::from_be_bytes).into(),
        [0xff, 0xfe, ..] | [b'<', 0, ..] => utf16(copied, true).into(),
        [0xfe, 0xff, ..] | [0, b'<', ..] => utf16(copied, false).into(),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    let copied = || String::from_utf8_lossy(bytes.get(..COPIED_BYTES_MAX).unwrap_or(bytes));
    std::str::from_utf8(bytes).map_or_else(|_| copied(), Cow::Borrowed)
}

fn utf32(bytes: &[u8], number: fn([u8; 4]) -> u32) -> String {
    let numbers = bytes.as_chunks::<4>().0.iter().copied().map(number);
    numbers.map(|number| char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// The text without what frames it and what cannot be shown; `None` if nothing is left.
pub(super) fn clean(text: &str) -> Option<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let shown = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let text: String = text.chars().filter(shown).take(CHARS_MAX).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// A sign of Windows-1252, which is Latin-1 but for 32 signs.
fn western(byte: u8) -> char {
    const SIGNS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    let special = usize::from(byte).checked_sub(0x80).and_then(|index| SIGNS.get(index));
    special.copied().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_utf_8_are_western() {
        assert_eq!(guessed("Zürich".as_bytes()), "Zürich");
        assert_eq!(guessed(b"Z\xfcrich \x80 5 \x96 6"), "Zürich € 5 – 6");
    }

    #[test]
    fn a_byte_order_mark_wins() {
        assert_eq!(utf16(b"\xfe\xff\0A\0\xe4", true), "Aä");
        assert_eq!(utf16(b"A\0\xe4\0\0\0B\0", true), "Aä");
        assert_eq!(xml(b"<\0a\0>\0"), "<a>");
        assert_eq!(xml(b"\0\0\xfe\xff\0\0\0<\0\x01\xf6\0"), "<😀");
    }

    #[test]
    fn texts_are_trimmed_and_cut_off() {
        assert_eq!(clean(" \0 \r\n"), None);
        assert_eq!(clean(" one\r\ntwo\0 "), Some("one\ntwo".to_owned()));
        assert_eq!(clean(&"x".repeat(CHARS_MAX * 2)).unwrap().len(), CHARS_MAX);
    }
}
