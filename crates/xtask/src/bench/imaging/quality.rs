//! How close renditions come to the reference, by SSIMULACRA2: 100 is the same, 90 cannot be told
//! apart, 70 is good.

use std::fs;
use std::path::Path;
use std::thread;

use model::Fit;
use ssimulacra2::{ColorPrimaries, Rgb, TransferCharacteristic, compute_frame_ssimulacra2};

use crate::Outcome;
use crate::contender::Contender;
use crate::photos::{Kind, PhotoFile, Photos, read_pixels};
use crate::plan::{Job, Size};
use crate::reference::{FloatPixels, Pixels};
use crate::results::{Judged, Results};
use crate::worker::Worker;

/// A rendition as it may ideally look: in one way, or cut at different places. The one that a
/// contender comes closest to counts, so that no way of rounding is called worse.
type References = Vec<FloatPixels>;

/// Judges what every contender makes of every photo of a kind.
pub fn judge(
    job: &Job,
    contenders: &[Contender],
    photos: &Photos,
    folder: &Path,
    results: &mut Results,
) -> Outcome {
    for photo in &photos.photos {
        let references = references(job, photo, photos.kind)?;
        let judged: Vec<Outcome<Vec<Judged>>> = thread::scope(|scope| {
            let judges: Vec<_> = contenders
                .chunks(contenders.len().div_ceil(2))
                .map(|some| {
                    let references = &references;
                    scope.spawn(move || {
                        let each = some.iter().filter(|one| one.reads(photos.kind));
                        each.map(|one| scores(*one, job, photo, references, folder)).collect()
                    })
                })
                .collect();
            judges
                .into_iter()
                .flat_map(|judge| judge.join().unwrap_or_else(|_| vec![Err("a judge died".into())]))
                .collect()
        });
        let able = contenders.iter().filter(|one| one.reads(photos.kind));
        for (contender, scores) in able.zip(judged) {
            for (size, made) in job.sizes.iter().zip(scores?) {
                results.add_rendition(photos.kind, *contender, &size.name, made);
            }
        }
    }
    Ok(())
}

/// What each rendition should look like.
fn references(job: &Job, photo: &PhotoFile, kind: Kind) -> Outcome<Vec<References>> {
    let original = photo.decode(kind)?;
    Ok(job.sizes.iter().map(|size| reference(&original, size)).collect())
}

fn reference(original: &Pixels, size: &Size) -> References {
    let (width, height) = (size.width as usize, size.height as usize);
    match size.fit {
        Fit::Cover if original.width >= width && original.height >= height => {
            original.covering(width, height)
        }
        Fit::Cover => original.covering(original.width.min(width), original.height.min(height)),
        Fit::Inside => {
            let (width, height) = inside((original.width, original.height), (width, height));
            vec![original.resized(width, height)]
        }
    }
}

/// The size of a picture that is made to fit into a box.
fn inside(picture: (usize, usize), into: (usize, usize)) -> (usize, usize) {
    let (width, height) = (picture.0 as f64, picture.1 as f64);
    let scale = f64::min(into.0 as f64 / width, into.1 as f64 / height).min(1.0);
    ((width * scale).round() as usize, (height * scale).round() as usize)
}

fn scores(
    contender: Contender,
    job: &Job,
    photo: &PhotoFile,
    references: &[References],
    folder: &Path,
) -> Outcome<Vec<Judged>> {
    let out = tempfile::tempdir_in(folder)?;
    let mut worker = Worker::start(&contender.command(job, 1)?, &crate::measure::cores()?)?;
    let path = photo.name().ok_or("a photo without a name")?;
    worker.write(path, out.path()).map_err(|error| format!("{contender}: {error}"))?;
    drop(worker);
    let each = job.sizes.iter().zip(references);
    each.map(|(size, references)| {
        let file = out.path().join(format!("{}.webp", size.name));
        judged(&file, references)
            .map_err(|error| format!("{contender}, {}: {error}", size.name).into())
    })
    .collect()
}

fn judged(file: &Path, references: &References) -> Outcome<Judged> {
    let bytes = fs::read(file)?;
    if has_metadata(&bytes) {
        return Err("the rendition tells what the camera wrote".into());
    }
    Ok(Judged { score: best_score(file, references)?, bytes: bytes.len() as u64 })
}

fn best_score(file: &Path, references: &References) -> Outcome<f64> {
    let made = read_pixels(file)?;
    let scores: Vec<f64> =
        references.iter().map(|reference| score(&made, reference)).collect::<Result<_, _>>()?;
    scores.into_iter().max_by(f64::total_cmp).ok_or_else(|| "there is no reference".into())
}

fn score(made: &Pixels, reference: &FloatPixels) -> Outcome<f64> {
    if (made.width, made.height) != (reference.width, reference.height) {
        let (have, want) = ((made.width, made.height), (reference.width, reference.height));
        return Err(format!("is {have:?} instead of {want:?}").into());
    }
    let (pixels, _) = made.rgb.as_chunks::<3>();
    let pixels = pixels.iter().map(|pixel| pixel.map(|channel| f32::from(channel) / 255.0));
    let made = FloatPixels { rgb: pixels.collect(), ..*reference };
    Ok(compute_frame_ssimulacra2(frame(reference.clone())?, frame(made)?)?)
}

fn frame(pixels: FloatPixels) -> Outcome<Rgb> {
    let FloatPixels { width, height, rgb } = pixels;
    let (curve, primaries) = (TransferCharacteristic::SRGB, ColorPrimaries::BT709);
    Ok(Rgb::new(rgb, width, height, curve, primaries)?)
}

/// Whether a WebP file has a chunk of EXIF or XMP.
fn has_metadata(webp: &[u8]) -> bool {
    let mut rest = webp.get(12..).unwrap_or_default();
    while let Some((head, body)) = rest.split_first_chunk::<8>() {
        let [a, b, c, d, length @ ..] = *head;
        if matches!(&[a, b, c, d], b"EXIF" | b"XMP ") {
            return true;
        }
        let length = u32::from_le_bytes(length).next_multiple_of(2) as usize;
        rest = body.get(length..).unwrap_or_default();
    }
    false
}
