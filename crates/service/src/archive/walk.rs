//! What goes into an archive, one after the other, as it is asked for: lists are read page by page,
//! so that of a library however large only one page is in memory, and the names that are taken.

use std::collections::VecDeque;

use blob::BlobKey;
use catalog::{Listed, Order, PageRequest, SearchOrder};
use futures::stream::{self, BoxStream};
use model::limits::PAGE_MAX;
use model::{AlbumId, Image, ImageId, SearchQuery};

use super::Folders;
use super::files::{File, name_of};
use super::missing::{self, Missing, Why};
use super::names::Names;
use super::when::Moment;
use super::zip::Entry;
use crate::images::OwnedBy;
use crate::{Caller, Error, Guest, Result, Service};

/// Something that belongs into an archive.
pub(super) enum Content {
    File(BlobKey, Entry),
    Missing(Missing),
}

/// Which images, and who sees them.
pub(super) enum Source {
    Library(Caller),
    Search(Caller, Box<SearchQuery>),
    Chosen(Caller, VecDeque<ImageId>),
    Albums(Caller, Vec<OpenAlbum>),
    Guest(Guest),
}

/// An album whose images are still to be listed, and the folder they stand in.
pub(super) struct OpenAlbum {
    pub(super) album: AlbumId,
    pub(super) folder: String,
}

pub(super) struct Walk {
    service: Service,
    source: Source,
    folders: Folders,
    names: Names,
    ready: VecDeque<Content>,
    /// The next page of the list that is being read, if there is one.
    page: Option<PageRequest>,
}

impl Walk {
    pub(super) fn new(service: &Service, source: Source, folders: Folders) -> Self {
        let mut names = Names::default();
        // Nothing else may be called so.
        names.give("", missing::NAME);
        let page = Some(PageRequest::first(PAGE_MAX));
        Self { service: service.clone(), source, folders, names, ready: VecDeque::new(), page }
    }

    pub(super) fn run(self) -> BoxStream<'static, Result<Content>> {
        let contents = stream::try_unfold(self, |mut walk| async move {
            Ok(walk.next().await?.map(|content| (content, walk)))
        });
        Box::pin(contents)
    }

    async fn next(&mut self) -> Result<Option<Content>> {
        loop {
            if let Some(content) = self.ready.pop_front() {
                return Ok(Some(content));
            }
            let more = match &mut self.source {
                Source::Chosen(caller, ids) => {
                    let ids = ids.drain(..ids.len().min(PAGE_MAX)).collect();
                    let caller = caller.clone();
                    self.read_chosen(&caller, ids).await?
                }
                Source::Albums(..) => self.read_album().await?,
                _ => self.read_list().await?,
            };
            if !more {
                return Ok(None);
            }
        }
    }

    async fn read_list(&mut self) -> Result<bool> {
        let Some(page) = self.page.take() else { return Ok(false) };
        let listed = self.list(&page).await?;
        self.take_in(listed, None);
        Ok(true)
    }

    async fn list(&self, page: &PageRequest) -> Result<Listed<Image>> {
        let service = &self.service;
        match &self.source {
            Source::Library(caller) => {
                service.list_images(caller, OwnedBy::Me, Order::Newest, page).await
            }
            Source::Search(caller, query) => {
                service.search_images(caller, query, SearchOrder::Newest, page).await
            }
            Source::Guest(guest) => service.list_linked_images(guest, page).await,
            Source::Chosen(..) | Source::Albums(..) => {
                Ok(Listed { entries: Vec::new(), next: None })
            }
        }
    }

    async fn read_chosen(&mut self, caller: &Caller, ids: Vec<ImageId>) -> Result<bool> {
        let mut found = self.service.find_seen(caller, &ids).await?.into_iter().peekable();
        for id in &ids {
            // They are in the order of the ids.
            match found.next_if(|image| image.id == *id) {
                Some(image) => self.add(image, None),
                None => self.gone(id.to_string()),
            }
        }
        Ok(!ids.is_empty())
    }

    /// A page of the album that is open; behind its last one come the albums nested in it.
    async fn read_album(&mut self) -> Result<bool> {
        let Source::Albums(caller, albums) = &mut self.source else { return Ok(false) };
        let Some(OpenAlbum { album, folder }) = albums.pop() else { return Ok(false) };
        let caller = caller.clone();
        let page = self.page.take().unwrap_or_else(|| PageRequest::first(PAGE_MAX));
        let listed = self.service.list_album_images(&caller, album, None, Order::Newest, &page);
        match listed.await {
            Ok(listed) => {
                self.take_in(listed, Some(&folder));
                if self.page.is_some() {
                    self.open(vec![OpenAlbum { album, folder }]);
                } else {
                    let nested = self.nested_in(&caller, album, &folder).await?;
                    self.open(nested);
                }
            }
            // It was deleted meanwhile, or is not shown any more.
            Err(Error::NotFound { .. }) => self.gone(format!("{folder}/")),
            Err(error) => return Err(error),
        }
        Ok(true)
    }

    fn open(&mut self, some: Vec<OpenAlbum>) {
        if let Source::Albums(_, albums) = &mut self.source {
            albums.extend(some.into_iter().rev());
        }
    }

    async fn nested_in(
        &mut self,
        caller: &Caller,
        album: AlbumId,
        folder: &str,
    ) -> Result<Vec<OpenAlbum>> {
        let mut nested = Vec::new();
        let mut page = PageRequest::first(PAGE_MAX);
        loop {
            let listed = match self.service.list_nested_albums(caller, album, &page).await {
                Err(Error::NotFound { .. }) => return Ok(nested),
                listed => listed?,
            };
            nested.extend(listed.entries.into_iter().map(|seen| {
                let folder = self.names.give_folder(folder, seen.album.title.as_str());
                OpenAlbum { album: seen.album.id, folder }
            }));
            page.cursor = listed.next;
            if page.cursor.is_none() {
                return Ok(nested);
            }
        }
    }

    fn take_in(&mut self, listed: Listed<Image>, folder: Option<&str>) {
        let Listed { entries, next } = listed;
        self.page = next.map(|next| PageRequest::after(PAGE_MAX, Some(next)));
        for image in entries {
            self.add(image, folder);
        }
    }

    fn add(&mut self, image: Image, folder: Option<&str>) {
        let (image, original) = self.given(image);
        let folder = match (folder, self.folders) {
            (Some(folder), _) => folder.to_owned(),
            (None, Folders::Month) => Moment::of(&image).folder(),
            (None, Folders::None) => String::new(),
        };
        self.ready.push_back(match File::of(&image, original) {
            Some(file) => {
                let name = self.names.give(&folder, &file.name);
                Content::File(file.key, Entry::new(name, file.size_bytes, file.modified))
            }
            None => {
                let name = self.names.give(&folder, &name_of(&image));
                Content::Missing(Missing { name, why: Why::NoFile })
            }
        });
    }

    fn gone(&mut self, name: String) {
        self.ready.push_back(Content::Missing(Missing { name, why: Why::Gone }));
    }

    /// An image as whoever downloads it may know it, and whether they get its original.
    fn given(&self, image: Image) -> (Image, bool) {
        match &self.source {
            Source::Guest(guest) => self.service.given_to_guest(guest, image),
            Source::Library(caller)
            | Source::Search(caller, _)
            | Source::Chosen(caller, _)
            | Source::Albums(caller, _) => {
                let original = self.service.gives_original(caller, &image);
                (image, original)
            }
        }
    }
}
