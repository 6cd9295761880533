//! Whether a search finds one image that somebody has named.

use model::{Image, ImageId};

use super::budget::Budget;
use super::confirm::Confirmer;
use super::names::Names;
use super::position::Position;
use super::reach::Reach;
use super::truth::Judge;
use super::{Search, SearchOrder, images_of};
use crate::{Catalog, Result, keys};

impl Catalog {
    /// The image of this id, if a search finds it. Asks its rows, and no index for images.
    pub async fn find_searched_image(
        &self,
        search: &Search<'_>,
        image: ImageId,
    ) -> Result<Option<Image>> {
        let found = self.find_image(image).await?;
        let Some(at) = found.and_then(|image| image.uploaded_at) else { return Ok(None) };
        let Some(position) = Position::at_start_of(&keys::position(at, image)) else {
            return Ok(None);
        };
        let Search { user, query, sees_exif, .. } = *search;
        let owners = self.owners_named(search).await?;
        let reach = Reach::load(self, user).await?;
        let tests = query.wanted.iter().chain(&query.unwanted);
        let names = Names::load(self, user, &reach, tests).await?;
        let judge = Judge { user, query, owners: &owners, sees_exif };
        let (reads_all, ranks) = (false, false);
        let order = SearchOrder::Newest;
        let mut confirmer = Confirmer { catalog: self, judge, names, reads_all, ranks, order };
        let mut budget = Budget::of(self.search_limits.units);
        let truths = confirmer.confirm(vec![position], &mut budget).await?;
        Ok(images_of(truths).into_iter().next())
    }
}
