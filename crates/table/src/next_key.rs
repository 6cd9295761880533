use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::{Direction, Error, Key, Number, Query, Result, Scan, SortRange, SortValue};

/// Where a page ended, sealed to the query it came from.
///
/// The seal detects keys that were damaged or that belong to another query. It is not
/// secret: whoever hands next keys to strangers signs them as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextKey(String);

/// The last item of a page, in the order of its query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The item's primary key.
    pub key: Key,
    /// The item's sort value in the index, for a query of an index.
    pub index_sort: Option<SortValue>,
}

const FORMAT: u8 = 1;
const SEAL_BYTES: usize = 8;

impl NextKey {
    /// The key of the page that follows `position` in `query`.
    pub fn seal(query: &Query, position: &Position) -> Self {
        Self::seal_with(&query_identity(query), position)
    }

    /// The key of the page that follows `position` in a scan.
    pub fn seal_scan(position: &Position) -> Self {
        Self::seal_with(&scan_identity(), position)
    }

    /// Where `query` goes on, if it does not start at its beginning.
    ///
    /// # Errors
    /// [`Error::BadNextKey`] when its next key is damaged or of another query.
    pub fn open(query: &Query) -> Result<Option<Position>> {
        let Some(start) = &query.start else { return Ok(None) };
        let position = start.open_with(&query_identity(query))?;
        let sort = match (query.index, &position.index_sort) {
            (Some(_), Some(sort)) => sort.clone(),
            (None, None) if position.key.pk == query.partition => {
                SortValue::S(position.key.sk.clone())
            }
            _ => return Err(Error::BadNextKey),
        };
        if query.range.contains(&sort) { Ok(Some(position)) } else { Err(Error::BadNextKey) }
    }

    /// Where `scan` goes on, if it does not start at its beginning.
    ///
    /// # Errors
    /// [`Error::BadNextKey`] when its next key is damaged or not of a scan.
    pub fn open_scan(scan: &Scan) -> Result<Option<Key>> {
        let Some(start) = &scan.start else { return Ok(None) };
        let position = start.open_with(&scan_identity())?;
        Ok(Some(position.key))
    }

    /// The key as URL-safe text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A key from its text; whether it is genuine shows when it is used.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    fn seal_with(identity: &[u8], position: &Position) -> Self {
        let mut bytes = vec![FORMAT];
        write_text(&mut bytes, &position.key.pk);
        write_text(&mut bytes, &position.key.sk);
        match &position.index_sort {
            None => bytes.push(0),
            Some(sort) => write_sort(&mut bytes, sort),
        }
        let seal = seal_of(identity, &bytes);
        bytes.extend(seal);
        Self(URL_SAFE_NO_PAD.encode(bytes))
    }

    fn open_with(&self, identity: &[u8]) -> Result<Position> {
        let bytes = URL_SAFE_NO_PAD.decode(&self.0).map_err(|_| Error::BadNextKey)?;
        let body = bytes.len().checked_sub(SEAL_BYTES).ok_or(Error::BadNextKey)?;
        let (body, seal) = bytes.split_at_checked(body).ok_or(Error::BadNextKey)?;
        if seal != seal_of(identity, body) {
            return Err(Error::BadNextKey);
        }
        read_position(body).ok_or(Error::BadNextKey)
    }
}

fn seal_of(identity: &[u8], body: &[u8]) -> [u8; SEAL_BYTES] {
    let digest = Sha256::new().chain_update(identity).chain_update(body).finalize();
    let mut seal = [0; SEAL_BYTES];
    seal.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
    seal
}

/// Everything that makes two queries the same list of items. The limit does not: pages of
/// one list may differ in size.
fn query_identity(query: &Query) -> Vec<u8> {
    let mut bytes = vec![b'Q'];
    write_text(&mut bytes, query.index.unwrap_or_default());
    write_text(&mut bytes, &query.partition);
    match &query.range {
        SortRange::All => bytes.push(b'*'),
        SortRange::Prefix(prefix) => {
            bytes.push(b'^');
            write_text(&mut bytes, prefix);
        }
        SortRange::Between(low, high) => {
            bytes.push(b'=');
            write_sort(&mut bytes, low);
            write_sort(&mut bytes, high);
        }
        SortRange::From(low) => {
            bytes.push(b'>');
            write_sort(&mut bytes, low);
        }
        SortRange::To(high) => {
            bytes.push(b'<');
            write_sort(&mut bytes, high);
        }
    }
    bytes.push(match query.direction {
        Direction::Ascending => b'a',
        Direction::Descending => b'd',
    });
    bytes
}

fn scan_identity() -> Vec<u8> {
    vec![b'S']
}

fn write_text(bytes: &mut Vec<u8>, text: &str) {
    // Key texts have at most 2,048 bytes; anything longer was refused before.
    bytes.extend(u32::try_from(text.len()).unwrap_or(u32::MAX).to_be_bytes());
    bytes.extend(text.as_bytes());
}

fn write_sort(bytes: &mut Vec<u8>, sort: &SortValue) {
    match sort {
        SortValue::S(text) => {
            bytes.push(b'S');
            write_text(bytes, text);
        }
        SortValue::N(number) => {
            bytes.push(b'N');
            write_text(bytes, &number.to_string());
        }
    }
}

fn read_position(body: &[u8]) -> Option<Position> {
    let (&format, mut rest) = body.split_first()?;
    if format != FORMAT {
        return None;
    }
    let pk = read_text(&mut rest)?;
    let sk = read_text(&mut rest)?;
    let (&kind, mut rest) = rest.split_first()?;
    let index_sort = match kind {
        b'S' => Some(SortValue::S(read_text(&mut rest)?)),
        b'N' => Some(SortValue::N(read_text(&mut rest)?.parse::<Number>().ok()?)),
        _ => None,
    };
    rest.is_empty().then_some(Position { key: Key { pk, sk }, index_sort })
}

fn read_text(rest: &mut &[u8]) -> Option<String> {
    let (length, tail) = rest.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (text, tail) = tail.split_at_checked(length)?;
    *rest = tail;
    String::from_utf8(text.to_vec()).ok()
}
