//! All images of an album in one file, and single files to be kept.
//!
//! What goes into an archive is decided before its first byte, so its length is known; then file
//! after file is read from the store as the receiver takes it. Nothing is written anywhere, and no
//! file is ever in memory as a whole.

mod files;
mod names;
mod stream;
mod zip;

use bytes::Bytes;
use catalog::{Listed, Order, PageRequest};
use futures::stream::BoxStream;
use model::limits::{ARCHIVE_IMAGES_MAX, PAGE_MAX};
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
        let (mut files, mut names) = (Vec::new(), Names::default());
        let mut page = PageRequest::first(PAGE_MAX);
        loop {
            let listed = source.list(self, &page).await?;
            for image in &listed.entries {
                let original = source.gets_original(self, image);
                let Some(file) = File::of(image, original) else { continue };
                let name = names.give(&file.name);
                files.push((file.key, zip::Entry::new(name, file.size_bytes, file.modified)));
            }
            if files.len() > ARCHIVE_IMAGES_MAX {
                return Err(Error::ArchiveTooLarge { max: ARCHIVE_IMAGES_MAX });
            }
            page.cursor = listed.next;
            if page.cursor.is_none() {
                break;
            }
        }
        let size_bytes = zip::length_of(files.iter().map(|(_, entry)| entry));
        let filename = format!("{}.zip", names::safe(title));
        Ok(Archive { filename, size_bytes, body: Packer::new(self.blobs().clone(), files).run() })
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
            Self::Album { caller, .. } => {
                image.owner == caller.user || service.settings().share_exif
            }
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
