//! Rows that make words findable, and their exchange in one step.
//!
//! The words of an image, or of its tags, are kept twice: in a summary row, which is the
//! truth, and as one entry row per word, which the `words` index turns round. Readers
//! believe an entry only if the summary confirms it. So when there are more entries than a
//! transaction can hold, new ones may be written before the summary changes and old ones
//! removed after it, and still everything appears to change at once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::ImageId;
use table::{Action, Item, Key, Page, TRANSACTION_ACTIONS_MAX, Table, Transacted, Value};

use crate::schema::WORDS_SK;
use crate::{Catalog, Error, Result, keys};

/// The attribute of a summary row that lists its entries' words.
pub(crate) const SUMMARY_WORDS: &str = "words";

/// Entry rows by key.
pub(crate) type Entries = BTreeMap<Key, Item>;

/// Changes of the truth, together with the entries that follow from them.
#[derive(Default)]
pub(crate) struct Swap {
    guards: Vec<Action>,
    puts: Vec<Item>,
    deletes: Vec<Key>,
}

impl Swap {
    /// Adds a change of the truth. Refusals count these, in the order they were added.
    pub(crate) fn guard(&mut self, action: Action) {
        self.guards.push(action);
    }

    /// Adds the exchange of some entries for others.
    pub(crate) fn exchange(&mut self, before: &Entries, after: Entries) {
        let gone = before.keys().filter(|key| !after.contains_key(*key)).cloned();
        self.deletes.extend(gone);
        self.puts.extend(after.into_values().filter(|item| before.get(&item.key) != Some(item)));
    }

    /// Makes the change, unless a guard's condition does not hold.
    pub(crate) async fn run(self, table: &dyn Table) -> Result<Transacted> {
        let Self { mut guards, puts, deletes } = self;
        let puts = puts.into_iter().map(Action::put);
        let deletes = deletes.into_iter().map(Action::delete);
        if guards.len() + puts.len() + deletes.len() <= TRANSACTION_ACTIONS_MAX {
            guards.extend(puts.chain(deletes));
            return Ok(table.transact(guards).await?);
        }
        in_chunks(table, puts.collect()).await?;
        let outcome = table.transact(guards).await?;
        if outcome.is_done() {
            in_chunks(table, deletes.collect()).await?;
        }
        Ok(outcome)
    }
}

async fn in_chunks(table: &dyn Table, actions: Vec<Action>) -> Result<()> {
    for chunk in actions.chunks(TRANSACTION_ACTIONS_MAX) {
        let _ = table.transact(chunk.to_vec()).await?;
    }
    Ok(())
}

/// The value of [`SUMMARY_WORDS`].
pub(crate) fn summary_words<'w>(words: impl IntoIterator<Item = &'w str>) -> Value {
    let distinct: BTreeSet<&str> = words.into_iter().collect();
    Value::L(distinct.into_iter().map(Value::from).collect())
}

/// The words a summary row lists.
pub(crate) fn words_of(summary: &Item) -> impl Iterator<Item = &str> {
    let list = summary.get(SUMMARY_WORDS).and_then(Value::as_list).unwrap_or_default();
    list.iter().filter_map(Value::as_str)
}

/// An entry that a summary confirms.
pub(crate) struct Hit {
    pub(crate) image: ImageId,
    pub(crate) word: String,
}

impl Catalog {
    /// The entries of a page that count: those that their image's summary confirms, and of
    /// several matching words of one image only the first, so that no image comes twice,
    /// not even on another page.
    pub(crate) async fn confirm_entries(
        &self,
        page: Page,
        summary_of: impl Fn(ImageId) -> Key,
        matches: impl Fn(&str) -> bool,
    ) -> Result<Vec<Hit>> {
        let hits = page.items.iter().map(hit).collect::<Result<Vec<Hit>>>()?;
        let images: BTreeSet<ImageId> = hits.iter().map(|hit| hit.image).collect();
        let summary_keys: Vec<Key> = images.into_iter().map(&summary_of).collect();
        let summaries: HashMap<Key, Item> = self
            .load_rows(&summary_keys)
            .await?
            .into_iter()
            .map(|item| (item.key.clone(), item))
            .collect();
        let counts = |hit: &Hit| {
            let first = summaries
                .get(&summary_of(hit.image))
                .and_then(|summary| words_of(summary).filter(|word| matches(word)).min());
            first == Some(hit.word.as_str())
        };
        Ok(hits.into_iter().filter(counts).collect())
    }
}

fn hit(item: &Item) -> Result<Hit> {
    let bad = |message: &str| Error::bad_row(&item.key, message);
    let image = image_of(&item.key)?;
    let place = item.str(WORDS_SK).ok_or_else(|| bad("it has no word"))?;
    let word = keys::word_of(place).ok_or_else(|| bad("its word has no end"))?;
    Ok(Hit { image, word: word.to_owned() })
}

/// The image whose partition a row is in.
pub(crate) fn image_of(key: &Key) -> Result<ImageId> {
    let id = key.pk.strip_prefix("IMAGE#").unwrap_or_default();
    id.parse().map_err(|error| Error::bad_row(key, error))
}
