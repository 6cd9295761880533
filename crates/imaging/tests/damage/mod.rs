//! Files damaged as disks, networks and attackers do it.

use rand::RngExt;
use rand::rngs::StdRng;

/// The file, damaged in one to seven places.
pub fn damaged(file: &[u8], random: &mut StdRng) -> Vec<u8> {
    let mut file = file.to_vec();
    for _ in 0..random.random_range(1..8) {
        damage(&mut file, random);
    }
    file
}

fn damage(file: &mut Vec<u8>, random: &mut StdRng) {
    // Headers are at the beginning of most files, and worth most.
    let reach = if random.random() { file.len() } else { file.len().min(200) };
    let at = random.random_range(0..reach);
    match random.random_range(0..6) {
        0 => file[at] ^= 1 << random.random_range(0..8),
        1 => file[at] = random.random(),
        2 => file[at] = *[0, 1, 0x7f, 0x80, 0xff].get(random.random_range(0..5)).unwrap(),
        3 => {
            let end = (at + 4).min(file.len());
            file[at..end].fill(0xff);
        }
        4 => {
            let end = (at + random.random_range(1..64)).min(file.len());
            let copy = file[at..end].to_vec();
            file.splice(at..at, copy);
        }
        _ => {
            let end = (at + random.random_range(1..16)).min(file.len());
            file.drain(at..end);
            file.push(0);
        }
    }
}
