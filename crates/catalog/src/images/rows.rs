//! All rows of an image at once, for tables that are filled in bulk.

use model::Image;
use table::Item;

use super::image_row;
use crate::entries::Swap;
use crate::{Result, keys, schema, tags, terms};

/// The rows that an image has when it was uploaded and tagged by its owner in the usual way: its
/// own, the words and tags that it is found by, and the month of the feed if it is in there.
///
/// They are for a table that has none of them yet. Nothing is said of quotas, checksums, changes
/// or work.
///
/// # Errors
/// When the image cannot be written as a row.
pub fn rows_of_image(image: &Image) -> Result<Vec<Item>> {
    let mut swap = Swap::default();
    terms::exchange_terms(&mut swap, None, image);
    tags::exchange_first_tags(&mut swap, image);
    let mut rows = swap.into_rows(&schema())?;
    rows.push(image_row(image)?);
    if super::is_in_feed(image)
        && let Some(uploaded_at) = image.uploaded_at
    {
        rows.push(Item::new(keys::feed_month(&keys::month_of(uploaded_at))));
    }
    Ok(rows)
}
