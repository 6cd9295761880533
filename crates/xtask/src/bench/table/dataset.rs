//! The images both sides keep: made from a seed and a number, always the same ones.
//!
//! A row is the serde form of a real image with its places in the indexes, as the catalog
//! writes it. Besides its owner's list and the feed it stands in an album, so that a write
//! has three index entries.

use model::{AlbumId, Image, ImageId, Timestamp, UserId};
use table::{Item, Key};

use crate::Outcome;
use crate::shared::dice::Dice;
pub use crate::shared::images::UPLOADED;
use crate::shared::images::{FIRST_MILLIS, image, image_key, image_row, place, uploaded_at};

/// The index of a user's images.
pub const OWNER_INDEX: &str = "owner";

/// Users at most.
const USERS_MAX: u64 = 1_000;
/// Images of each user at least: a newest-20 query must have a second page.
const IMAGES_PER_USER_MIN: u64 = 40;
const IMAGES_PER_ALBUM: u64 = 50;
const SIZES: [(&str, u32); 4] = [("w2048", 2048), ("w1280", 1280), ("w640", 640), ("w256", 256)];

/// A set of images, by their numbers.
#[derive(Clone, Copy, Debug)]
pub struct Dataset {
    pub seed: u64,
    /// Images that are stored before anything is measured; more follow with higher numbers.
    pub items: u64,
}

/// A change of an image, as an update of what differs and as the whole new row.
#[derive(Debug)]
pub struct Edit {
    pub version_before: i64,
    pub title: String,
    pub updated_at: String,
    pub after: Item,
}

impl Dataset {
    /// How many users the images belong to.
    pub fn users(&self) -> u64 {
        (self.items / IMAGES_PER_USER_MIN).clamp(1, USERS_MAX)
    }

    /// The partition of a user in the owner index.
    pub fn user_partition(&self, user: u64) -> String {
        format!("USER#{}", self.user(user))
    }

    pub fn user(&self, user: u64) -> UserId {
        let random = Dice::new(self.seed, u64::MAX - user).next_u128();
        UserId::new(Timestamp::from_millis(FIRST_MILLIS), random)
    }

    pub fn key(&self, number: u64) -> Key {
        image_key(self.image_id(number))
    }

    pub fn image_id(&self, number: u64) -> ImageId {
        ImageId::new(uploaded_at(number), Dice::new(self.seed, number).next_u128())
    }

    /// The row of an image as it was stored first.
    pub fn item(&self, number: u64) -> Outcome<Item> {
        self.row(number, &self.image(number)?)
    }

    /// The next version of an image that has this one.
    pub fn edit(&self, number: u64, version_before: i64) -> Outcome<Edit> {
        let mut image = self.image(number)?;
        let title = format!("Edited for the {version_before}. time");
        image.title = Some(title.parse()?);
        image.version = version_before + 1;
        image.updated_at = Timestamp::from_millis(image.updated_at.as_millis() + version_before);
        let updated_at = image.updated_at.to_string();
        let after = self.row(number, &image)?;
        Ok(Edit { version_before, title, updated_at, after })
    }

    /// All users take turns, each time beginning with another one.
    fn owner_of(&self, number: u64) -> u64 {
        let turn = number / self.users();
        let first = Dice::new(self.seed ^ 0x0B, turn).below(self.users());
        (first + number) % self.users()
    }

    fn album_of(&self, number: u64) -> AlbumId {
        let nth = number / (self.users() * IMAGES_PER_ALBUM);
        let random = Dice::new(self.seed ^ 0xA1, self.owner_of(number)).next_u128();
        AlbumId::new(uploaded_at(nth * self.users() * IMAGES_PER_ALBUM), random)
    }

    fn row(&self, number: u64, image: &Image) -> Outcome<Item> {
        let album = format!("ALBUM#{}", self.album_of(number));
        Ok(image_row(image)?.with("GSI2PK", album).with("GSI2SK", place(image)))
    }

    fn image(&self, number: u64) -> Outcome<Image> {
        let mut dice = Dice::new(self.seed ^ 0x1A, number);
        let owner = self.user(self.owner_of(number));
        image(self.image_id(number), owner, uploaded_at(number), &SIZES, &mut dice)
    }
}
