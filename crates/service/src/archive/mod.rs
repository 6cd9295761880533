//! All images of an album or some that were chosen in one file, and single files to be kept.
//!
//! What goes into an archive is decided before its first byte, so its length is known; then file
//! after file is read from the store as the receiver takes it. Nothing is written anywhere, and no
//! file is ever in memory as a whole.

mod files;
mod names;
mod stream;
mod zip;

use std::collections::HashSet;

use blob::BlobKey;
use bytes::Bytes;
use catalog::{Listed, Order, PageRequest};
use futures::stream::BoxStream;
use model::limits::{ARCHIVE_CHOSEN_MAX, ARCHIVE_IMAGES_MAX, PAGE_MAX};
use model::{AlbumId, Image, ImageId, LinkDownload};

use self::files::File;
use self::names::Names;
use self::stream::Packer;
use crate::{Caller, Error, Guest, Result, Scope, Service};

/// Several images as a ZIP file.
pub struct Archive {
    /// What to call it.
    pub filename: String,
    /// Its length.
    pub size_bytes: u64,
    /// Its bytes. An error means that what came before it is worth nothing.
    pub body: BoxStream<'static, Result<Bytes>>,
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
    /// The images of an album that the caller may see: originals of their own, and the largest
    /// renditions of what others have put there.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such album, [`Error::ArchiveTooLarge`].
    pub async fn archive_album(&self, caller: &Caller, album: AlbumId) -> Result<Archive> {
        caller.require(Scope::Read)?;
        let title = self.load_album(caller, album).await?.album.title;
        self.pack(title.as_str(), Source::Album { caller, album }).await
    }

    /// These images, each once and in this order: originals of the caller's own, and the largest
    /// renditions of what others show them. It is all of them or nothing, so that nobody takes a
    /// part for the whole; but what has no file yet is left out.
    ///
    /// # Errors
    /// [`Error::ArchiveTooLarge`], [`Error::NotFound`] if one of them is none that the caller may
    /// see, or when there are none.
    pub async fn archive_images(&self, caller: &Caller, images: &[ImageId]) -> Result<Archive> {
        caller.require(Scope::Read)?;
        if images.len() > ARCHIVE_CHOSEN_MAX {
            return Err(Error::ArchiveTooLarge { max: ARCHIVE_CHOSEN_MAX });
        }
        let mut known = HashSet::new();
        let once: Vec<ImageId> = images.iter().copied().filter(|id| known.insert(*id)).collect();
        if once.is_empty() {
            return Err(Error::invalid("ids", "name one image at least"));
        }
        let mut contents = Contents::default();
        for ids in once.chunks(PAGE_MAX) {
            let found = self.find_seen(caller, ids).await?;
            if found.len() != ids.len() {
                return Err(Error::NotFound { what: "image" });
            }
            for image in &found {
                contents.add(image, self.gives_original(caller, image));
            }
        }
        Ok(self.archive("images", contents))
    }

    /// All images that a link shows: the largest renditions, or originals where it gives them
    /// away.
    ///
    /// # Errors
    /// [`Error::DownloadOff`], [`Error::NotFound`] if what it shows is no more,
    /// [`Error::ArchiveTooLarge`].
    pub async fn archive_for_guest(&self, guest: &Guest) -> Result<Archive> {
        check_download(guest)?;
        let title = self.show_guest(guest).await?.title;
        self.pack(title.as_deref().unwrap_or("images"), Source::Guest(guest)).await
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
        let body = futures::TryStreamExt::map_err(fetched.body, Error::from);
        Ok(SharedFile {
            filename: file.name,
            content_type: file.content_type,
            size_bytes: fetched.meta.size_bytes,
            body: Box::pin(body),
        })
    }

    async fn pack(&self, title: &str, source: Source<'_>) -> Result<Archive> {
        let mut contents = Contents::default();
        let mut page = PageRequest::first(PAGE_MAX);
        loop {
            let listed = source.list(self, &page).await?;
            for image in &listed.entries {
                contents.add(image, source.gets_original(self, image));
            }
            if contents.files.len() > ARCHIVE_IMAGES_MAX {
                return Err(Error::ArchiveTooLarge { max: ARCHIVE_IMAGES_MAX });
            }
            page.cursor = listed.next;
            if page.cursor.is_none() {
                return Ok(self.archive(title, contents));
            }
        }
    }

    fn archive(&self, title: &str, contents: Contents) -> Archive {
        let size_bytes = zip::length_of(contents.files.iter().map(|(_, entry)| entry));
        let filename = format!("{}.zip", names::safe(title));
        let body = Packer::new(self.blobs().clone(), contents.files).run();
        Archive { filename, size_bytes, body }
    }

    /// Whether a caller who sees an image gets its original in an archive.
    fn gives_original(&self, caller: &Caller, image: &Image) -> bool {
        image.owner == caller.user || self.settings().share_exif
    }
}

/// What goes into an archive.
#[derive(Default)]
struct Contents {
    files: Vec<(BlobKey, zip::Entry)>,
    names: Names,
}

impl Contents {
    fn add(&mut self, image: &Image, original: bool) {
        let Some(file) = File::of(image, original) else { return };
        let name = self.names.give(&file.name);
        self.files.push((file.key, zip::Entry::new(name, file.size_bytes, file.modified)));
    }
}

/// Whose sight of which images.
enum Source<'a> {
    Album { caller: &'a Caller, album: AlbumId },
    Guest(&'a Guest),
}

impl Source<'_> {
    async fn list(&self, service: &Service, page: &PageRequest) -> Result<Listed<Image>> {
        match self {
            Self::Album { caller, album } => {
                service.list_album_images(caller, *album, None, Order::Newest, page).await
            }
            Self::Guest(guest) => service.list_guest_images(guest, page).await,
        }
    }

    fn gets_original(&self, service: &Service, image: &Image) -> bool {
        match self {
            Self::Album { caller, .. } => service.gives_original(caller, image),
            Self::Guest(guest) => service.gets_original(guest, image),
        }
    }
}

fn check_download(guest: &Guest) -> Result<()> {
    match guest.link().download {
        LinkDownload::Off => Err(Error::DownloadOff),
        LinkDownload::Renditions | LinkDownload::Originals => Ok(()),
    }
}
