//! Random searches, as somebody would write them.

use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;

use crate::library::{ARTISTS, CAMERAS, Library, MONTHS, PLACES, TAGS, WORDS, one_of};

pub fn text(library: &Library, dice: &mut StdRng) -> String {
    let parts: Vec<String> = (0..dice.random_range(0..4)).map(|_| part(library, dice)).collect();
    parts.join(" ")
}

fn part(library: &Library, dice: &mut StdRng) -> String {
    let sign = if dice.random_bool(0.2) { "-" } else { "" };
    let part = match dice.random_range(0..19) {
        0..=3 => one_of(&WORDS, dice).to_owned(),
        4 => one_of(&WORDS, dice).chars().take(2).collect(),
        5 => format!("\"{} {}\"", one_of(&WORDS, dice), one_of(&WORDS, dice)),
        6..=7 => format!("tag:\"{}\"", one_of(&TAGS, dice)),
        8 => format!("album:{}", one_of(&WORDS, dice)),
        9 => match library.albums.choose(dice) {
            Some(album) => format!("album:{}", album.id),
            None => "is:private".to_owned(),
        },
        10 => match library.persons.choose(dice).filter(|_| dice.random_bool(0.3)) {
            Some(person) => format!("person:{}", person.id),
            None if dice.random_bool(0.5) => "person:me".to_owned(),
            None => format!("person:{}", one_of(&WORDS, dice)),
        },
        11 => match dice.random_range(0..3) {
            0 => "owner:me".to_owned(),
            1 => format!("owner:{}", library.users.choose(dice).unwrap().email),
            _ => format!("owner:{}", library.users.choose(dice).unwrap().id),
        },
        12 => format!("type:{}", one_of(&["jpeg", "png"], dice)),
        13 => format!("camera:\"{}\"", one_of(&CAMERAS, dice)),
        14 => match dice.random_range(0..4) {
            0 => format!("taken:{}", one_of(&MONTHS, dice)),
            1 => format!("taken:{}..", one_of(&MONTHS, dice)),
            2 => format!("taken:..{}", one_of(&MONTHS, dice)),
            _ => "taken:2023..2025".to_owned(),
        },
        15 => format!("artist:\"{}\"", one_of(&ARTISTS, dice)),
        16 => format!("place:\"{}\"", one_of(&PLACES, dice)),
        17 => format!("rating:{}", one_of(&["5", "3..", "..2", "2..4", ">=1"], dice)),
        _ => format!("is:{}", one_of(&["favourite", "shared", "private", "failed"], dice)),
    };
    format!("{sign}{part}")
}
