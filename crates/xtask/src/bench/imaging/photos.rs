//! The photos that are rendered, as files.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use image::{ImageFormat, ImageReader, RgbImage};
use testkit::photos::{Photo, take};
use turbojpeg::{Image, PixelFormat};

use crate::Outcome;
use crate::contender;
use crate::plan::Plan;
use crate::reference::Pixels;
use crate::shared::photo_file::jpeg_file;

/// How many names every photo has: no contender shall find one in a cache that it has opened by
/// the same name before.
const NAMES: usize = 2;

/// EXIF's number for "turn a quarter clockwise", which every third photo has.
const TURNED: u8 = 6;
const UPRIGHT: u8 = 1;

/// Quarters clockwise that a photo is to be turned by, by EXIF's number. Cameras write no others.
const QUARTERS: [(u8, usize); 4] = [(UPRIGHT, 0), (TURNED, 1), (3, 2), (8, 3)];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Jpeg,
    LargeJpeg,
    Png,
    Webp,
    Heic,
}

/// Photos of one kind.
pub struct Photos {
    pub kind: Kind,
    pub photos: Vec<PhotoFile>,
    /// One more name of the first photo, for a warm-up.
    pub warm_up: PathBuf,
}

pub struct PhotoFile {
    /// The same file under several names.
    pub names: Vec<PathBuf>,
    pub bytes: u64,
    orientation: u8,
    /// What decoders make of it, if it takes one that is not at hand here.
    decoded: Option<PathBuf>,
}

impl Kind {
    pub const ALL: [Self; 5] = [Self::Jpeg, Self::LargeJpeg, Self::Png, Self::Webp, Self::Heic];

    /// Those that can be written without anything installed.
    pub const OWN: [Self; 3] = [Self::Jpeg, Self::LargeJpeg, Self::Png];

    fn extension(self) -> &'static str {
        match self {
            Self::Jpeg | Self::LargeJpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Heic => "heic",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Jpeg => "JPEG",
            Self::LargeJpeg => "large JPEG",
            Self::Png => "PNG",
            Self::Webp => "WebP",
            Self::Heic => "HEIC",
        })
    }
}

impl Photos {
    /// Takes and writes the photos of a kind into a folder.
    pub fn write(plan: &Plan, kind: Kind, folder: &Path) -> Outcome<Self> {
        let folder = folder.join(kind.to_string());
        fs::create_dir(&folder)?;
        let (width, height) = plan.size;
        let (size, count, first_seed) = match kind {
            Kind::Jpeg => (plan.size, plan.photos, plan.seed),
            Kind::LargeJpeg => ((2 * width, 2 * height), plan.others, plan.seed + 100),
            Kind::Png | Kind::Webp | Kind::Heic => (plan.size, plan.others, plan.seed + 200),
        };
        let mut photos = Vec::with_capacity(count);
        for number in 0..count {
            let photo = take(first_seed + number as u64, size.0, size.1);
            photos.push(PhotoFile::write(kind, number, &photo, &folder)?);
        }
        Self::with_warm_up(kind, photos, &folder)
    }

    /// The JPEG photos of sRGB in a folder of someone's own.
    pub fn of_others(plan: &Plan, from: &Path, folder: &Path) -> Outcome<Self> {
        let kind = Kind::Jpeg;
        let mut paths: Vec<PathBuf> =
            fs::read_dir(from)?.map(|entry| Ok(entry?.path())).collect::<Outcome<_>>()?;
        paths.sort();
        let mut photos = Vec::new();
        for path in paths {
            let bytes = fs::read(&path)?;
            let Ok(probe) = imaging::probe(&bytes) else { continue };
            let plain = !probe.color_profile.needs_conversion();
            if probe.media_type != model::MediaType::Jpeg || !plain || photos.len() == plan.photos {
                continue;
            }
            let number = photos.len();
            let name = |copy| folder.join(format!("{number}-{copy}.{}", kind.extension()));
            let names: Vec<PathBuf> = (0..NAMES).map(name).collect();
            names.iter().try_for_each(|name| fs::write(name, &bytes))?;
            let orientation = probe.orientation.to_exif();
            photos.push(PhotoFile { names, bytes: bytes.len() as u64, orientation, decoded: None });
        }
        Self::with_warm_up(kind, photos, folder)
    }

    fn with_warm_up(kind: Kind, photos: Vec<PhotoFile>, folder: &Path) -> Outcome<Self> {
        let warm_up = folder.join(format!("warm-up.{}", kind.extension()));
        let first = photos.first().and_then(PhotoFile::name).ok_or("there are no photos")?;
        fs::hard_link(first, &warm_up)?;
        Ok(Self { kind, photos, warm_up })
    }

    /// Every photo as often as it has names, or once.
    pub fn paths(&self, twice: bool) -> Vec<&Path> {
        let names = if twice { NAMES } else { 1 };
        let name = |at: usize| self.photos.iter().filter_map(move |photo| photo.names.get(at));
        (0..names).flat_map(name).map(PathBuf::as_path).collect()
    }

    pub fn mean_bytes(&self) -> u64 {
        self.photos.iter().map(|photo| photo.bytes).sum::<u64>() / self.photos.len().max(1) as u64
    }
}

impl PhotoFile {
    fn write(kind: Kind, number: usize, photo: &Photo, folder: &Path) -> Outcome<Self> {
        let name = |copy| folder.join(format!("{number}-{copy}.{}", kind.extension()));
        let names: Vec<PathBuf> = (0..NAMES).map(name).collect();
        let (Some(path), jpeg) = (names.first(), matches!(kind, Kind::Jpeg | Kind::LargeJpeg))
        else {
            return Err("a photo without a name".into());
        };
        let orientation = if jpeg && number % 3 == 2 { TURNED } else { UPRIGHT };
        let mut decoded = None;
        match kind {
            Kind::Jpeg | Kind::LargeJpeg => fs::write(path, jpeg_file(photo, orientation)?)?,
            Kind::Png => write_png(photo, path)?,
            Kind::Webp | Kind::Heic => {
                let (from, to) = (path.with_extension("from.png"), path.with_extension("to.png"));
                write_png(photo, &from)?;
                contender::convert(&from, path, &to)?;
                fs::remove_file(from)?;
                decoded = Some(to);
            }
        }
        for other in names.iter().skip(1) {
            fs::hard_link(path, other)?;
        }
        let bytes = fs::metadata(path)?.len();
        Ok(Self { names, bytes, orientation, decoded })
    }

    pub fn name(&self) -> Option<&Path> {
        self.names.first().map(PathBuf::as_path)
    }

    /// The pixels, upright.
    pub fn decode(&self, kind: Kind) -> Outcome<Pixels> {
        let path = self.name().ok_or("a photo without a name")?;
        let mut pixels = match (&self.decoded, kind) {
            (Some(decoded), _) => read_pixels(decoded)?,
            (None, Kind::Jpeg | Kind::LargeJpeg) => {
                let image = turbojpeg::decompress(&fs::read(path)?, PixelFormat::RGB)?;
                let Image { pixels: rgb, width, height, .. } = image;
                Pixels { width, height, rgb }
            }
            (None, _) => read_pixels(path)?,
        };
        let quarters = QUARTERS.iter().find(|(number, _)| *number == self.orientation);
        for _ in 0..quarters.ok_or("a mirrored photo")?.1 {
            pixels = pixels.turned();
        }
        Ok(pixels)
    }
}

/// The pixels of a PNG or WebP file.
pub fn read_pixels(path: &Path) -> Outcome<Pixels> {
    let image = ImageReader::open(path)?.decode()?.into_rgb8();
    let (width, height) = (image.width() as usize, image.height() as usize);
    Ok(Pixels { width, height, rgb: image.into_raw() })
}

fn write_png(photo: &Photo, path: &Path) -> Outcome {
    let (width, height) = (u32::try_from(photo.width)?, u32::try_from(photo.height)?);
    let image = RgbImage::from_raw(width, height, photo.rgb.clone()).ok_or("too few pixels")?;
    image.save_with_format(path, ImageFormat::Png)?;
    Ok(())
}
