//! Searching among all that a caller may see, and completing what they write.

mod suggest;

use catalog::{Listed, PageRequest, Search, SearchOrder};
use model::{Image, SearchQuery};

pub use suggest::{Suggestion, SuggestionKind};

use crate::{Caller, Result, Scope, Service};

impl Service {
    /// Images that the caller may see and that pass a search: their own, what others share, and
    /// what is in albums that they see. A page may be short, or even empty, although more follows.
    ///
    /// # Errors
    /// When the caller's key does not allow it, or the cursor is wrong.
    pub async fn search_images(
        &self,
        caller: &Caller,
        query: &SearchQuery,
        order: SearchOrder,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        caller.require(Scope::Read)?;
        let sees_exif = self.settings().share_exif;
        let search = Search { user: caller.user, query, order, sees_exif };
        let Listed { entries, next } = self.catalog().search_images(&search, page).await?;
        let shown = entries.into_iter().map(|image| self.as_shown_to(caller, image));
        Ok(Listed { entries: shown.collect(), next })
    }
}
