//! Photos in which it is known who is who, and what finds the faces in them: the width of a photo
//! says who is in it, and its height tells photos of the same people apart.

use std::sync::Arc;

use faces::{Bounds, Found, Pixels, Point, Quality, Vector};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use service::{FindFaces, People};

/// How many people there are. The last one looks a little like the first.
pub const PEOPLE: usize = 6;
const WIDTH: u32 = 200;
const HEIGHT: u32 = 120;

/// A photo of these people.
pub fn photo_of(people: &[usize], variation: u32) -> Vec<u8> {
    let mask = people.iter().fold(0_u32, |mask, person| mask | 1 << person);
    bitmap(WIDTH + 4 * mask, HEIGHT + variation)
}

/// Finds the faces in such photos. Different models make different vectors of them, and place them a
/// little differently.
pub struct Painted {
    model: String,
}

impl Painted {
    pub fn people(model: &str) -> People {
        People::On(Arc::new(Self { model: model.to_owned() }))
    }
}

impl FindFaces for Painted {
    fn model(&self) -> &str {
        &self.model
    }

    fn find(&self, pixels: &Pixels<'_>) -> Result<Vec<Found>, faces::Error> {
        let mask = (pixels.width() - WIDTH) / 4;
        let variation = pixels.height() - HEIGHT;
        let there = (0..PEOPLE).filter(|person| mask & (1 << person) != 0);
        Ok(there.map(|person| self.face(person, mask, variation)).collect())
    }
}

impl Painted {
    fn face(&self, person: usize, mask: u32, variation: u32) -> Found {
        let shift = self.model.len() as f32 / 1000.0;
        let left = person as f32 / PEOPLE as f32 + shift;
        let point = Point { x: left + 0.05, y: 0.4 };
        let looks = looks(&self.model, person);
        let mut dice =
            StdRng::seed_from_u64(u64::from(mask * 1000 + variation) * 10 + person as u64);
        let mut embedding = [0.0; Vector::LENGTH];
        for (number, look) in embedding.iter_mut().zip(looks) {
            *number = look + 0.5 / (Vector::LENGTH as f32).sqrt() * bell(&mut dice);
        }
        Found {
            bounds: Bounds { left, top: 0.3, width: 0.1, height: 0.3 },
            landmarks: [point; 5],
            confidence: 0.9,
            quality: Quality {
                size: 0.9,
                sharpness: 0.9,
                pose: 0.9,
                total: 0.5 + variation as f32 / 1000.0,
                shapes: true,
            },
            vector: Vector::quantised(&embedding).unwrap(),
        }
    }
}

fn looks(model: &str, person: usize) -> [f32; Vector::LENGTH] {
    let seed = model
        .bytes()
        .fold(person as u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut dice = StdRng::seed_from_u64(seed);
    let own = of_length_one(std::array::from_fn(|_| bell(&mut dice)));
    if person + 1 < PEOPLE {
        return own;
    }
    // Alike enough to be asked about, and not enough to be taken for one.
    let other = looks(model, 0);
    let common: f32 = own.iter().zip(other).map(|(own, other)| own * other).sum();
    let unlike = of_length_one(std::array::from_fn(|n| own[n] - common * other[n]));
    std::array::from_fn(|n| 0.47 * other[n] + 0.883 * unlike[n])
}

fn of_length_one(numbers: [f32; Vector::LENGTH]) -> [f32; Vector::LENGTH] {
    let length = numbers.iter().map(|number| number * number).sum::<f32>().sqrt();
    numbers.map(|number| number / length)
}

/// About a normal distribution.
fn bell(dice: &mut StdRng) -> f32 {
    (0..12).map(|_| dice.random::<f32>()).sum::<f32>() - 6.0
}

/// A grey bitmap. The width must be a multiple of four.
fn bitmap(width: u32, height: u32) -> Vec<u8> {
    let data = vec![127_u8; width as usize * height as usize * 3];
    let mut file = b"BM".to_vec();
    let size = u32::try_from(54 + data.len()).unwrap();
    for number in [size, 0, 54, 40, width, height] {
        file.extend_from_slice(&number.to_le_bytes());
    }
    file.extend_from_slice(&[1, 0, 24, 0]);
    file.extend_from_slice(&[0; 24]);
    file.extend_from_slice(&data);
    file
}
