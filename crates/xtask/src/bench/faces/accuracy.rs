//! How often it is right, on labelled faces.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use faces::Faces;
use faces::grouping::{FaceKey, Library, PhotoKey};

use crate::Outcome;
use crate::labelled::{self, Label, Labelled, Pair};
use crate::shared::repository::installed;

/// How often a stranger may be taken for somebody.
const FALSE_ACCEPTS: f64 = 1e-3;

#[derive(Debug)]
pub struct Accuracy {
    pub photos: usize,
    pub persons: usize,
    /// Photos in which a face was found, as a part.
    pub recall: f64,
    /// Pairs of `pairs.txt` that were told right, with thresholds from the other folds: the mean of
    /// all folds, and the standard error.
    pub verification: Option<(f64, f64)>,
    /// Pairs of one person that are recognised if one pair of strangers in a thousand is.
    pub accepted: Option<f64>,
    pub grouping: Grouping,
}

#[derive(Debug)]
pub struct Grouping {
    pub pair_precision: f64,
    pub pair_recall: f64,
    pub b_cubed_f1: f64,
    pub groups: usize,
}

pub fn measure(folder: &Path) -> Outcome<Accuracy> {
    let finder = Faces::load(&installed("models")?)?;
    let labelled = labelled::load(folder, &finder)?;
    if labelled.faces.is_empty() {
        return Err(
            format!("no faces in {}: name/name_0001.jpg is wanted", folder.display()).into()
        );
    }
    Ok(Accuracy {
        photos: labelled.photos,
        persons: persons(&labelled).len(),
        recall: labelled.faces.len() as f64 / labelled.photos as f64,
        verification: verification(&labelled),
        accepted: accepted(&labelled),
        grouping: grouping(&labelled),
    })
}

fn persons(labelled: &Labelled) -> BTreeMap<&str, usize> {
    let mut persons = BTreeMap::new();
    for (name, _) in labelled.faces.keys() {
        *persons.entry(name.as_str()).or_default() += 1;
    }
    persons
}

fn similarity(labelled: &Labelled, one: &Label, other: &Label) -> i32 {
    match (labelled.faces.get(one), labelled.faces.get(other)) {
        (Some(one), Some(other)) => one.vector.similarity(&other.vector).0,
        // A face that was not found is like nobody's.
        _ => i32::MIN,
    }
}

/// As LFW is measured: every fold with the threshold that is best in all others.
fn verification(labelled: &Labelled) -> Option<(f64, f64)> {
    let folds: Vec<Vec<(i32, bool)>> = labelled
        .folds
        .iter()
        .map(|fold| {
            let told = |pair: &Pair| (similarity(labelled, &pair.one, &pair.other), pair.same);
            fold.iter().map(told).collect()
        })
        .collect();
    if folds.len() < 2 {
        return None;
    }
    let right: Vec<f64> = (0..folds.len())
        .filter_map(|left_out| {
            let others = folds.iter().enumerate().filter(|(fold, _)| *fold != left_out);
            let threshold = best_threshold(others.flat_map(|(_, pairs)| pairs.iter().copied()));
            let pairs = folds.get(left_out)?;
            let right = pairs.iter().filter(|(found, same)| (*found >= threshold) == *same).count();
            Some(right as f64 / pairs.len() as f64)
        })
        .collect();
    let count = right.len() as f64;
    let mean = right.iter().sum::<f64>() / count;
    let variance = right.iter().map(|right| (right - mean).powi(2)).sum::<f64>() / (count - 1.0);
    Some((mean, (variance / count).sqrt()))
}

fn best_threshold(pairs: impl Iterator<Item = (i32, bool)>) -> i32 {
    let mut pairs: Vec<(i32, bool)> = pairs.collect();
    pairs.sort_unstable_by(|a, b| b.cmp(a));
    // From the most similar on: each pair more that counts as the same is right or wrong.
    let (mut score, mut best, mut threshold) = (0_i64, 0_i64, i32::MAX);
    for (found, same) in pairs {
        score += if same { 1 } else { -1 };
        if score > best {
            (best, threshold) = (score, found);
        }
    }
    threshold
}

/// Over all pairs there are.
fn accepted(labelled: &Labelled) -> Option<f64> {
    let faces: Vec<_> = labelled.faces.iter().collect();
    let (mut same, mut strangers) = (Vec::new(), Vec::new());
    for (place, (label, face)) in faces.iter().enumerate() {
        for (other_label, other) in faces.iter().skip(place + 1) {
            let found = face.vector.similarity(&other.vector).0;
            if label.0 == other_label.0 { same.push(found) } else { strangers.push(found as i16) }
        }
    }
    let allowed = (strangers.len() as f64 * FALSE_ACCEPTS) as usize;
    strangers.sort_unstable_by(|a, b| b.cmp(a));
    let threshold = i32::from(*strangers.get(allowed)?);
    let recognised = same.iter().filter(|found| **found > threshold).count();
    (!same.is_empty()).then(|| recognised as f64 / same.len() as f64)
}

/// All faces that shape persons, each a photo of its own, in one library.
fn grouping(labelled: &Labelled) -> Grouping {
    let names: Vec<&str> = labelled.faces.keys().map(|(name, _)| name.as_str()).collect();
    let mut library = Library::new();
    for (key, face) in (0..).zip(labelled.faces.values()) {
        library.add(FaceKey(key), PhotoKey(key), face.vector, face.quality.shapes);
    }
    library.regroup();
    let groups: Vec<Vec<&str>> = library
        .groups()
        .map(|group| {
            let name = |face: &FaceKey| names.get(usize::try_from(face.0).ok()?).copied();
            group.faces.iter().filter_map(name).collect()
        })
        .collect();
    judge(&groups)
}

/// How well groups of names are groups of one name each.
pub fn judge(groups: &[Vec<&str>]) -> Grouping {
    let mut of_name: HashMap<&str, f64> = HashMap::new();
    for name in groups.iter().flatten() {
        *of_name.entry(name).or_default() += 1.0;
    }
    let pairs = |count: f64| count * (count - 1.0) / 2.0;
    let (mut together, mut right, mut precision, mut recall) = (0.0, 0.0, 0.0, 0.0);
    for group in groups {
        let size = group.len() as f64;
        together += pairs(size);
        let mut here: HashMap<&str, f64> = HashMap::new();
        for name in group {
            *here.entry(name).or_default() += 1.0;
        }
        for (name, count) in here {
            right += pairs(count);
            precision += count * count / size;
            recall += count * count / of_name.get(name).copied().unwrap_or(count);
        }
    }
    let faces: f64 = of_name.values().sum();
    let wanted: f64 = of_name.values().map(|count| pairs(*count)).sum();
    let (precision, recall) = (precision / faces, recall / faces);
    Grouping {
        pair_precision: if together > 0.0 { right / together } else { 1.0 },
        pair_recall: if wanted > 0.0 { right / wanted } else { 1.0 },
        b_cubed_f1: 2.0 * precision * recall / (precision + recall),
        groups: groups.len(),
    }
}
