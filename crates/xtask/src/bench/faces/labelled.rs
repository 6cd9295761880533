//! A folder of labelled faces in the layout of LFW: `name/name_0001.jpg`, and `pairs.txt`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use faces::{Faces, Found};

use crate::Outcome;
use crate::picture::Picture;

/// A photo of somebody: which one of them.
pub type Label = (String, u32);

/// Two photos, and whether they show the same person.
pub struct Pair {
    pub one: Label,
    pub other: Label,
    pub same: bool,
}

/// The face of every photo in which one was found.
pub struct Labelled {
    pub photos: usize,
    pub faces: BTreeMap<Label, Found>,
    /// In folds; empty without `pairs.txt`.
    pub folds: Vec<Vec<Pair>>,
}

pub fn load(folder: &Path, finder: &Faces) -> Outcome<Labelled> {
    let mut faces = BTreeMap::new();
    let photos = photos(folder)?;
    for (label, path) in &photos {
        let picture = Picture::from_jpeg(&fs::read(path)?)?;
        faces.extend(
            nearest_to_middle(finder.find(&picture.pixels()?)?).map(|face| (label.clone(), face)),
        );
    }
    let pairs = folder.join("pairs.txt");
    let folds = if pairs.exists() { folds(&fs::read_to_string(pairs)?)? } else { Vec::new() };
    Ok(Labelled { photos: photos.len(), faces, folds })
}

/// The person a photo is of is in its middle; others may be on it too.
fn nearest_to_middle(found: Vec<Found>) -> Option<Found> {
    let distance = |face: &Found| {
        let bounds = face.bounds;
        (bounds.left + bounds.width / 2.0 - 0.5).hypot(bounds.top + bounds.height / 2.0 - 0.5)
    };
    found.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

fn photos(folder: &Path) -> Outcome<Vec<(Label, PathBuf)>> {
    let mut photos = Vec::new();
    for person in fs::read_dir(folder)? {
        let person = person?.path();
        if !person.is_dir() {
            continue;
        }
        for photo in fs::read_dir(person)? {
            let path = photo?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            if let Some((name, number)) = stem.rsplit_once('_') {
                photos.push(((name.to_owned(), number.parse()?), path.clone()));
            }
        }
    }
    photos.sort();
    Ok(photos)
}

/// The first line says how many folds there are, and how many pairs of either kind each has.
fn folds(text: &str) -> Outcome<Vec<Vec<Pair>>> {
    let mut lines = text.lines();
    let first = lines.next().ok_or("pairs.txt is empty")?;
    let mut sizes = first.split_whitespace().map(str::parse::<usize>);
    let pairs = lines.map(pair).collect::<Outcome<Vec<Pair>>>()?;
    let (count, each) = match (sizes.next(), sizes.next()) {
        (Some(count), Some(each)) => (count?, each?),
        _ => (1, pairs.len().div_ceil(2)),
    };
    let mut pairs = pairs.into_iter();
    Ok((0..count).map(|_| pairs.by_ref().take(2 * each).collect()).collect())
}

fn pair(line: &str) -> Outcome<Pair> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        [name, one, other] => Ok(Pair {
            one: ((*name).to_owned(), one.parse()?),
            other: ((*name).to_owned(), other.parse()?),
            same: true,
        }),
        [name, one, other_name, other] => Ok(Pair {
            one: ((*name).to_owned(), one.parse()?),
            other: ((*other_name).to_owned(), other.parse()?),
            same: false,
        }),
        _ => Err(format!("pairs.txt: {line:?} is no pair").into()),
    }
}
