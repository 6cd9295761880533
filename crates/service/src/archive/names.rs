//! Names of files in an archive: good on every system, and no two alike.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Gives out names. Of each that is taken only a checksum is kept: should two be alike, one of them
/// gets a number that it does not need.
#[derive(Default)]
pub(super) struct Names {
    /// Paths that are taken, in small letters, since some systems do not tell them apart.
    taken: HashSet<u64>,
    /// The last number that was put to a name that was wanted more than once.
    numbers: HashMap<u64, u32>,
}

/// Bytes of a name, which leave room for a number: most systems take 255.
const BYTES_MAX: usize = 200;

/// What no file can be called on Windows, whatever its ending.
const RESERVED: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// The same of a folder, several of which stand in one path.
const FOLDER_BYTES_MAX: usize = 80;

impl Names {
    /// The path of a file in a folder (none for the outermost) with a name like this one, that no
    /// other has.
    pub(super) fn give(&mut self, folder: &str, wanted: &str) -> String {
        self.free(folder, &safe(wanted))
    }

    /// The same of a folder.
    pub(super) fn give_folder(&mut self, folder: &str, wanted: &str) -> String {
        let name = safe(wanted);
        // What is cut off may leave an end that no folder can have.
        let name = safe(cut(&name, FOLDER_BYTES_MAX));
        self.free(folder, &name)
    }

    fn free(&mut self, folder: &str, name: &str) -> String {
        let path = join(folder, name);
        let key = key_of(&path);
        if self.taken.insert(key) {
            return path;
        }
        let (stem, ending) = split(name);
        let last = self.numbers.get(&key).copied().unwrap_or(1);
        for number in last.saturating_add(1).. {
            let numbered = join(folder, &format!("{stem} ({number}){ending}"));
            if self.taken.insert(key_of(&numbered)) {
                self.numbers.insert(key, number);
                return numbered;
            }
        }
        path
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

fn key_of(path: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.to_lowercase().hash(&mut hasher);
    hasher.finish()
}

/// The same name without what some system does not take, or would take for something else.
pub(super) fn safe(name: &str) -> String {
    let is_bad = |c: char| {
        c.is_control()
            || matches!(c, '/' | '\\' | '<' | '>' | ':' | '"' | '|' | '?' | '*')
            // Characters that turn the direction of writing can hide an ending.
            || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    let plain: String = name.chars().map(|c| if is_bad(c) { '_' } else { c }).collect();
    let plain = plain.trim_end_matches(['.', ' ']).trim_start();
    let (stem, ending) = split(plain);
    let stem = cut(stem, BYTES_MAX.saturating_sub(ending.len().min(BYTES_MAX / 2)));
    let ending = cut(ending, BYTES_MAX / 2);
    // Windows looks at what stands before the first dot.
    let device = stem.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let is_reserved = RESERVED.contains(&device.as_str());
    let mark = if stem.is_empty() || is_reserved || stem.starts_with('.') { "_" } else { "" };
    format!("{mark}{stem}{ending}")
}

/// Before and from the last dot; a name that begins with its only dot has no ending.
fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(0) | None => (name, ""),
        Some(dot) => name.split_at_checked(dot).unwrap_or((name, "")),
    }
}

fn cut(text: &str, bytes_max: usize) -> &str {
    let end = (0..=bytes_max.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    end.and_then(|end| text.get(..end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_devices_are_marked_whatever_follows_them() {
        for (name, expected) in [
            ("con.jpg", "_con.jpg"),
            ("Con.edit.jpg", "_Con.edit.jpg"),
            ("nul .jpg", "_nul .jpg"),
            ("concert.jpg", "concert.jpg"),
        ] {
            assert_eq!(safe(name), expected);
        }
    }

    #[test]
    fn equal_names_are_numbered_whatever_their_case() {
        let mut names = Names::default();
        let wanted =
            ["IMG_1.jpg", "img_1.JPG", "IMG_1.jpg", "IMG_1 (2).jpg", "IMG_1.png", "a", "a"];
        let given: Vec<String> = wanted.iter().map(|name| names.give("", name)).collect();
        let expected = [
            "IMG_1.jpg",
            "img_1 (2).JPG",
            "IMG_1 (3).jpg",
            "IMG_1 (2) (2).jpg",
            "IMG_1.png",
            "a",
            "a (2)",
        ];
        assert_eq!(given, expected);
    }

    #[test]
    fn thousands_of_equal_names_are_told_apart() {
        let mut names = Names::default();
        let given: HashSet<String> = (0..5000).map(|_| names.give("2026", "image.jpg")).collect();
        assert_eq!(given.len(), 5000);
    }

    #[test]
    fn names_are_told_apart_within_their_folder() {
        let mut names = Names::default();
        assert_eq!(names.give("", "Summer"), "Summer");
        let summer = names.give_folder("", "Summer");
        assert_eq!(summer, "Summer (2)", "nothing is a file and a folder");
        let may = names.give_folder(&summer, "May/June ");
        assert_eq!(may, "Summer (2)/May_June");
        for expected in ["Summer (2)/May_June/a.jpg", "Summer (2)/May_June/a (2).jpg"] {
            assert_eq!(names.give(&may, "a.jpg"), expected);
        }
        assert_eq!(names.give(&summer, "a.jpg"), "Summer (2)/a.jpg");
        let long = names.give_folder("", &format!("{} .", "long. ".repeat(40)));
        assert!(long.len() <= FOLDER_BYTES_MAX && !long.ends_with(['.', ' ']), "{long:?}");
    }

    #[test]
    fn names_are_good_on_every_system() {
        for (wanted, name) in [
            ("été à la mer.jpg", "été à la mer.jpg"),
            ("a/b\\c:d?.jpg", "a_b_c_d_.jpg"),
            ("CON.jpg", "_CON.jpg"),
            ("name. ", "name"),
            ("..", "_"),
            (".hidden", "_.hidden"),
            ("photo\u{202E}gpj.exe", "photo_gpj.exe"),
        ] {
            assert_eq!(safe(wanted), name, "{wanted:?}");
        }
        let long = safe(&format!("{}.jpeg", "é".repeat(255)));
        assert!(long.len() <= BYTES_MAX && long.ends_with("é.jpeg"), "{long}");
    }
}
