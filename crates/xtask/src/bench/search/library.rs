//! The images: made from a seed and a number, written through the catalog.
//!
//! Half of them belong to the user who searches, the others to nine more; a quarter is shared with
//! everybody. Titles have two words, some frequent and most rare, and nearly a third has one more
//! that is everywhere. There is a word for every twenty images, and a tag for every five.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, io};

use blob::Blobs;
use catalog::{Catalog, CreatedAlbum, CreatedUser};
use model::{Album, AlbumId, Image, ImageId, MediaType, Quota, Role, Timestamp, User, UserId};
use model::{Visibility, limits};
use service::{Caller, Parts, People, Service, Settings, SystemClock};
use table::Table;
use table_embedded::{EmbeddedTable, Options};

use crate::Outcome;
use crate::shared::dice::Dice;
use crate::shared::images::{FIRST_MILLIS, image, uploaded_at};
use crate::vocabulary::{Sorted, tag, word};

const USERS: u64 = 10;
/// The word that many titles have.
pub const FREQUENT: &str = "summer";
const SIZES: [(&str, u32); 4] = [("large", 2048), ("medium", 1280), ("small", 640), ("thumb", 256)];
/// Images made up before they are written.
const AT_ONCE: u64 = 50_000;
const ALBUMS_MAX: u64 = 50;
const IMAGES_PER_ALBUM: u64 = 100;

/// What is known of a library without reading it.
#[derive(Clone, Copy, Debug)]
pub struct Dataset {
    pub seed: u64,
    pub images: u64,
}

/// A library that can be searched.
pub struct Library {
    pub dataset: Dataset,
    pub service: Service,
    pub caller: Caller,
    pub albums: Vec<AlbumId>,
    /// Words of titles.
    pub words: Sorted,
    pub tags: Sorted,
}

impl Dataset {
    /// How many different words titles have: as many for each image in every library, so that a rare
    /// word is as rare in all.
    fn title_words(&self) -> u64 {
        (self.images / 20).max(1)
    }

    /// How many different tags there are.
    pub fn tags(&self) -> u64 {
        (self.images / 5).max(1)
    }

    pub fn user(&self, user: u64) -> UserId {
        let random = Dice::new(self.seed, u64::MAX - user).next_u128();
        UserId::new(Timestamp::from_millis(FIRST_MILLIS), random)
    }

    /// The user who searches has every other image.
    pub fn owner_of(&self, number: u64) -> u64 {
        if number.is_multiple_of(2) { 0 } else { 1 + (number / 2) % (USERS - 1) }
    }

    fn own_images(&self) -> u64 {
        self.images.div_ceil(2)
    }

    /// A number of an image of the user who searches.
    pub fn own_image(&self, dice: &mut Dice) -> u64 {
        dice.below(self.own_images()) * 2
    }

    fn albums(&self) -> u64 {
        ALBUMS_MAX.min(self.own_images() / 20).max(1)
    }

    fn album(&self, number: u64) -> AlbumId {
        let random = Dice::new(self.seed ^ 0xA1, number).next_u128();
        AlbumId::new(self.album_made_at(number), random)
    }

    fn album_made_at(&self, number: u64) -> Timestamp {
        uploaded_at(self.images + number)
    }

    fn id(&self, number: u64) -> ImageId {
        ImageId::new(uploaded_at(number), Dice::new(self.seed, number).next_u128())
    }

    /// The two words of a title: the first one rare, the other one frequent or not.
    pub fn words(&self, number: u64) -> [String; 2] {
        let mut dice = Dice::new(self.seed ^ 0x70, number);
        let words = self.title_words();
        [word(dice.below(words)), word(skewed(&mut dice, words))]
    }

    /// The tags: each has its turn, and some come more often.
    pub fn tags_of(&self, number: u64) -> [String; 2] {
        let mut dice = Dice::new(self.seed ^ 0x7A, number);
        [tag(number % self.tags()), tag(skewed(&mut dice, self.tags()))]
    }

    pub fn image(&self, number: u64) -> Outcome<Image> {
        let mut dice = Dice::new(self.seed ^ 0x1A, number);
        let owner = self.user(self.owner_of(number));
        let mut image = image(self.id(number), owner, uploaded_at(number), &SIZES, &mut dice)?;
        let [one, other] = self.words(number);
        let frequent = if dice.below(10) < 3 { FREQUENT } else { "" };
        image.title = Some(format!("{one} {other} {frequent}").parse()?);
        image.tags =
            self.tags_of(number).iter().map(|tag| tag.parse()).collect::<Result<_, _>>()?;
        image.tags.sort();
        image.tags.dedup();
        if dice.below(4) > 0 {
            image.visibility = Visibility::Private;
        }
        if dice.below(10) == 0 {
            image.media_type = Some(MediaType::Png);
        }
        Ok(image)
    }
}

/// A number below `end`, small ones far more often than others.
fn skewed(dice: &mut Dice, end: u64) -> u64 {
    let (one, two) = (dice.below(1 << 16), dice.below(1 << 16));
    let product = one * two * dice.below(1 << 16);
    ((u128::from(product) * u128::from(end)) >> 48).try_into().unwrap_or(0)
}

impl Library {
    /// Fills a folder, unless that has been done before, and tells how long that has taken.
    pub async fn fill(dataset: Dataset, folder: &Path) -> Outcome<Duration> {
        let filled = folder.join("filled");
        if let Ok(millis) = fs::read_to_string(&filled) {
            return Ok(Duration::from_millis(millis.parse()?));
        }
        let started = Instant::now();
        let table = Arc::new(open_table(folder)?);
        let catalog = Catalog::new(Arc::<EmbeddedTable>::clone(&table));
        for number in 0..USERS {
            make_user(&catalog, dataset.user(number), number).await?;
        }
        let mut first = 0;
        while first < dataset.images {
            let end = (first + AT_ONCE).min(dataset.images);
            load(&catalog, dataset, first, end).await?;
            first = end;
        }
        make_albums(&catalog, dataset).await?;
        // What is measured is a library at rest: its log moved, and nothing left to be written.
        table.close().await;
        Command::new("sync").status()?;
        let took = started.elapsed();
        fs::write(filled, took.as_millis().to_string())?;
        Ok(took)
    }

    /// Opens a folder that has been filled. Its files are read once, as they are in the memory of a
    /// server that has been asked for a while.
    pub async fn open(dataset: Dataset, folder: &Path) -> Outcome<Self> {
        for file in fs::read_dir(folder.join("table"))? {
            io::copy(&mut fs::File::open(file?.path())?, &mut io::sink())?;
        }
        let table: Arc<dyn Table> = Arc::new(open_table(folder)?);
        let albums = (0..dataset.albums()).map(|number| dataset.album(number)).collect();
        let service = Service::open(Parts {
            catalog: Catalog::new(table),
            blobs: Blobs::open_folder(&folder.join("blobs")).await?,
            clock: Arc::new(SystemClock),
            settings: Settings::default(),
            people: People::default(),
        })
        .await?;
        let caller = Caller::new(dataset.user(0), Role::User);
        let words = Sorted::of((0..dataset.title_words()).map(word));
        let tags = Sorted::of((0..dataset.tags()).map(tag));
        Ok(Self { dataset, service, caller, albums, words, tags })
    }
}

fn open_table(folder: &Path) -> Outcome<EmbeddedTable> {
    Ok(EmbeddedTable::open(&folder.join("table"), catalog::schema(), Options::default())?)
}

async fn make_user(catalog: &Catalog, id: UserId, number: u64) -> Outcome {
    let email = format!("user{number}@example.org").parse()?;
    let at = Timestamp::from_millis(FIRST_MILLIS);
    let user = User::new(id, email, format!("User {number}").parse()?, Role::User, at);
    match catalog.create_user(&user, Quota::default()).await? {
        CreatedUser::Created => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}

async fn load(catalog: &Catalog, dataset: Dataset, first: u64, end: u64) -> Outcome {
    let images = (first..end).map(|number| dataset.image(number)).collect::<Outcome<Vec<_>>>()?;
    catalog.load_images(&images).await?;
    Ok(())
}

/// Albums of the user who searches, spread over all of their images.
async fn make_albums(catalog: &Catalog, dataset: Dataset) -> Outcome {
    let count = dataset.albums();
    for number in 0..count {
        let (id, now) = (dataset.album(number), dataset.album_made_at(number));
        let album = Album::new(id, dataset.user(0), format!("Album {number}").parse()?, now);
        if catalog.create_album(&album).await? != CreatedAlbum::Created {
            return Err("an album is there already".into());
        }
        let inside = IMAGES_PER_ALBUM.min(dataset.own_images() / count);
        let images: Vec<ImageId> =
            (0..inside).map(|nth| dataset.id((nth * count + number) * 2)).collect();
        for chunk in images.chunks(limits::ALBUM_IMAGES_AT_ONCE_MAX) {
            catalog.add_to_album(id, chunk, now).await?;
        }
    }
    Ok(())
}
