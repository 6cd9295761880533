//! Where entries stand in an index. What is looked for is often said by the place alone, and then
//! the entry itself, which lies somewhere else, need not be read.

use model::ImageId;
use table::{Item, NextKey, Query, SortValue, Table, Value};

use crate::schema::{CONTAINER, CONTAINER_SK, GLOBAL, GLOBAL_SK, OWNER, OWNER_SK, WORDS, WORDS_SK};
use crate::search::Position;
use crate::{Error, Result, keys};

/// What the embedded engine reads without changing threads.
pub(crate) const READ_MAX: usize = 100;

/// Where the items of a query stand in its index, and where the next page starts. Engines that know
/// this without the items themselves are asked for no more than they know at once.
pub(crate) async fn read_places(
    table: &dyn Table,
    index: &'static str,
    query: Query,
) -> table::Result<(Vec<String>, Option<NextKey>)> {
    let few = query.limit.min(READ_MAX);
    if let Some(page) = table.query_places(&query.clone().limit(few)).await? {
        let text = |place| match place {
            SortValue::S(text) => Some(text),
            SortValue::N(_) => None,
        };
        return Ok((page.places.into_iter().filter_map(text).collect(), page.next));
    }
    let page = table.query(&query).await?;
    Ok((page.items.iter().filter_map(|item| sort_text(item, index)).collect(), page.next))
}

/// Where an item stands in an index.
pub(crate) fn sort_text(item: &Item, index: &'static str) -> Option<String> {
    let attribute = match index {
        OWNER => OWNER_SK,
        CONTAINER => CONTAINER_SK,
        GLOBAL => GLOBAL_SK,
        WORDS => WORDS_SK,
        _ => return None,
    };
    match item.attributes.value(attribute) {
        Some(Value::S(place)) => Some(place),
        _ => None,
    }
}

/// The word of an image's entry, and the image, as its place in the index of words says them.
pub(crate) fn word_and_image(place: &str) -> Result<(&str, ImageId)> {
    let bad = || Error::bad_place(place);
    let (word, position) = keys::split_word(place).ok_or_else(bad)?;
    let position = Position::at_start_of(position).ok_or_else(bad)?;
    Ok((word, position.image()?))
}
