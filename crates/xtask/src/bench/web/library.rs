//! A library of one user: rows as uploads and workers leave them, and for every image a small
//! rendition, which are links to few files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use blob::{BlobKey, Blobs};
use catalog::Catalog;
use model::{Facts, Image, ImageId, RenditionFormat, Role, SizeName, Timestamp};
use service::{Caller, NewUser, Parts, People, Service, Settings, SystemClock};
use table::Table;
use table_embedded::{EmbeddedTable, Options};

use crate::Outcome;
use crate::shared::dice::Dice;
use crate::shared::images::{image, uploaded_at};

pub const EMAIL: &str = "photographer@example.org";
pub const PASSWORD: &str = "a password for the benchmark";
const SIZES: [(&str, u32); 4] = [("large", 2048), ("medium", 1280), ("small", 640), ("thumb", 256)];
const SMALL: &str = "small";
/// Width and height of what cameras make, upright or not.
const SIDES: [(u32, u32); 6] =
    [(6000, 4000), (4000, 6000), (4000, 3000), (3000, 4000), (4000, 2250), (3000, 3000)];
/// Images made up before they are written.
const AT_ONCE: u64 = 25_000;
/// Names that one file may have; file systems end somewhere.
const LINKS_MAX: u64 = 20_000;

/// A data folder as the binary wants it.
pub struct Library {
    pub caller: Caller,
}

/// The use cases on a data folder, and the table to be closed.
pub async fn open(data: &Path) -> Outcome<(Service, Catalog, Arc<EmbeddedTable>)> {
    let table = EmbeddedTable::open(&data.join("table"), catalog::schema(), Options::default())?;
    let table = Arc::new(table);
    let shared: Arc<dyn Table> = Arc::<EmbeddedTable>::clone(&table);
    let catalog = Catalog::new(shared);
    let service = Service::open(Parts {
        catalog: catalog.clone(),
        blobs: Blobs::open_folder(&data.join("blobs")).await?,
        clock: Arc::new(SystemClock),
        settings: Settings::default(),
        people: People::default(),
    })
    .await?;
    Ok((service, catalog, table))
}

impl Library {
    /// Fills an empty data folder.
    pub async fn fill(images: u64, seed: u64, files: bool, data: &Path) -> Outcome<Self> {
        let (service, catalog, table) = open(data).await?;
        let new = NewUser { email: EMAIL.parse()?, name: "Photographer".parse()? };
        let operator = Caller::operator();
        let password = PASSWORD.parse()?;
        let user =
            service.create_user(&operator, &new, Role::Administrator, Some(&password)).await?;
        service.set_quota(&operator, user.id, 1 << 30, 1 << 50).await?;
        let mut links = Links::new(data)?;
        for first in (0..images).step_by(usize::try_from(AT_ONCE)?) {
            let mut made_up = Vec::new();
            for number in first..images.min(first + AT_ONCE) {
                let made = photo(number, seed, user.id)?;
                if files {
                    links.add(made.id)?;
                }
                made_up.push(made);
            }
            catalog.load_images(&made_up).await?;
        }
        table.close().await;
        Ok(Self { caller: Caller::new(user.id, user.role) })
    }
}

/// A photo of one of the usual shapes, taken on the day before it came.
fn photo(number: u64, seed: u64, owner: model::UserId) -> Outcome<Image> {
    let mut dice = Dice::new(seed ^ 0x1A, number);
    let at = uploaded_at(number);
    let id = ImageId::new(at, Dice::new(seed, number).next_u128());
    let mut photo = image(id, owner, at, &SIZES, &mut dice)?;
    let side = usize::try_from(dice.below(SIDES.len() as u64))?;
    let (width, height) = SIDES.get(side).copied().unwrap_or((4000, 3000));
    photo.facts = photo.facts.map(|facts| Facts {
        width,
        height,
        // A real one, of a grey picture, since a page decodes it.
        thumbhash: Some("1QcSHQRnh493V4dIh4eXh1h4kJUI".to_owned()),
        ..facts
    });
    Ok(photo)
}

/// Files that renditions are links to.
struct Links {
    blobs: PathBuf,
    bytes: Vec<u8>,
    source: Option<PathBuf>,
    count: u64,
}

impl Links {
    fn new(data: &Path) -> Outcome<Self> {
        let bytes = small_picture()?;
        Ok(Self { blobs: data.join("blobs"), bytes, source: None, count: 0 })
    }

    fn add(&mut self, image: ImageId) -> Outcome {
        let size: SizeName = SMALL.parse()?;
        let key = BlobKey::Rendition { image, size, format: RenditionFormat::Webp };
        let path = self.blobs.join(key.to_string());
        fs::create_dir_all(path.parent().ok_or("an object without a folder")?)?;
        match self.source.as_ref().filter(|_| !self.count.is_multiple_of(LINKS_MAX)) {
            Some(source) => fs::hard_link(source, path)?,
            None => {
                fs::write(&path, &self.bytes)?;
                self.source = Some(path);
            }
        }
        self.count += 1;
        Ok(())
    }
}

/// A picture as a gallery shows many of.
fn small_picture() -> Outcome<Vec<u8>> {
    use crate::shared::photo_file::jpeg_file;
    let photo = jpeg_file(&testkit::photos::take(7, 960, 640), 1)?;
    let probe = imaging::probe(&photo)?;
    let spec = model::SizeSpec::new(
        SMALL.parse()?,
        (640, 640),
        model::Fit::Inside,
        RenditionFormat::Webp,
        80,
    )?;
    let mut renderer = imaging::Renderer::new();
    let options = imaging::RenderOptions::default();
    let made = renderer.render(&photo, &probe, &[spec], &options)?;
    Ok(made.renditions.into_iter().next().ok_or("nothing was rendered")?.bytes.to_vec())
}

/// A photo that comes now, for those who want to know what that costs.
pub fn new_photo(seed: u64, owner: model::UserId, at: Timestamp) -> Outcome<Image> {
    let mut photo = photo(u64::MAX / 2, seed, owner)?;
    photo.id = ImageId::new(at, Dice::new(seed ^ 0xF0, 1).next_u128());
    photo.uploaded_at = Some(at);
    photo.exif = photo
        .exif
        .map(|exif| model::Exif { taken_at: Some(at.after(Duration::from_secs(0))), ..exif });
    Ok(photo)
}
