//! The ZIP format, as far as it is written here: files as they are, without compression (pictures
//! are compressed already), names in UTF-8, and ZIP64 only where a number does not fit otherwise.
//!
//! The checksum of a file is known when its last byte has passed, so it stands behind the file (a
//! data descriptor) and in the directory at the end.

use model::Timestamp;

use super::when::Moment;

/// A file to be put into an archive.
pub(super) struct Entry {
    name: String,
    size: u64,
    modified: Moment,
}

/// What is known of a file once it is in the archive.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Written {
    /// Where it begins.
    pub(super) offset: u64,
    pub(super) crc32: u32,
}

/// What a field of 32 bits says whose number stands elsewhere.
const ELSEWHERE: u32 = u32::MAX;
const ELSEWHERE_16: u16 = u16::MAX;

const LOCAL_HEADER: u32 = 0x0403_4B50;
const DESCRIPTOR: u32 = 0x0807_4B50;
const CENTRAL_HEADER: u32 = 0x0201_4B50;
const END_64: u32 = 0x0606_4B50;
const END_64_LOCATOR: u32 = 0x0706_4B50;
const END: u32 = 0x0605_4B50;

/// Checksum and sizes stand behind the file; the name is UTF-8.
const FLAGS: u16 = 1 << 3 | 1 << 11;
const STORED: u16 = 0;
const VERSION: u16 = 20;
const VERSION_64: u16 = 45;
/// Made on a system with the rights of Unix.
const MADE_BY_UNIX: u16 = 3 << 8 | VERSION_64;
/// A plain file that everybody may read.
const PLAIN_FILE: u32 = 0o100_644 << 16;

const EXTRA_64: u16 = 0x0001;
const EXTRA_TIME: u16 = 0x5455;

impl Entry {
    pub(super) fn new(name: String, size: u64, modified: Moment) -> Self {
        Self { name, size, modified }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn into_name(self) -> String {
        self.name
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// What the file takes in the archive, but for the directory.
    pub(super) fn length(&self) -> u64 {
        let head = self.local_header().len() as u64;
        head.saturating_add(self.size).saturating_add(self.descriptor(0).len() as u64)
    }

    /// What stands before the file.
    pub(super) fn local_header(&self) -> Vec<u8> {
        let mut extra = Fields::default();
        if self.is_large() {
            extra.u16(EXTRA_64).u16(16).u64(0).u64(0);
        }
        extra.bytes(&self.time_extra());
        let size = if self.is_large() { ELSEWHERE } else { 0 };
        let mut header = Fields::default();
        header.u32(LOCAL_HEADER).u16(self.version());
        header.u16(FLAGS).u16(STORED).bytes(&dos_time(self.modified.clock));
        header.u32(0).u32(size).u32(size);
        header.u16(length_16(self.name.as_bytes())).u16(length_16(&extra.0));
        header.bytes(self.name.as_bytes()).bytes(&extra.0);
        header.0
    }

    /// What stands behind the file.
    pub(super) fn descriptor(&self, crc32: u32) -> Vec<u8> {
        let mut fields = Fields::default();
        fields.u32(DESCRIPTOR).u32(crc32);
        match self.small_size() {
            Some(size) => fields.u32(size).u32(size),
            None => fields.u64(self.size).u64(self.size),
        };
        fields.0
    }

    /// What stands in the directory.
    pub(super) fn central_header(&self, written: Written) -> Vec<u8> {
        let offset = u32::try_from(written.offset).ok().filter(|offset| *offset != ELSEWHERE);
        let mut large = Fields::default();
        if self.is_large() {
            large.u64(self.size).u64(self.size);
        }
        if offset.is_none() {
            large.u64(written.offset);
        }
        let mut extra = Fields::default();
        if !large.0.is_empty() {
            extra.u16(EXTRA_64).u16(length_16(&large.0)).bytes(&large.0);
        }
        extra.bytes(&self.time_extra());
        let size = self.small_size().unwrap_or(ELSEWHERE);
        let version = if large.0.is_empty() { VERSION } else { VERSION_64 };
        let mut header = Fields::default();
        header.u32(CENTRAL_HEADER).u16(MADE_BY_UNIX).u16(version);
        header.u16(FLAGS).u16(STORED).bytes(&dos_time(self.modified.clock));
        header.u32(written.crc32).u32(size).u32(size);
        header.u16(length_16(self.name.as_bytes())).u16(length_16(&extra.0));
        // No comment, the first disk, nothing known of the content.
        header.u16(0).u16(0).u16(0).u32(PLAIN_FILE).u32(offset.unwrap_or(ELSEWHERE));
        header.bytes(self.name.as_bytes()).bytes(&extra.0);
        header.0
    }

    /// In UTC, beside the other one, which is what the clock showed. Where nobody knows the zone it
    /// is left out, so that programs show what the clock showed; but for years that only this one
    /// knows.
    fn time_extra(&self) -> Vec<u8> {
        let Moment { clock, utc } = self.modified;
        let moment = utc.or_else(|| (dos_year(clock) != year(clock)).then_some(clock));
        let seconds = moment.and_then(|moment| i32::try_from(moment.as_seconds()).ok());
        let mut extra = Fields::default();
        if let Some(seconds) = seconds {
            extra.u16(EXTRA_TIME).u16(5).bytes(&[1]).bytes(&seconds.to_le_bytes());
        }
        extra.0
    }

    fn small_size(&self) -> Option<u32> {
        u32::try_from(self.size).ok().filter(|size| *size != ELSEWHERE)
    }

    fn is_large(&self) -> bool {
        self.small_size().is_none()
    }

    fn version(&self) -> u16 {
        if self.is_large() { VERSION_64 } else { VERSION }
    }
}

/// The end of an archive whose directory begins at `offset` and has `size` bytes.
pub(super) fn end(entries: u64, offset: u64, size: u64) -> Vec<u8> {
    let small = |number: u64| u32::try_from(number).ok().filter(|number| *number != ELSEWHERE);
    let count = u16::try_from(entries).ok().filter(|count| *count != ELSEWHERE_16);
    let mut fields = Fields::default();
    if count.is_none() || small(offset).is_none() || small(size).is_none() {
        // 44 bytes follow the first field of 64 bits.
        fields.u32(END_64).u64(44).u16(MADE_BY_UNIX).u16(VERSION_64).u32(0).u32(0);
        fields.u64(entries).u64(entries).u64(size).u64(offset);
        fields.u32(END_64_LOCATOR).u32(0).u64(offset.saturating_add(size)).u32(1);
    }
    let count = count.unwrap_or(ELSEWHERE_16);
    fields.u32(END).u16(0).u16(0).u16(count).u16(count);
    fields.u32(small(size).unwrap_or(ELSEWHERE)).u32(small(offset).unwrap_or(ELSEWHERE)).u16(0);
    fields.0
}

/// The length of an archive with these files.
pub(super) fn length_of<'a>(entries: impl Iterator<Item = &'a Entry>) -> u64 {
    let (mut count, mut offset, mut directory) = (0_u64, 0_u64, 0_u64);
    for entry in entries {
        let header = entry.central_header(Written { offset, crc32: 0 });
        directory = directory.saturating_add(header.len() as u64);
        offset = offset.saturating_add(entry.length());
        count = count.saturating_add(1);
    }
    let end = end(count, offset, directory).len() as u64;
    offset.saturating_add(directory).saturating_add(end)
}

/// Numbers in the order of bytes that the format has.
#[derive(Default)]
struct Fields(Vec<u8>);

impl Fields {
    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn u16(&mut self, number: u16) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    fn u32(&mut self, number: u32) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    fn u64(&mut self, number: u64) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }
}

/// Names and extra fields are far shorter than the format allows.
fn length_16(bytes: &[u8]) -> u16 {
    u16::try_from(bytes.len()).unwrap_or(u16::MAX)
}

/// Time and date as MS-DOS had them, of years that it knew.
fn dos_time(moment: Timestamp) -> [u8; 4] {
    let text = moment.to_string();
    let part = |range: std::ops::Range<usize>| -> u16 {
        text.get(range).and_then(|digits| digits.parse().ok()).unwrap_or(0)
    };
    let (month, day) = (part(5..7), part(8..10));
    let (hour, minute, second) = (part(11..13), part(14..16), part(17..19));
    let years = dos_year(moment).saturating_sub(1980);
    let date = years << 9 | month << 5 | day;
    let time = hour << 11 | minute << 5 | (second / 2);
    let ([t0, t1], [d0, d1]) = (time.to_le_bytes(), date.to_le_bytes());
    [t0, t1, d0, d1]
}

fn year(moment: Timestamp) -> u16 {
    u16::try_from(moment.year_month().0).unwrap_or(0)
}

/// The nearest year that MS-DOS knew.
fn dos_year(moment: Timestamp) -> u16 {
    year(moment).clamp(1980, 2107)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn entry(size: u64) -> Entry {
        let uploaded = Timestamp::from_millis(1_754_040_262_159);
        Entry::new("é.jpg".to_owned(), size, Moment::at(uploaded, 0))
    }

    #[test]
    fn what_fits_is_written_as_every_program_knows_it() {
        let small = entry(1000);
        assert_eq!(small.local_header().len(), 30 + "é.jpg".len() + 9);
        assert_eq!(small.descriptor(0).len(), 16);
        assert_eq!(end(65_534, 4 * GIB - 2, 1000).len(), 22);
    }

    #[test]
    fn what_does_not_fit_is_written_in_64_bits() {
        let large = entry(4 * GIB);
        assert_eq!(large.local_header().len(), 30 + "é.jpg".len() + 9 + 20);
        assert_eq!(large.descriptor(0).len(), 24);
        let far = Written { offset: 4 * GIB, crc32: 7 };
        assert_eq!(
            entry(1).central_header(far).len() - entry(1).central_header(Written::default()).len(),
            12
        );
        for (entries, offset, size) in [(65_535, 0, 0), (1, 4 * GIB, 0), (1, 0, 4 * GIB)] {
            assert_eq!(end(entries, offset, size).len(), 22 + 56 + 20);
        }
    }

    #[test]
    fn times_are_what_the_clock_showed() {
        // 2025-08-01, 09:24:22.
        let [t0, t1, d0, d1] = dos_time(Timestamp::from_millis(1_754_040_262_159));
        assert_eq!(u16::from_le_bytes([d0, d1]), 45 << 9 | 8 << 5 | 1);
        assert_eq!(u16::from_le_bytes([t0, t1]), 9 << 11 | 24 << 5 | 11);
        assert_eq!(dos_time(Timestamp::EPOCH), [0, 0, 0b0010_0001, 0]);
    }

    #[test]
    fn the_moment_in_utc_is_told_where_it_is_known() {
        let extra = |clock: &str, utc: Option<&str>| {
            let time = |text: &str| text.parse::<Timestamp>().unwrap();
            let modified = Moment { clock: time(clock), utc: utc.map(time) };
            Entry { name: String::new(), size: 0, modified }.time_extra()
        };
        let field = |seconds: i32| [&[0x55, 0x54, 5, 0, 1], &seconds.to_le_bytes()[..]].concat();
        let tokyo = extra("2025-08-01T18:24:22.000Z", Some("2025-08-01T09:24:22.000Z"));
        assert_eq!(tokyo, field(1_754_040_262));
        assert_eq!(extra("2025-08-01T09:24:22.000Z", None), Vec::<u8>::new());
        // Only this field can say these.
        assert_eq!(extra("1969-12-31T23:59:59.000Z", None), field(-1));
        // Only the other one can say that.
        assert_eq!(
            extra("2099-01-01T00:00:00.000Z", Some("2099-01-01T00:00:00.000Z")),
            Vec::<u8>::new()
        );
    }
}
