//! Images with everything that a real one has, made from dice, and their rows as the catalog
//! writes them.

use std::collections::BTreeMap;

use model::{
    Exif, Facts, Gps, Image, ImageId, ImageStatus, MediaType, Original, Rendition, RenditionFormat,
    SizeName, Timestamp, UserId, Visibility,
};
use serde_json::Value as Json;
use table::{Item, Key, Number, Value};

use super::dice::Dice;
use crate::Outcome;

/// What the places of images in their owner's list begin with.
pub const UPLOADED: &str = "UPLOADED#";
/// 2023-01-01, when the first image came.
pub const FIRST_MILLIS: i64 = 1_672_531_200_000;
/// Between two images: a million take three years.
const STEP_MILLIS: i64 = 94_608;
const WORDS: [&str; 24] = [
    "beach", "evening", "family", "garden", "harbour", "island", "journey", "kitchen", "lake",
    "market", "mountain", "museum", "night", "orchard", "picnic", "quarry", "river", "summer",
    "tower", "uncle", "valley", "winter", "yard", "zoo",
];
const CAMERAS: [&str; 4] =
    ["FUJIFILM X-T5", "Canon EOS R6m2", "Apple iPhone 15 Pro", "NIKON CORPORATION NIKON Z 6_2"];

/// When the image of this number came.
pub fn uploaded_at(number: u64) -> Timestamp {
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    Timestamp::from_millis(FIRST_MILLIS.saturating_add(number.saturating_mul(STEP_MILLIS)))
}

/// The key of an image's row.
pub fn image_key(image: ImageId) -> Key {
    Key::new(format!("IMAGE#{image}"), "METADATA")
}

/// An image that was uploaded at this moment and has all its renditions: of each, its name and
/// its long side.
pub fn image(
    id: ImageId,
    owner: UserId,
    at: Timestamp,
    sizes: &[(&str, u32)],
    dice: &mut Dice,
) -> Outcome<Image> {
    let mut image = Image::pending(id, owner, at);
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
        shown: model::Shown::Whole,
        thumbhash: Some(format!("{:028x}==", dice.next_u128() >> 16)),
        color: Some(format!("#{:06x}", dice.below(1 << 24))),
        perceptual_hash: Some(format!("{:016x}", dice.next())),
    });
    image.renditions = renditions(dice, sizes, width, height)?;
    image.processed_at = Some(Timestamp::from_millis(at.as_millis() + 900));
    image.uploaded_at = Some(at);
    image.title = Some(words(dice, 3).parse()?);
    image.tags = vec![word(dice).parse()?];
    image.exif = Some(exif(dice, at));
    Ok(image)
}

/// The row of an image that everybody may see: the serde form of the image, and its places in its
/// owner's list and in the feed.
pub fn image_row(image: &Image) -> Outcome<Item> {
    let Value::M(attributes) = from_json(serde_json::to_value(image)?)? else {
        return Err("an image is a map".into());
    };
    let month: String = image.created_at.to_string().chars().take(7).collect();
    let shard = image.id.to_string().bytes().last().unwrap_or_default() % 4;
    let place = place(image);
    Ok(Item::of(image_key(image.id), attributes)
        .with("GSI1PK", format!("USER#{}", image.owner))
        .with("GSI1SK", place.as_str())
        .with("GSI3PK", format!("FEED#{month}#{shard}"))
        .with("GSI3SK", place))
}

/// Where an image stands in lists by upload.
pub fn place(image: &Image) -> String {
    format!("{UPLOADED}{}#{}", image.created_at, image.id)
}

fn renditions(
    dice: &mut Dice,
    sizes: &[(&str, u32)],
    width: u32,
    height: u32,
) -> Outcome<BTreeMap<SizeName, Rendition>> {
    let long_side = width.max(height);
    let rendition = |dice: &mut Dice, long: u32| Rendition {
        format: RenditionFormat::Webp,
        quality: Some(80),
        width: width * long / long_side,
        height: height * long / long_side,
        size_bytes: i64::from(long) * 200 + i64::try_from(dice.below(9_999)).unwrap_or(0),
    };
    sizes.iter().map(|(name, long)| Ok((name.parse()?, rendition(dice, *long)))).collect()
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
