//! Rows that make words findable, and their exchange in one step.
//!
//! The words of an image, or of its tags, are kept twice: in a row that is the truth, which is the
//! image itself or the summary of its tags, and as one entry row per word, which the `words` index
//! turns round. Readers believe an entry only if the truth confirms it. So when there are more
//! entries than a transaction can hold, new ones may be written before the truth changes and old
//! ones removed after it, and still everything appears to change at once. Each of these steps
//! checks that nobody else has changed the truth meanwhile; what is left behind when one stops is
//! never seen. An entry that becomes visible in more places changes before the truth, too, and one
//! that becomes visible in fewer after it. Entries of words that a text no longer has need not even
//! be removed then, see `gone_words.rs`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::{Image, ImageId};
use table::{
    Action, Change, Condition, Effect, Item, Key, TRANSACTION_ACTIONS_MAX, Table, Transacted,
    VERSION,
};

use crate::places::word_and_image;
use crate::{Catalog, Error, Result};

/// Entry rows by key.
pub(crate) type Entries = BTreeMap<Key, Item>;

/// Changes of the truth, together with the entries that follow from them.
#[derive(Default)]
pub(crate) struct Swap {
    guards: Vec<Action>,
    /// Entries that were not there before, or not in all their places.
    added: Vec<Action>,
    /// Entries that were there and look different now, or stand in fewer places.
    altered: Vec<Action>,
    removed: Vec<Action>,
}

impl Swap {
    /// Adds a change of the truth. Refusals count these, in the order they were added.
    pub(crate) fn guard(&mut self, action: Action) {
        self.guards.push(action);
    }

    /// Adds the exchange of some entries for others.
    pub(crate) fn exchange(&mut self, before: &Entries, after: Entries) {
        let gone = before.keys().filter(|key| !after.contains_key(*key)).cloned();
        self.removed.extend(gone.map(Action::delete));
        for (key, item) in after {
            match before.get(&key) {
                None => self.added.push(Action::put(item)),
                Some(old) if has_more_attributes(&item, old) => self.added.push(Action::put(item)),
                Some(old) if *old != item => self.altered.push(Action::put(item)),
                Some(_) => {}
            }
        }
    }

    /// Makes the change, unless a guard's condition does not hold.
    pub(crate) async fn run(self, table: &dyn Table) -> Result<Transacted> {
        let Self { mut guards, added, altered, removed } = self;
        let entries = added.len() + altered.len() + removed.len();
        if guards.len() + entries <= TRANSACTION_ACTIONS_MAX {
            guards.extend(added.into_iter().chain(altered).chain(removed));
            return Ok(table.transact(guards).await?);
        }
        let unchanged: Vec<(usize, Action)> = guards
            .iter()
            .enumerate()
            .filter_map(|(n, guard)| Some((n, as_it_was(guard)?)))
            .collect();
        if let Some(refused) = in_chunks(table, &unchanged, added).await? {
            return Ok(refused);
        }
        let written: Vec<(usize, Action)> = guards
            .iter()
            .enumerate()
            .filter_map(|(n, guard)| Some((n, as_written(guard)?)))
            .collect();
        let mut altered = altered.into_iter();
        let room = TRANSACTION_ACTIONS_MAX - guards.len();
        guards.extend(altered.by_ref().take(room));
        let outcome = table.transact(guards).await?;
        if outcome.is_done() {
            // The change is made; what cannot be cleared away now is never seen.
            let _ = in_chunks(table, &written, altered.chain(removed).collect()).await;
        }
        Ok(outcome)
    }
}

/// Whether an entry has all attributes of another one, and further ones.
fn has_more_attributes(item: &Item, old: &Item) -> bool {
    let has_all = old.attributes.keys().all(|name| item.attributes.contains_key(name));
    has_all && item.attributes.len() > old.attributes.len()
}

/// Makes the changes in as many transactions as it takes, each under the same checks.
/// Returns the refusal, counted as the guards are, if a check stops it.
async fn in_chunks(
    table: &dyn Table,
    checks: &[(usize, Action)],
    actions: Vec<Action>,
) -> Result<Option<Transacted>> {
    for chunk in actions.chunks(TRANSACTION_ACTIONS_MAX - checks.len()) {
        let checked = checks.iter().map(|(_, check)| check).chain(chunk).cloned().collect();
        if let Transacted::Refused(mut refusals) = table.transact(checked).await? {
            for refusal in &mut refusals {
                refusal.action = checks.get(refusal.action).map_or(refusal.action, |(n, _)| *n);
            }
            return Ok(Some(Transacted::Refused(refusals)));
        }
    }
    Ok(None)
}

/// The check that a guard would still go through.
fn as_it_was(guard: &Action) -> Option<Action> {
    let check =
        Action { conditions: guard.conditions.clone(), ..Action::check(guard.key().clone()) };
    (!check.conditions.is_empty()).then_some(check)
}

/// The check that what a guard has written is still there.
fn as_written(guard: &Action) -> Option<Action> {
    let check = Action::check(guard.key().clone());
    match &guard.effect {
        Effect::Delete(_) => Some(check.when(Condition::Absent)),
        Effect::Update(_, changes) => changes.iter().find_map(|change| match change {
            Change::Set(name, version) if name == VERSION => {
                Some(check.clone().when(Condition::equals(VERSION, version.clone())))
            }
            _ => None,
        }),
        Effect::Put(_) | Effect::Check(_) => None,
    }
}

/// An entry that counts, and the image it leads to.
pub(crate) struct Hit {
    pub(crate) image: Image,
    pub(crate) word: String,
}

impl Catalog {
    /// The entries at these places that count: those that their image's summary confirms, of
    /// images that can be seen, and of several matching words of one image only the first,
    /// so that no image comes twice, not even on another page.
    pub(crate) async fn confirm_entries(
        &self,
        places: &[String],
        summary_of: impl Fn(ImageId) -> Key,
        words_of: impl Fn(&Item) -> Vec<&str>,
        matches: impl Fn(&str) -> bool,
    ) -> Result<Vec<Hit>> {
        let entries =
            places.iter().map(|place| word_and_image(place)).collect::<Result<Vec<_>>>()?;
        let ids: BTreeSet<ImageId> = entries.iter().map(|(_, image)| *image).collect();
        let ids: Vec<ImageId> = ids.into_iter().collect();
        let summary_keys: Vec<Key> = ids.iter().copied().map(&summary_of).collect();
        let summaries: HashMap<Key, Item> = self
            .load_rows(&summary_keys)
            .await?
            .into_iter()
            .map(|item| (item.key.clone(), item))
            .collect();
        let images = self.find_images(&ids).await?;
        let images: HashMap<ImageId, Image> =
            images.into_iter().filter(Image::is_visible).map(|image| (image.id, image)).collect();
        let hits = entries.into_iter().filter_map(|(word, image)| {
            let summary = summaries.get(&summary_of(image))?;
            let first = words_of(summary).into_iter().filter(|word| matches(word)).min()?;
            let image = images.get(&image).filter(|_| first == word)?;
            Some(Hit { image: image.clone(), word: word.to_owned() })
        });
        Ok(hits.collect())
    }
}

/// The image whose partition a row is in.
pub(crate) fn image_of(key: &Key) -> Result<ImageId> {
    let id = key.pk.strip_prefix("IMAGE#").unwrap_or_default();
    id.parse().map_err(|error| Error::bad_row(key, error))
}
