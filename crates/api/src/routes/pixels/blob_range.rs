//! The header `Range`, as far as it is understood; anything else asks for the whole.

use axum::http::{HeaderMap, header};
use service::ByteRange;

/// The one range that is asked for. Several ranges at once are answered with the whole, as the
/// standard allows, and so is a condition by `If-Range`, which is never known to hold.
pub(super) fn parse_range(headers: &HeaderMap) -> Option<ByteRange> {
    if headers.contains_key(header::IF_RANGE) {
        return None;
    }
    let text = headers.get(header::RANGE)?.to_str().ok()?;
    let (first, last) = text.strip_prefix("bytes=")?.trim().split_once('-')?;
    let number = |text: &str| -> Option<u64> {
        (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
    };
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => {
            Some(ByteRange::Span(first..last.saturating_add(1)))
        }
        (Some(first), None) if last.is_empty() => Some(ByteRange::From(first)),
        (None, Some(count)) if first.is_empty() => Some(ByteRange::Last(count)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn parse(text: &str) -> Option<ByteRange> {
        let value = HeaderValue::from_str(text).unwrap();
        parse_range(&HeaderMap::from_iter([(header::RANGE, value)]))
    }

    #[test]
    fn one_range_is_understood() {
        assert_eq!(parse("bytes=0-99"), Some(ByteRange::Span(0..100)));
        assert_eq!(parse("bytes=100-"), Some(ByteRange::From(100)));
        assert_eq!(parse("bytes=-5"), Some(ByteRange::Last(5)));
    }

    #[test]
    fn anything_else_is_the_whole() {
        for other in
            ["bytes=0-1,5-6", "bytes=5-1", "bytes=-", "lines=1-2", "bytes=a-b", "0-1", "bytes=+1-2"]
        {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
