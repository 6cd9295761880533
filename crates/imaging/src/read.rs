//! Numbers out of bytes; `None` where the bytes end.

/// The bytes at an offset.
pub(crate) fn array_at<const N: usize>(bytes: &[u8], offset: usize) -> Option<[u8; N]> {
    bytes.get(offset..)?.first_chunk().copied()
}

/// `length` bytes at an offset.
pub(crate) fn slice_at(bytes: &[u8], offset: usize, length: usize) -> Option<&[u8]> {
    bytes.get(offset..offset.checked_add(length)?)
}

macro_rules! reader {
    ($name:ident, $number:ty, $from:ident) => {
        pub(crate) fn $name(bytes: &[u8], offset: usize) -> Option<$number> {
            array_at(bytes, offset).map(<$number>::$from)
        }
    };
}

reader!(be16, u16, from_be_bytes);
reader!(be32, u32, from_be_bytes);
reader!(be64, u64, from_be_bytes);
reader!(le16, u16, from_le_bytes);
reader!(le32, u32, from_le_bytes);
reader!(le64, u64, from_le_bytes);

/// Three bytes, the lowest first.
pub(crate) fn le24(bytes: &[u8], offset: usize) -> Option<u32> {
    let [a, b, c] = array_at(bytes, offset)?;
    Some(u32::from_le_bytes([a, b, c, 0]))
}
