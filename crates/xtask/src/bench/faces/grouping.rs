//! Grouping as the library grows: what one more face costs, and what all of them take in memory.

use std::process::Command;
use std::time::{Duration, Instant};

use faces::Vector;
use faces::grouping::{FaceKey, Library, PhotoKey};
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::shared::dice::Dice;
use crate::shared::format::grouped;
use crate::shared::machine::memory_of;
use crate::shared::say;

/// The argument that makes our process group faces.
pub const OWN: &str = "group-faces";

const FACES_PER_PERSON: u32 = 10;
/// Faces that are added one by one, and then in batches.
const ADDED: u32 = 200;
/// Faces that come together: what a handful of photos brings.
const BATCH: u32 = 8;
/// How far faces are from their person, as part of the way: two of them have .64 in common.
const SPREAD: f32 = 0.75;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Grouped {
    pub persons: u32,
    pub faces: usize,
    pub groups: usize,
    /// Of one face that comes alone.
    pub median: Duration,
    pub p99: Duration,
    /// Of each face of a batch.
    pub in_batches: Duration,
    /// Of a face that goes.
    pub removing: Duration,
    pub resident_bytes: u64,
    pub peak_bytes: u64,
}

pub fn measure(sizes: &[u32]) -> Outcome<Vec<Grouped>> {
    let mut all = Vec::new();
    for persons in sizes.iter().filter(|persons| **persons > 0) {
        let output =
            Command::new(std::env::current_exe()?).args([OWN, &persons.to_string()]).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        all.push(serde_json::from_slice(&output.stdout)?);
        say(format_args!("{} persons are grouped", grouped((*persons).into())));
    }
    Ok(all)
}

/// Our process: how many persons.
pub fn group(arguments: &[String]) -> Outcome {
    let persons = arguments.first().ok_or("how many persons?")?.parse()?;
    println!("{}", serde_json::to_string(&measure_one(persons)?)?);
    Ok(())
}

fn measure_one(persons: u32) -> Outcome<Grouped> {
    let mut library = fill(persons)?;
    let groups = library.groups().count();
    let mut dice = Dice::new(17, 0);
    let mut singly = Vec::new();
    for number in 0..ADDED {
        let (key, vector) = new_face(persons, number, &mut dice)?;
        let started = Instant::now();
        library.add(FaceKey(key), PhotoKey(key), vector, true);
        library.regroup();
        singly.push(started.elapsed());
    }
    singly.sort_unstable();
    let at = |percent: usize| singly.get(singly.len() * percent / 100).copied().unwrap_or_default();
    let (median, p99) = (at(50), at(99));
    let resident_bytes = memory_of(std::process::id(), "VmRSS")?;
    let in_batches = batches(&mut library, persons, &mut dice)?;
    let started = Instant::now();
    for number in 0..ADDED / 10 {
        library.remove(FaceKey(key_of(persons, number)));
        library.regroup();
    }
    let removing = started.elapsed() / (ADDED / 10);
    let (faces, peak_bytes) = (library.len(), memory_of(std::process::id(), "VmHWM")?);
    Ok(Grouped {
        persons,
        faces,
        groups,
        median,
        p99,
        in_batches,
        removing,
        resident_bytes,
        peak_bytes,
    })
}

fn batches(library: &mut Library, persons: u32, dice: &mut Dice) -> Outcome<Duration> {
    let started = Instant::now();
    for batch in 0..ADDED / BATCH {
        for number in 0..BATCH {
            let (key, vector) = new_face(persons, ADDED + batch * BATCH + number, dice)?;
            library.add(FaceKey(key), PhotoKey(key), vector, true);
        }
        library.regroup();
    }
    Ok(started.elapsed() / (ADDED / BATCH * BATCH))
}

/// Links are made person by person: strangers of this kind have none, and comparing a million faces
/// with each other takes an hour that says nothing. It is how a library is read back after a start.
/// Faces come as photos do, everybody's first before anybody's second, so that those of a person lie
/// far from each other.
fn fill(persons: u32) -> Outcome<Library> {
    let links: Vec<u128> = (0..persons).map(links_of).collect::<Outcome<_>>()?;
    let mut library = Library::new();
    for number in 0..FACES_PER_PERSON {
        for (person, links) in (0..persons).zip(&links) {
            let ends = (0..FACES_PER_PERSON).filter(|end| links & link_bit(number, *end) != 0);
            let ends: Vec<FaceKey> = ends.map(|end| FaceKey(filled_key(person, end))).collect();
            let key = filled_key(person, number);
            library.restore(FaceKey(key), PhotoKey(key), face(person, number)?, true, &ends);
        }
        library.regroup();
    }
    Ok(library)
}

/// Which faces of a person are linked, as bits.
fn links_of(person: u32) -> Outcome<u128> {
    let mut alone = Library::new();
    for number in 0..FACES_PER_PERSON {
        let key = filled_key(person, number);
        alone.add(FaceKey(key), PhotoKey(key), face(person, number)?, true);
    }
    alone.regroup();
    let mut bits = 0;
    for number in 0..FACES_PER_PERSON {
        let ends = alone.links_of(FaceKey(filled_key(person, number)));
        bits |= (0..FACES_PER_PERSON)
            .filter(|end| ends.contains(&FaceKey(filled_key(person, *end))))
            .fold(0, |bits, end| bits | link_bit(number, end));
    }
    Ok(bits)
}

fn link_bit(one: u32, other: u32) -> u128 {
    1 << (one * FACES_PER_PERSON + other)
}

fn filled_key(person: u32, number: u32) -> u128 {
    u128::from(person) << 32 | u128::from(number)
}

/// Every second is of somebody who is there already.
fn new_face(persons: u32, number: u32, dice: &mut Dice) -> Outcome<(u128, Vector)> {
    let known = u32::try_from(dice.below(u64::from(persons)))?;
    let person = if number.is_multiple_of(2) { known } else { persons + number };
    Ok((key_of(persons, number), face(person, FACES_PER_PERSON + number)?))
}

fn key_of(persons: u32, number: u32) -> u128 {
    u128::from(persons + number) << 64
}

/// A face of a person: the same for the same numbers.
fn face(person: u32, number: u32) -> Outcome<Vector> {
    let seed = u64::from(person) << 32;
    let (person, own) = (direction(seed), direction(seed | (u64::from(number) + 1)));
    let mut numbers = person;
    numbers.iter_mut().zip(own).for_each(|(number, own)| *number += SPREAD * own);
    Ok(Vector::quantised(&numbers).ok_or("no direction")?)
}

/// A direction of length one in which no coordinate is special.
fn direction(seed: u64) -> [f32; Vector::LENGTH] {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xd1b5_4a32_d192_ed03;
    let mut numbers = [0.0; Vector::LENGTH];
    for number in &mut numbers {
        // A sum of four even ones is near enough to a normal one.
        *number = (0..4).map(|_| even(&mut state)).sum();
    }
    let length = numbers.iter().map(|x| x * x).sum::<f32>().sqrt();
    numbers.map(|number| number / length)
}

fn even(state: &mut u64) -> f32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let bits = (*state >> 33) as u32;
    bits as f32 / 2_147_483_648.0 - 0.5
}
