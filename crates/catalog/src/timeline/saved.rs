//! What was made of a month, kept as rows: whoever starts anew need not read all images.
//!
//! A row is at most a few hundred kilobytes, so a month may take several. They are written one
//! after the other, and believed only if all are there and of the same state.

use model::{ImageId, Month, TimelineOrder, Timestamp, UserId};
use table::{BatchEntry, Item, Key, Query, Value};

use super::TimelineMonth;
use super::hour::Hour;
use crate::{Catalog, Result, keys};

/// Bytes of one row, with room for what else is in it.
const PART_BYTES: usize = 350 << 10;
/// Whoever changes the form counts this up; what has another form is made anew.
const FORM: u8 = 1;
/// So few images are read again faster than rows are written for them.
const WORTH_IMAGES: usize = 512;

const TAG: &str = "tag";
const PARTS: &str = "parts";
const BYTES: &str = "bytes";

impl TimelineMonth {
    /// Whether enough was read that nobody should have to read it again.
    pub(super) fn is_worth_saving(&self) -> bool {
        self.unsaved >= WORTH_IMAGES.max(self.count() / 16)
    }
}

impl Catalog {
    pub(super) async fn save_month(
        &self,
        user: UserId,
        order: TimelineOrder,
        month: &TimelineMonth,
    ) -> Result<()> {
        let bytes = encode(&month.hours);
        let parts: Vec<&[u8]> = bytes.chunks(PART_BYTES).collect();
        let count = i64::try_from(parts.len()).unwrap_or(i64::MAX);
        for (number, part) in parts.into_iter().enumerate() {
            let row = Item::new(keys::saved_month(user, month.month, order, number))
                .with(TAG, format!("{:016x}", month.tag()))
                .with(PARTS, count)
                .with(BYTES, Value::B(part.to_vec()));
            self.table.batch_write(vec![BatchEntry::Put(row)]).await?;
        }
        Ok(())
    }

    /// What was last kept of a month, if it is whole.
    pub(super) async fn find_saved_month(
        &self,
        user: UserId,
        order: TimelineOrder,
        month: Month,
    ) -> Result<Option<TimelineMonth>> {
        let Key { pk, .. } = keys::saved_month(user, month, order, 0);
        let query = Query::partition(pk).prefix(keys::saved_parts(order));
        let rows = self.load_partition(query).await?;
        let hours = join(&rows).and_then(|bytes| decode(&bytes));
        let found = hours.map(|hours| TimelineMonth::of(month, hours, 0));
        let tag = rows.first().and_then(|row| row.str(TAG));
        Ok(found.filter(|found| tag == Some(format!("{:016x}", found.tag()).as_str())))
    }
}

/// The bytes of all parts, if they belong together. Parts that a longer month had may be left.
fn join(rows: &[Item]) -> Option<Vec<u8>> {
    let first = rows.first()?;
    let (tag, parts) = (first.str(TAG)?, usize::try_from(first.i64(PARTS)?).ok()?);
    let mut bytes = Vec::new();
    for row in rows.get(..parts)? {
        let Some(Value::B(part)) = row.get(BYTES).filter(|_| row.str(TAG) == Some(tag)) else {
            return None;
        };
        bytes.extend_from_slice(part);
    }
    Some(bytes)
}

fn encode(hours: &[Hour]) -> Vec<u8> {
    let mut bytes = vec![FORM];
    for hour in hours {
        let length = |n: usize| u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes();
        bytes.extend(hour.hour.to_le_bytes());
        bytes.extend(hour.sum.to_le_bytes());
        bytes.extend(length(hour.shapes.len()));
        bytes.extend(&hour.shapes);
        bytes.extend(length(hour.marks.len()));
        for (at, image) in &hour.marks {
            bytes.extend(at.as_millis().to_le_bytes());
            bytes.extend(image.to_bits().to_le_bytes());
        }
    }
    bytes
}

fn decode(bytes: &[u8]) -> Option<Vec<Hour>> {
    let (form, mut rest) = bytes.split_first()?;
    if *form != FORM {
        return None;
    }
    let mut hours = Vec::new();
    while !rest.is_empty() {
        let hour = i32::from_le_bytes(take(&mut rest)?);
        let sum = i64::from_le_bytes(take(&mut rest)?);
        let count = length(&mut rest)?;
        let (shapes, behind) = rest.split_at_checked(count)?;
        rest = behind;
        let mut marks = Vec::new();
        for _ in 0..length(&mut rest)? {
            let at = Timestamp::from_millis(i64::from_le_bytes(take(&mut rest)?));
            marks.push((at, ImageId::from_bits(u128::from_le_bytes(take(&mut rest)?))));
        }
        hours.push(Hour { hour, sum, shapes: shapes.to_vec(), marks });
    }
    Some(hours)
}

fn length(rest: &mut &[u8]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(take(rest)?)).ok()
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, behind) = rest.split_first_chunk::<N>()?;
    *rest = behind;
    Some(*taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours() -> Vec<Hour> {
        let mark = (Timestamp::from_millis(3), ImageId::from_bits(9));
        vec![
            Hour { hour: 5, sum: 77, shapes: vec![1, 2, 255], marks: vec![mark] },
            Hour { hour: -5, sum: 7, shapes: vec![128], marks: Vec::new() },
        ]
    }

    #[test]
    fn hours_are_read_as_they_are_written() {
        assert_eq!(decode(&encode(&hours())), Some(hours()));
    }

    #[test]
    fn what_is_cut_short_or_of_another_form_is_not_believed() {
        let mut bytes = encode(&hours());
        for end in 2..bytes.len() {
            let cut = decode(bytes.get(..end).unwrap());
            assert_ne!(cut, Some(hours()), "{end}");
        }
        bytes[0] = FORM + 1;
        assert_eq!(decode(&bytes), None);
    }
}
