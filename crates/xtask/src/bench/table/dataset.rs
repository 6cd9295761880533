//! The images both sides keep: made from a seed and a number, always the same ones.
//!
//! A row is the serde form of a real image with its places in the indexes, as the catalog
//! writes it. Besides its owner's list and the feed it stands in an album, so that a write
//! has three index entries.

use std::collections::BTreeMap;

use model::{
    AlbumId, Exif, Facts, Gps, Image, ImageId, ImageStatus, MediaType, Original, Rendition,
    RenditionFormat, SizeName, Timestamp, UserId, Visibility,
};
use serde_json::Value as Json;
use table::{Item, Key, Number, Value};

use crate::Outcome;
use crate::dice::Dice;

/// The index of a user's images.
pub const OWNER_INDEX: &str = "owner";
/// What the places of images in it begin with.
pub const UPLOADED: &str = "UPLOADED#";

/// Users at most.
const USERS_MAX: u64 = 1_000;
/// Images of each user at least: a newest-20 query must have a second page.
const IMAGES_PER_USER_MIN: u64 = 40;
const IMAGES_PER_ALBUM: u64 = 50;
/// 2023-01-01, when the first image came.
const FIRST_MILLIS: i64 = 1_672_531_200_000;
/// Between two images: a million take three years.
const STEP_MILLIS: i64 = 94_608;
const WORDS: [&str; 24] = [
    "beach", "evening", "family", "garden", "harbour", "island", "journey", "kitchen", "lake",
    "market", "mountain", "museum", "night", "orchard", "picnic", "quarry", "river", "summer",
    "tower", "uncle", "valley", "winter", "yard", "zoo",
];
const CAMERAS: [&str; 4] =
    ["FUJIFILM X-T5", "Canon EOS R6m2", "Apple iPhone 15 Pro", "NIKON CORPORATION NIKON Z 6_2"];
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
        Key::new(format!("IMAGE#{}", self.image_id(number)), "METADATA")
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
        let Value::M(attributes) = from_json(serde_json::to_value(image)?)? else {
            return Err("an image is a map".into());
        };
        let at = uploaded_at(number);
        let month: String = at.to_string().chars().take(7).collect();
        let shard = image.id.to_string().bytes().last().unwrap_or_default() % 4;
        let place = format!("{UPLOADED}{at}#{}", image.id);
        let item = Item::of(self.key(number), attributes)
            .with("GSI1PK", format!("USER#{}", image.owner))
            .with("GSI1SK", place.as_str())
            .with("GSI2PK", format!("ALBUM#{}", self.album_of(number)))
            .with("GSI2SK", place.as_str())
            .with("GSI3PK", format!("FEED#{month}#{shard}"))
            .with("GSI3SK", place);
        Ok(item)
    }

    fn image(&self, number: u64) -> Outcome<Image> {
        let mut dice = Dice::new(self.seed ^ 0x1A, number);
        let at = uploaded_at(number);
        let mut image = Image::pending(self.image_id(number), self.user(self.owner_of(number)), at);
        let (width, height) = if dice.below(3) == 0 { (3000, 4000) } else { (4000, 3000) };
        image.status = ImageStatus::Completed;
        image.visibility = Visibility::Shared;
        image.filename = Some(format!("DSCF{:04}.JPG", dice.below(10_000)).parse()?);
        image.media_type = Some(MediaType::Jpeg);
        let sha256 = format!("{:032x}{:032x}", dice.next_u128(), dice.next_u128());
        image.original = Some(Original {
            size_bytes: i64::try_from(2_000_000 + dice.below(10_000_000))?,
            sha256: sha256.parse()?,
        });
        image.facts = Some(Facts {
            width,
            height,
            animated: false,
            thumbhash: Some(format!("{:028x}==", dice.next_u128() >> 16)),
            color: Some(format!("#{:06x}", dice.below(1 << 24))),
            perceptual_hash: Some(format!("{:016x}", dice.next())),
        });
        image.renditions = renditions(&mut dice, width, height)?;
        image.processed_at = Some(Timestamp::from_millis(at.as_millis() + 900));
        image.uploaded_at = Some(at);
        image.title = Some(words(&mut dice, 3).parse()?);
        image.tags = vec![word(&mut dice).parse()?];
        image.exif = Some(exif(&mut dice, at));
        Ok(image)
    }
}

fn uploaded_at(number: u64) -> Timestamp {
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    Timestamp::from_millis(FIRST_MILLIS.saturating_add(number.saturating_mul(STEP_MILLIS)))
}

fn renditions(dice: &mut Dice, width: u32, height: u32) -> Outcome<BTreeMap<SizeName, Rendition>> {
    let long_side = width.max(height);
    let rendition = |dice: &mut Dice, long: u32| Rendition {
        format: RenditionFormat::Webp,
        quality: Some(80),
        width: width * long / long_side,
        height: height * long / long_side,
        size_bytes: i64::from(long) * 200 + i64::try_from(dice.below(9_999)).unwrap_or(0),
    };
    SIZES.iter().map(|(name, long)| Ok((name.parse()?, rendition(dice, *long)))).collect()
}

fn exif(dice: &mut Dice, at: Timestamp) -> Exif {
    let camera = pick(dice, &CAMERAS);
    Exif {
        camera: Some(camera.to_owned()),
        lens: None,
        iso: Some(160 << dice.below(6)),
        shutter_speed: Some("1/250".to_owned()),
        aperture: Some(2.8),
        focal_length: Some(23.4),
        taken_at: Some(Timestamp::from_millis(at.as_millis() - 86_400_000)),
        offset_minutes: None,
        gps: Some(Gps {
            latitude: fraction(dice.below(180_000_000)) - 90.0,
            longitude: fraction(dice.below(360_000_000)) - 180.0,
            altitude: None,
        }),
    }
}

/// Millionths.
fn fraction(millionths: u64) -> f64 {
    f64::from(u32::try_from(millionths).unwrap_or(u32::MAX)) / 1e6
}

fn words(dice: &mut Dice, count: usize) -> String {
    let words: Vec<&str> = (0..count).map(|_| word(dice)).collect();
    words.join(" ")
}

fn word(dice: &mut Dice) -> &'static str {
    pick(dice, &WORDS)
}

fn pick<const N: usize>(dice: &mut Dice, of: &[&'static str; N]) -> &'static str {
    let at = dice.below(u64::try_from(N).unwrap_or(1));
    usize::try_from(at).ok().and_then(|at| of.get(at)).copied().unwrap_or_default()
}

/// An entity's JSON as the values of a row.
fn from_json(json: Json) -> Outcome<Value> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(flag),
        Json::String(text) => Value::S(text),
        Json::Number(number) => Value::N(match number.as_i64() {
            Some(int) => int.into(),
            None => Number::from_f64(number.as_f64().unwrap_or(f64::NAN))?,
        }),
        Json::Array(list) => Value::L(list.into_iter().map(from_json).collect::<Outcome<_>>()?),
        Json::Object(map) => Value::M(
            map.into_iter()
                .map(|(name, value)| Ok((name.into(), from_json(value)?)))
                .collect::<Outcome<_>>()?,
        ),
    })
}
