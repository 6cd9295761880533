//! What a link shows: the one place that knows how each kind of target is read.

use catalog::{Listed, Order, PageRequest, Search, SearchOrder};
use model::limits::PAGE_MAX;
use model::{Album, AlbumId, Description, Image, ImageId, LinkTarget, SearchQuery, SearchText};

use super::{Guest, NO_LINK};
use crate::{Error, Result, Service};

/// What a link shows, in a few words.
#[derive(Clone, Debug)]
pub struct Shown {
    /// What it is called: by the link, or by what it shows.
    pub title: Option<String>,
    /// What its owner says about it.
    pub description: Option<Description>,
    /// The image that stands for it, if there is one.
    pub cover: Option<Image>,
    /// How many images it shows.
    pub count: ShownCount,
}

/// How many images a link shows. Large numbers are not counted, since each page would be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownCount {
    /// So many.
    Exactly(usize),
    /// More than this.
    MoreThan(usize),
}

const NO_IMAGE: Error = Error::NotFound { what: "image" };

impl Service {
    /// What a link shows, in a few words.
    ///
    /// # Errors
    /// [`Error::NotFound`] if that is no more, which looks as if there were no link.
    pub async fn show_guest(&self, guest: &Guest) -> Result<Shown> {
        let own = guest.link().title.as_ref().map(ToString::to_string);
        if let LinkTarget::Image(image) = guest.link().target {
            let image = self.load_guest_image(guest, image).await.map_err(as_no_link)?;
            let title = own.or_else(|| image.title.as_ref().map(ToString::to_string));
            let (description, count) = (image.description.clone(), ShownCount::Exactly(1));
            return Ok(Shown { title, description, cover: Some(image), count });
        }
        let first = self.list_guest_images(guest, &PageRequest::first(PAGE_MAX)).await?;
        let count = match first.next {
            None => ShownCount::Exactly(first.entries.len()),
            Some(_) => ShownCount::MoreThan(first.entries.len()),
        };
        let mut shown = Shown { title: own, description: None, cover: None, count };
        if let LinkTarget::Album(album) = guest.link().target {
            let album = self.shown_album(guest, album).await?;
            shown.title = shown.title.or_else(|| Some(album.title.to_string()));
            shown.description = album.description;
            if let Some(cover) = album.cover {
                let cover = self.catalog().find_image_in_album(album.id, cover).await?;
                shown.cover = cover.map(as_shown_to_guests);
            }
        }
        shown.cover = shown.cover.or_else(|| first.entries.into_iter().find(has_picture));
        Ok(shown)
    }

    /// The images that a link shows now, in the order of the album, or the newest first.
    ///
    /// # Errors
    /// [`Error::NotFound`] if what it shows is no more, [`Error::BadCursor`].
    pub async fn list_guest_images(
        &self,
        guest: &Guest,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        let Listed { entries, next } = self.list_linked_images(guest, page).await?;
        Ok(Listed { entries: entries.into_iter().map(as_shown_to_guests).collect(), next })
    }

    /// The same as their owner knows them; see [`given_to_guest`](Self::given_to_guest).
    pub(crate) async fn list_linked_images(
        &self,
        guest: &Guest,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        Ok(match &guest.link().target {
            LinkTarget::Image(image) => {
                let image = self.find_linked_image(guest, *image).await?.ok_or(NO_LINK)?;
                Listed { entries: vec![image], next: None }
            }
            LinkTarget::Album(album) => {
                let album = self.shown_album(guest, *album).await?;
                self.catalog().list_album_images(album.id, album.sort, Order::Newest, page).await?
            }
            LinkTarget::Search(text) => self.list_found(guest, text, page).await?,
        })
    }

    /// An image that a link shows as a guest gets it to keep, and whether that is its original: then
    /// they get what the camera wrote, too, for it stands in the file.
    pub(crate) fn given_to_guest(&self, guest: &Guest, image: Image) -> (Image, bool) {
        let original = self.gets_original(guest, &image);
        (if original { image } else { as_shown_to_guests(image) }, original)
    }

    /// One of the images that a link shows now.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is none of them.
    pub async fn load_guest_image(&self, guest: &Guest, image: ImageId) -> Result<Image> {
        let found = self.find_linked_image(guest, image).await?;
        found.map(as_shown_to_guests).ok_or(NO_IMAGE)
    }

    async fn find_linked_image(&self, guest: &Guest, image: ImageId) -> Result<Option<Image>> {
        let found = match &guest.link().target {
            LinkTarget::Image(shown) if *shown == image => self.catalog().find_image(image).await?,
            LinkTarget::Image(_) => None,
            LinkTarget::Album(album) => {
                let album = self.shown_album(guest, *album).await?;
                self.catalog().find_image_in_album(album.id, image).await?
            }
            LinkTarget::Search(text) => self.find_found(guest, text, image).await?,
        };
        Ok(found.filter(Image::is_visible))
    }

    async fn shown_album(&self, guest: &Guest, album: AlbumId) -> Result<Album> {
        let found = self.catalog().find_album(album).await?;
        found.filter(|album| album.owner == guest.link().owner).ok_or(NO_LINK)
    }

    /// What a search finds now of the images of the link's owner. One that finds little among much
    /// is gone on with a few times, and then a page may be short although more follows.
    async fn list_found(
        &self,
        guest: &Guest,
        text: &SearchText,
        page: &PageRequest,
    ) -> Result<Listed<Image>> {
        let query = own_of(text)?;
        let search = self.search_of(guest, &query);
        let (mut page, mut entries) = (page.clone(), Vec::new());
        let limit = page.limit;
        for _ in 0..READS_MAX {
            page.limit = limit.saturating_sub(entries.len());
            let found = self.catalog().search_images(&search, &page).await?;
            entries.extend(found.entries);
            page.cursor = found.next;
            if page.cursor.is_none() || entries.len() >= limit {
                break;
            }
        }
        Ok(Listed { entries, next: page.cursor })
    }

    /// The same, of one image.
    async fn find_found(
        &self,
        guest: &Guest,
        text: &SearchText,
        image: ImageId,
    ) -> Result<Option<Image>> {
        let query = own_of(text)?;
        Ok(self.catalog().find_searched_image(&self.search_of(guest, &query), image).await?)
    }

    /// By the link's owner: what they know of their images decides what is found.
    fn search_of<'s>(&self, guest: &Guest, query: &'s SearchQuery) -> Search<'s> {
        let sees_exif = self.settings().share_exif;
        Search { user: guest.link().owner, query, order: SearchOrder::Newest, sees_exif }
    }
}

/// As for lists of tagged images.
const READS_MAX: usize = 10;

/// A search among the images of who searches. What others share with them is not theirs to show.
pub(super) fn own_of(text: &SearchText) -> Result<SearchQuery> {
    let query: SearchQuery = text.as_str().parse()?;
    Ok(query.only_own())
}

/// Without what is its owner's business: where and by what it was taken, their tags, and what went
/// wrong with it.
fn as_shown_to_guests(mut image: Image) -> Image {
    image.exif = None;
    image.hide_taken();
    image.hide_written(false);
    image.error = None;
    image.failure_code = None;
    image.external = None;
    image.tags = Vec::new();
    image
}

fn has_picture(image: &Image) -> bool {
    !image.renditions.is_empty()
}

fn as_no_link(error: Error) -> Error {
    match error {
        Error::NotFound { .. } => NO_LINK,
        error => error,
    }
}
