//! The summary row of tags, which is the truth, and the entries that follow from it.

use std::collections::BTreeMap;

use model::{Image, ImageId, Tag, Visibility};
use serde::Deserialize;
use table::{Action, Condition, Item, VERSION};

use super::{ImageTags, TagVisibility};
use crate::entries::{Entries, Swap};
use crate::schema::{
    CONTAINER_PK, CONTAINER_SK, GLOBAL_PK, GLOBAL_SK, OWNER_PK, OWNER_SK, WORDS_PK, WORDS_SK,
};
use crate::{Catalog, Result, TagScope, keys, row};

/// The summary row of one scope's tags on one image.
pub(super) struct Summary {
    pub(super) image: ImageId,
    scope: TagScope,
    pub(super) weights: BTreeMap<Tag, i64>,
    /// The row's version; `None` if there is no row.
    version: Option<i64>,
}

impl Summary {
    pub(super) async fn load(catalog: &Catalog, image: ImageId, scope: TagScope) -> Result<Self> {
        let item = catalog.table.get(&keys::tag_summary(image, scope)).await?;
        Self::of(image, scope, item.as_ref())
    }

    pub(super) fn of(image: ImageId, scope: TagScope, item: Option<&Item>) -> Result<Self> {
        #[derive(Deserialize)]
        struct Fields {
            tags: BTreeMap<Tag, i64>,
        }
        let weights = match item {
            Some(item) => row::entity_of::<Fields>(item)?.tags,
            None => BTreeMap::new(),
        };
        Ok(Self { image, scope, weights, version: item.map(Item::version) })
    }

    pub(super) fn tags(&self) -> ImageTags {
        let visibility = |weight: i64| match weight {
            0 => TagVisibility::Private,
            _ => TagVisibility::Public,
        };
        ImageTags(self.weights.iter().map(|(tag, w)| (tag.clone(), visibility(*w))).collect())
    }

    /// Adds the exchange of these tags for others to a swap, where the image may change, too.
    pub(super) fn exchange(
        &self,
        swap: &mut Swap,
        after: &BTreeMap<Tag, i64>,
        image: &Image,
        image_after: &Image,
    ) {
        let is_same = *after == self.weights;
        if is_same && image.visibility == image_after.visibility {
            return;
        }
        let key = keys::tag_summary(self.image, self.scope);
        let unchanged = match self.version {
            Some(version) => Condition::version(version),
            None => Condition::Absent,
        };
        let action = if is_same {
            Action::check(key)
        } else if after.is_empty() {
            Action::delete(key)
        } else {
            Action::update(key).set(WEIGHTS, weights_value(after)).set(VERSION, self.next_version())
        };
        swap.guard(action.when(unchanged));
        swap.exchange(&self.entries(&self.weights, image), self.entries(after, image_after));
    }

    /// A row that comes back after it was gone must not look like the one before, so it
    /// begins anywhere.
    fn next_version(&self) -> i64 {
        self.version.map_or_else(|| i64::from(rand::random::<u32>()), |version| version + 1)
    }

    fn entries(&self, weights: &BTreeMap<Tag, i64>, image: &Image) -> Entries {
        let mut entries = Entries::new();
        let Some(uploaded_at) = image.uploaded_at else { return entries };
        let position = keys::position(uploaded_at, image.id);
        for (tag, weight) in weights {
            for ending in tag.endings() {
                let key = keys::tag_entry(self.image, self.scope, ending);
                let is_whole = weights.keys().any(|tag| tag.as_str() == ending);
                let entry = entries.entry(key.clone()).or_insert_with(|| {
                    Item::new(key)
                        .with(WORDS_PK, keys::tag_words(self.scope))
                        .with(WORDS_SK, keys::tag_place(ending, is_whole, &position))
                });
                if let Some(word) = Tag::first_word(ending) {
                    let place = keys::word_place(word, &position);
                    self.place_word(entry, &place, *weight, image);
                }
            }
            if self.scope == TagScope::Everyone {
                let key = keys::tag_entry(self.image, self.scope, tag.as_str());
                entries.entry(key).and_modify(|entry| {
                    entry.attributes.insert("authors".into(), (*weight).into());
                });
            }
        }
        entries
    }

    /// Where an entry is found by its word: public ones by those who may see the image, private
    /// ones by their author.
    fn place_word(&self, entry: &mut Item, place: &str, weight: i64, image: &Image) {
        let mut stand = |partition: &'static str, sort: &'static str, at: String| {
            entry.attributes.insert(partition.into(), at.into());
            entry.attributes.insert(sort.into(), place.into());
        };
        match self.scope {
            TagScope::Author(author) if weight == 0 => {
                stand(OWNER_PK, OWNER_SK, keys::term_words(author));
            }
            TagScope::Author(_) => {}
            TagScope::Everyone => {
                stand(CONTAINER_PK, CONTAINER_SK, keys::term_words(image.owner));
                if image.visibility == Visibility::Shared {
                    stand(GLOBAL_PK, GLOBAL_SK, keys::SHARED_TERMS.to_owned());
                }
            }
        }
    }
}

/// All rows of the owner's public tags, which are the only ones.
pub(crate) fn rows(image: &Image) -> Vec<Item> {
    let weights: BTreeMap<Tag, i64> = image.tags.iter().map(|tag| (tag.clone(), 1)).collect();
    if weights.is_empty() {
        return Vec::new();
    }
    let scopes = [TagScope::Author(image.owner), TagScope::Everyone];
    let rows = scopes.into_iter().flat_map(|scope| {
        let none = Summary { image: image.id, scope, weights: BTreeMap::new(), version: None };
        let summary = Item::new(keys::tag_summary(image.id, scope))
            .with(WEIGHTS, weights_value(&weights))
            .with(VERSION, none.next_version());
        std::iter::once(summary).chain(none.entries(&weights, image).into_values())
    });
    rows.collect()
}

fn weights_value(weights: &BTreeMap<Tag, i64>) -> table::Value {
    let tags = weights.iter().map(|(tag, weight)| (tag.as_str().into(), (*weight).into()));
    table::Value::M(tags.collect())
}

/// The tags of a summary row.
pub(crate) fn tags_of(summary: &Item) -> impl Iterator<Item = &str> {
    let tags = summary.get(WEIGHTS).and_then(table::Value::as_map);
    tags.into_iter().flat_map(|tags| tags.keys()).map(|tag| tag.as_str())
}

/// The attribute of a summary row that holds its tags: for an author 1 for a public tag
/// and 0 for a private one, for everyone the number of authors.
const WEIGHTS: &str = "tags";
