//! The words an image is found by.

use std::collections::BTreeSet;

use model::{Image, Term, UserId};
use table::{Action, Item, Query};

use crate::entries::{Entries, SUMMARY_WORDS, Swap, summary_words, words_of};
use crate::paging::collect;
use crate::schema::{WORDS, WORDS_PK, WORDS_SK};
use crate::{Catalog, Listed, PageRequest, Result, keys};

/// An image found by a word.
#[derive(Clone, Debug, PartialEq)]
pub struct TermHit {
    /// The image, as it is now.
    pub image: Image,
    /// The word it was found by.
    pub term: String,
}

impl Catalog {
    /// A user's images that have a word beginning with this, from the last such word of the
    /// alphabet to the first, and newest first for each. No image comes twice.
    pub async fn list_images_by_term_prefix(
        &self,
        owner: UserId,
        prefix: &str,
        page: &PageRequest,
    ) -> Result<Listed<TermHit>> {
        let Some(prefix) = Term::search_prefix(prefix) else {
            return Ok(Listed { entries: Vec::new(), next: None });
        };
        let prefix = prefix.as_str();
        self.list_term_hits(owner, prefix.to_owned(), page, |word| word.starts_with(prefix)).await
    }

    /// A user's images that have exactly this word, newest first.
    pub async fn list_images_by_term(
        &self,
        owner: UserId,
        term: &Term,
        page: &PageRequest,
    ) -> Result<Listed<TermHit>> {
        let place = keys::word_place(term.as_str(), "");
        self.list_term_hits(owner, place, page, |word| word == term.as_str()).await
    }

    async fn list_term_hits(
        &self,
        owner: UserId,
        place: String,
        page: &PageRequest,
        matches: impl Fn(&str) -> bool + Copy,
    ) -> Result<Listed<TermHit>> {
        let query = Query::index(WORDS, keys::term_words(owner)).prefix(place).descending();
        collect(&*self.table, query, page, |found| async move {
            let hits = self.confirm_entries(found, keys::term_summary, words_of, matches).await?;
            Ok(hits.into_iter().map(|hit| TermHit { image: hit.image, term: hit.word }).collect())
        })
        .await
    }
}

/// Adds the exchange of an image's terms to a swap whose guards change the image itself.
pub(crate) fn exchange_terms(swap: &mut Swap, summary: Option<&Item>, image: &Image) {
    let after = terms_of(image);
    let before: BTreeSet<&str> = summary.into_iter().flat_map(words_of).collect();
    if before.iter().copied().eq(after.iter().map(Term::as_str)) {
        return;
    }
    let key = keys::term_summary(image.id);
    let words = summary_words(after.iter().map(Term::as_str));
    swap.guard(Action::update(key).set(SUMMARY_WORDS, words));
    let after = after.iter().map(Term::as_str);
    swap.exchange(&entries(image, before.into_iter()), entries(image, after));
}

/// The words of everything the owner wrote about the image.
fn terms_of(image: &Image) -> BTreeSet<Term> {
    let texts = [
        image.title.as_ref().map(|text| text.as_str()),
        image.description.as_ref().map(|text| text.as_str()),
        image.alt_text.as_ref().map(|text| text.as_str()),
        image.filename.as_ref().map(|text| text.as_str()),
    ];
    let tags = image.tags.iter().map(|tag| tag.as_str());
    texts.into_iter().flatten().chain(tags).flat_map(Term::all_in).collect()
}

fn entries<'w>(image: &Image, words: impl Iterator<Item = &'w str>) -> Entries {
    let Some(uploaded_at) = image.uploaded_at else { return Entries::new() };
    let rest = format!("{uploaded_at}#{}", image.id);
    words
        .map(|word| {
            let item = Item::new(keys::term_entry(image.id, word))
                .with(WORDS_PK, keys::term_words(image.owner))
                .with(WORDS_SK, keys::word_place(word, &rest));
            (item.key.clone(), item)
        })
        .collect()
}
