use std::ops::Range;

/// Which bytes of an object to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ByteRange {
    /// From the first offset up to, but without, the second; what lies beyond the end of
    /// the object is left out.
    Span(Range<u64>),
    /// From this offset to the end.
    From(u64),
    /// The last bytes, as many as this; the whole object if it is shorter.
    Last(u64),
}

impl ByteRange {
    /// The offsets this means in an object of `size_bytes`, or nothing if none of them
    /// exists there.
    pub fn within(&self, size_bytes: u64) -> Option<Range<u64>> {
        let range = match self {
            Self::Span(range) => range.start..range.end.min(size_bytes),
            Self::From(start) => *start..size_bytes,
            Self::Last(count) => size_bytes.saturating_sub(*count)..size_bytes,
        };
        (range.start < range.end).then_some(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_only_bytes_that_exist() {
        let cases = [
            (ByteRange::Span(2..5), 10, Some(2..5)),
            (ByteRange::Span(2..50), 10, Some(2..10)),
            (ByteRange::Span(10..11), 10, None),
            (ByteRange::Span(5..5), 10, None),
            (ByteRange::From(9), 10, Some(9..10)),
            (ByteRange::From(10), 10, None),
            (ByteRange::Last(3), 10, Some(7..10)),
            (ByteRange::Last(30), 10, Some(0..10)),
            (ByteRange::Last(0), 10, None),
            (ByteRange::Last(3), 0, None),
        ];
        for (range, size, expected) in cases {
            assert_eq!(range.within(size), expected, "{range:?} of {size}");
        }
    }
}
