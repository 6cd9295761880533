//! The images that the server has: written into its data folder before it starts, through the
//! crates that it is made of.
//!
//! Every image has the rows that an upload leaves, words and tags among them, and every thumb is
//! an object of its own name. There are as many files of thumbs as there are popular images; the
//! other names are further links to them, which nobody who reads can tell.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use blob::{BlobKey, Blobs};
use catalog::Catalog;
use futures::stream::{self, StreamExt, TryStreamExt};
use imaging::{RenderOptions, Renderer, probe};
use model::{Fit, Image, ImageId, RenditionFormat, Role, SizeName, SizeSpec, UserId};
use service::{
    Caller, NewApiKey, NewUser, Parts, People, PixelName, Scope, Service, Settings, SystemClock,
};
use table::Table;
use table_embedded::{EmbeddedTable, Options};
use testkit::photos::take;

use crate::Outcome;
use crate::plan::Plan;
use crate::shared::dice::Dice;
use crate::shared::images::{image, uploaded_at};
use crate::shared::photo_file::jpeg_file;

/// The default sizes, by their long sides.
const SIZES: [(&str, u32); 4] = [("large", 2048), ("medium", 1280), ("small", 640), (THUMB, 256)];
const THUMB: &str = "thumb";
const THUMB_SIDE: u32 = 256;
/// What a thumb should have.
pub const THUMB_BYTES: usize = 20_000;
/// Different pictures among the thumbs.
const PICTURES: u64 = 8;
/// Each image is written by itself, as an upload is, so that its rows lie together in the table
/// and words come into their indexes in no order; so many at a time share commits.
const IMAGES_AT_ONCE: usize = 64;
const EXIF_UPRIGHT: u8 = 1;

/// Who and what there is to ask for.
pub struct Library {
    pub owners: Vec<Owner>,
    pub images: Vec<StoredImage>,
    /// The mean length of the thumbs.
    pub thumb_bytes: usize,
}

pub struct Owner {
    pub id: UserId,
    pub api_key: String,
}

pub struct StoredImage {
    pub id: ImageId,
    /// Whose it is, by their place in the list.
    pub owner: usize,
    /// The path and query of its signed thumb.
    pub thumb_path: String,
    /// The object.
    pub thumb_key: BlobKey,
}

impl Library {
    /// Fills an empty data folder.
    pub async fn fill(plan: &Plan, data: &Path) -> Outcome<Self> {
        let schema = catalog::schema();
        let table = EmbeddedTable::open(&data.join("table"), schema, Options::default())?;
        let table = Arc::new(table);
        let shared: Arc<dyn Table> = Arc::<EmbeddedTable>::clone(&table);
        let catalog = Catalog::new(shared);
        let blobs = data.join("blobs");
        let service = Service::open(Parts {
            catalog: catalog.clone(),
            blobs: Blobs::open_folder(&blobs).await?,
            clock: Arc::new(SystemClock),
            settings: Settings::default(),
            people: People::default(),
        })
        .await?;
        let owners = make_owners(plan, &service).await?;
        let thumbs = make_thumbs(plan)?;
        let load = async |number: u64| -> Outcome<StoredImage> {
            let owner = usize::try_from(number % plan.users)?;
            let owner_id = owners.get(owner).ok_or("no such owner")?.id;
            let made = make_image(plan, number, owner_id, nth(&thumbs, number % PICTURES)?)?;
            let id = made.id;
            catalog.load_images(&[made]).await?;
            StoredImage::new(&service, id, owner)
        };
        let loads = stream::iter(0..plan.images).map(load).buffered(IMAGES_AT_ONCE);
        let images: Vec<StoredImage> = loads.try_collect().await?;
        table.close().await;
        place_thumbs(plan, &blobs, &images, &thumbs)?;
        let thumb_bytes = thumbs.iter().map(Vec::len).sum::<usize>() / thumbs.len().max(1);
        Ok(Self { owners, images, thumb_bytes })
    }

    pub fn api_key_of(&self, image: &StoredImage) -> Outcome<&str> {
        Ok(&self.owners.get(image.owner).ok_or("an image of nobody")?.api_key)
    }
}

impl StoredImage {
    fn new(service: &Service, id: ImageId, owner: usize) -> Outcome<Self> {
        let size: SizeName = THUMB.parse()?;
        let thumb_path = service.pixel_path(id, &PixelName::size(size.clone()));
        let thumb_key = BlobKey::Rendition { image: id, size, format: RenditionFormat::Webp };
        Ok(Self { id, owner, thumb_path, thumb_key })
    }
}

async fn make_owners(plan: &Plan, service: &Service) -> Outcome<Vec<Owner>> {
    let mut owners = Vec::new();
    for number in 0..plan.users {
        let new = NewUser {
            email: format!("user{number}@example.org").parse()?,
            name: format!("User {number}").parse()?,
        };
        let operator = Caller::operator();
        let user = service.create_user(&operator, &new, Role::User, None).await?;
        service.set_quota(&operator, user.id, 1 << 30, 1 << 50).await?;
        let key = NewApiKey {
            name: "benchmark".parse()?,
            scopes: [Scope::Read, Scope::Write].into_iter().collect(),
            expires_at: None,
        };
        let (token, _) = service.create_api_key(&Caller::new(user.id, user.role), &key).await?;
        owners.push(Owner { id: user.id, api_key: token.as_str().to_owned() });
    }
    Ok(owners)
}

fn make_image(plan: &Plan, number: u64, owner: UserId, thumb: &[u8]) -> Outcome<Image> {
    let at = uploaded_at(number);
    let id = ImageId::new(at, Dice::new(plan.seed, number).next_u128());
    let mut made = image(id, owner, at, &SIZES, &mut Dice::new(plan.seed ^ 0x1A, number))?;
    if let Some(rendition) = made.renditions.get_mut(&THUMB.parse::<SizeName>()?) {
        (rendition.width, rendition.height) = (THUMB_SIDE, THUMB_SIDE);
        rendition.size_bytes = i64::try_from(thumb.len())?;
    }
    Ok(made)
}

/// Real thumbs, each at the quality that brings it nearest to the length that it should have.
fn make_thumbs(plan: &Plan) -> Outcome<Vec<Vec<u8>>> {
    let mut renderer = Renderer::new();
    let mut thumbs = Vec::new();
    for number in 0..PICTURES {
        let photo = jpeg_file(&take(plan.seed + number, 800, 600), EXIF_UPRIGHT)?;
        let probe = probe(&photo)?;
        let mut sizes = Vec::new();
        for quality in 60..=100 {
            let (name, sides) = (format!("q{quality}").parse()?, (THUMB_SIDE, THUMB_SIDE));
            sizes.push(SizeSpec::new(name, sides, Fit::Cover, RenditionFormat::Webp, quality)?);
        }
        let rendered = renderer.render(&photo, &probe, &sizes, &RenderOptions::default())?;
        let nearest = rendered
            .renditions
            .into_iter()
            .min_by_key(|made| made.bytes.len().abs_diff(THUMB_BYTES));
        thumbs.push(nearest.ok_or("no thumb was made")?.bytes);
    }
    Ok(thumbs)
}

fn place_thumbs(plan: &Plan, blobs: &Path, images: &[StoredImage], thumbs: &[Vec<u8>]) -> Outcome {
    for (number, image) in (0..).zip(images) {
        let path = blobs.join(image.thumb_key.to_string());
        fs::create_dir_all(path.parent().ok_or("an object without a folder")?)?;
        if number < plan.popular {
            fs::write(&path, nth(thumbs, number % PICTURES)?)?;
        } else {
            // One that shows the same picture.
            let twin = number % (plan.popular / PICTURES).max(1) * PICTURES + number % PICTURES;
            let twin = nth(images, twin)?;
            fs::hard_link(blobs.join(twin.thumb_key.to_string()), path)?;
        }
    }
    Ok(())
}

fn nth<T>(all: &[T], number: u64) -> Outcome<&T> {
    all.get(usize::try_from(number)?).ok_or_else(|| "there are not so many".into())
}
