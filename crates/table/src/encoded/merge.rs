//! A map of attributes with some of them changed, without decoding the others.

use minicbor::Encoder;

use super::check::Entry;
use super::{encode_value, length};
use crate::Change;

/// Appends the map of these entries after some changes to `bytes`. `None` if a change must know
/// the value that is there, or comes twice.
pub(super) fn encode_changed<'b>(
    bytes: Vec<u8>,
    entries: impl Iterator<Item = Entry<'b>>,
    changes: &[Change],
) -> Option<Vec<u8>> {
    let mut changed = Vec::with_capacity(changes.len());
    for change in changes {
        changed.push(match change {
            Change::Set(name, value) => (name.as_bytes(), Some(value)),
            Change::Remove(name) => (name.as_bytes(), None),
            Change::Add(..) => return None,
        });
    }
    changed.sort_unstable_by_key(|(name, _)| *name);
    if changed.array_windows().any(|[(name, _), (next, _)]| name == next) {
        return None;
    }
    let stays = |entry: &Entry<'_>| changed.iter().all(|(name, _)| *name != entry.name);
    let kept: Vec<Entry<'_>> = entries.filter(stays).collect();
    let mut set = changed.iter().filter_map(|(name, value)| Some((*name, (*value)?))).peekable();
    let mut encoder = Encoder::new(bytes);
    encoder.map(length(kept.len() + set.clone().count())).ok()?;
    for entry in kept {
        while let Some((name, value)) = set.next_if(|(name, _)| *name < entry.name) {
            encoder.str(std::str::from_utf8(name).ok()?).ok()?;
            encode_value(&mut encoder, value).ok()?;
        }
        encoder.writer_mut().extend_from_slice(entry.bytes);
    }
    for (name, value) in set {
        encoder.str(std::str::from_utf8(name).ok()?).ok()?;
        encode_value(&mut encoder, value).ok()?;
    }
    Some(encoder.into_writer())
}
