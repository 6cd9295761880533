//! Any number of images in one file, and single files to be kept.
//!
//! An archive is made while it is sent: lists are read page by page and file after file is read from
//! the store as the receiver takes it. Nothing is written anywhere, and no file is ever in memory as
//! a whole. Of a few thousand files it is decided before the first byte what goes in, so that the
//! length is known; what is gone when its turn comes is named in a text at the end.

mod directory;
mod files;
mod missing;
mod names;
mod stream;
mod walk;
mod when;
mod zip;

use std::collections::HashSet;

use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use model::limits::ARCHIVE_CHOSEN_MAX;
use model::{AlbumId, Image, ImageId, LinkDownload, SearchQuery};

use self::files::File;
use self::missing::Why;
use self::stream::Packer;
use self::walk::{Content, OpenAlbum, Source, Walk};
use crate::{Caller, Error, Guest, Result, Scope, Service};

/// Images decided on before the first byte, so that the length of what has no more is known.
const PLANNED_MAX: usize = 5_000;

/// Several images as a ZIP file.
pub struct Archive {
    /// What to call it.
    pub filename: String,
    /// Its length, unless it is too large for that to be known beforehand.
    pub size_bytes: Option<u64>,
    /// Its bytes. An error means that what came before it is worth nothing.
    pub body: BoxStream<'static, Result<Bytes>>,
}

/// How the files of an archive that is no album's are put into folders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Folders {
    /// By the month in which they were taken: `2026/2026-11/IMG_1.jpg`.
    #[default]
    Month,
    /// All beside each other.
    None,
}

/// One file of an image, to be kept.
pub struct SharedFile {
    /// What to call it.
    pub filename: String,
    /// What it is.
    pub content_type: &'static str,
    /// Its length.
    pub size_bytes: u64,
    /// Its bytes.
    pub body: BoxStream<'static, Result<Bytes>>,
}

impl Service {
    /// All of the caller's own images that are not in the trash, as originals.
    ///
    /// # Errors
    /// When the caller's key does not allow it.
    pub async fn archive_library(&self, caller: &Caller, folders: Folders) -> Result<Archive> {
        caller.require(Scope::Read)?;
        let walk = Walk::new(self, Source::Library(caller.clone()), folders);
        self.archive("images", walk, Completeness::AsFound).await
    }

    /// All images that a search finds: originals of the caller's own, and the largest renditions of
    /// what others show them.
    ///
    /// # Errors
    /// When the caller's key does not allow it.
    pub async fn archive_found(
        &self,
        caller: &Caller,
        query: SearchQuery,
        folders: Folders,
    ) -> Result<Archive> {
        caller.require(Scope::Read)?;
        let source = Source::Search(caller.clone(), Box::new(query));
        self.archive("images", Walk::new(self, source, folders), Completeness::AsFound).await
    }

    /// The images of an album that the caller may see: originals of their own, and the largest
    /// renditions of what others have put there. What is nested in it stands in folders.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such album.
    pub async fn archive_album(&self, caller: &Caller, album: AlbumId) -> Result<Archive> {
        caller.require(Scope::Read)?;
        let title = self.load_album(caller, album).await?.album.title;
        let root = OpenAlbum { album, folder: String::new() };
        let source = Source::Albums(caller.clone(), vec![root]);
        let walk = Walk::new(self, source, Folders::None);
        self.archive(title.as_str(), walk, Completeness::AsFound).await
    }

    /// These images, each once and in this order: originals of the caller's own, and the largest
    /// renditions of those of others.
    ///
    /// # Errors
    /// [`Error::ArchiveTooLarge`], [`Error::Invalid`] when there are none, and [`Error::NotFound`]
    /// if one of them is none that the caller may see; of very many, that is seen only when its turn
    /// comes, and told at the end of the archive.
    pub async fn archive_images(
        &self,
        caller: &Caller,
        images: &[ImageId],
        folders: Folders,
    ) -> Result<Archive> {
        caller.require(Scope::Read)?;
        if images.len() > ARCHIVE_CHOSEN_MAX {
            return Err(Error::ArchiveTooLarge { max: ARCHIVE_CHOSEN_MAX });
        }
        if images.is_empty() {
            return Err(Error::invalid("ids", "name one image at least"));
        }
        let mut known = HashSet::new();
        let once = images.iter().copied().filter(|id| known.insert(*id)).collect();
        let walk = Walk::new(self, Source::Chosen(caller.clone(), once), folders);
        self.archive("images", walk, Completeness::AllOrNothing).await
    }

    /// All images that a link shows: the largest renditions, or originals where it gives them
    /// away.
    ///
    /// # Errors
    /// [`Error::DownloadOff`], [`Error::NotFound`] if what it shows is no more.
    pub async fn archive_for_guest(&self, guest: &Guest) -> Result<Archive> {
        check_download(guest)?;
        let title = self.show_guest(guest).await?.title;
        let walk = Walk::new(self, Source::Guest(guest.clone()), Folders::None);
        self.archive(title.as_deref().unwrap_or("images"), walk, Completeness::AsFound).await
    }

    /// One of the images that a link shows, to be kept.
    ///
    /// # Errors
    /// [`Error::DownloadOff`], [`Error::NotFound`] if it is none of them, or has no file yet.
    pub async fn open_guest_file(&self, guest: &Guest, image: ImageId) -> Result<SharedFile> {
        check_download(guest)?;
        let image = self.load_guest_image(guest, image).await?;
        let file = File::of(&image, self.gets_original(guest, &image));
        let file = file.ok_or(Error::NotFound { what: "image" })?;
        let fetched = match self.blobs().get(&file.key, None).await {
            Err(blob::Error::NotFound { .. }) => return Err(Error::NotFound { what: "image" }),
            fetched => fetched?,
        };
        let body = fetched.body.map_err(Error::from);
        Ok(SharedFile {
            filename: file.name,
            content_type: file.content_type,
            size_bytes: fetched.meta.size_bytes,
            body: Box::pin(body),
        })
    }

    async fn archive(&self, title: &str, walk: Walk, wanted: Completeness) -> Result<Archive> {
        let mut contents = walk.run().fuse();
        let mut planned = Vec::new();
        while planned.len() < PLANNED_MAX
            && let Some(content) = contents.try_next().await?
        {
            planned.push(content);
        }
        let is_gone =
            |content: &Content| matches!(content, Content::Missing(one) if one.why == Why::Gone);
        if wanted == Completeness::AllOrNothing && planned.iter().any(is_gone) {
            return Err(Error::NotFound { what: "image" });
        }
        let begun_at = self.now();
        let is_all = planned.len() < PLANNED_MAX;
        let size_bytes = is_all.then(|| stream::length_of(&planned, begun_at));
        let contents = futures::stream::iter(planned.into_iter().map(Ok)).chain(contents).boxed();
        let body = Packer::new(self.blobs().clone(), contents, size_bytes, begun_at).run();
        Ok(Archive { filename: format!("{}.zip", names::safe(title)), size_bytes, body })
    }

    /// Whether a caller who sees an image gets its original in an archive.
    fn gives_original(&self, caller: &Caller, image: &Image) -> bool {
        image.owner == caller.user || self.settings().share_exif
    }
}

/// What is done about images that were asked for and cannot be seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Completeness {
    /// What is there goes in.
    AsFound,
    /// Nobody is to take a part for the whole.
    AllOrNothing,
}

fn check_download(guest: &Guest) -> Result<()> {
    match guest.link().download {
        LinkDownload::Off => Err(Error::DownloadOff),
        LinkDownload::Renditions | LinkDownload::Originals => Ok(()),
    }
}
