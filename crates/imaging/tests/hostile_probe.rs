//! Whatever the bytes, the probe ends at once, with an answer or a clean error.
//!
//! One test in one process, so that what it allocates can be counted.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod bombs;
mod damage;
mod fixture;
mod raw_file;

use std::alloc::System;
use std::time::{Duration, Instant};

use cap::Cap;
use fixture::fixtures;
use imaging::{Error, Limits, Probe, probe};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

#[global_allocator]
static ALLOCATED: Cap<System> = Cap::new(System, usize::MAX);

/// Everything a probe allocates, even if it is freed in between: a profile of 4 MiB is inflated
/// into a buffer that doubles, and copied once.
const ALLOCATED_BYTES_MAX: usize = 24 << 20;
/// Ends also on a busy machine and without optimisation.
const TIME_MAX: Duration = Duration::from_secs(2);

#[test]
fn hostile_files_end_at_once() {
    let seed = testkit::seed::seed_from_env_or_random("hostile_probe");
    let mut random = StdRng::seed_from_u64(seed);
    let mut files = fixtures();
    files.extend(raw_file::raw_files().into_iter().map(|(name, file)| (name.to_owned(), file)));
    cut_off_at_every_length(&files);
    damaged_in_places(&files, &mut random);
    nothing_but_noise(&files, &mut random);
    bombs_go_off_harmlessly();
}

/// What is known from a prefix is what is known from the whole.
fn cut_off_at_every_length(files: &[(String, Vec<u8>)]) {
    for (name, file) in files {
        let whole = probe(file).expect(name);
        let mut known = false;
        for length in 0..file.len() {
            match bounded(name, &file[..length]) {
                Ok(part) if whole.preview.is_none() => {
                    known = true;
                    assert_eq!((part.width, part.height), (whole.width, whole.height), "{name}");
                    assert_eq!(part.bit_depth, whole.bit_depth, "{name} at {length}");
                    assert_eq!(part.color_model, whole.color_model, "{name} at {length}");
                }
                Ok(_) => known = true,
                Err(error) => {
                    let code = error.code();
                    assert!(!known, "{name} at {length} is unknown again: {code}");
                    assert_eq!(code, "truncatedImage", "{name} at {length}: {error}");
                }
            }
        }
    }
}

fn damaged_in_places(files: &[(String, Vec<u8>)], random: &mut StdRng) {
    for (name, file) in files {
        for _ in 0..400 {
            let _ = bounded(name, &damage::damaged(file, random));
        }
    }
}

/// Noise after the first bytes of every format.
fn nothing_but_noise(files: &[(String, Vec<u8>)], random: &mut StdRng) {
    for (name, file) in files {
        for length in [0, 1, 10, 100, 1_000, 10_000] {
            let head = &file[..random.random_range(0..40).min(file.len())];
            let noise = (0..length).map(|_| random.random::<u8>());
            let _ = bounded(name, &head.iter().copied().chain(noise).collect::<Vec<_>>());
        }
    }
}

fn bombs_go_off_harmlessly() {
    for (name, file, expected) in bombs::bombs() {
        let outcome = bounded(name, &file).and_then(|probe| probe.check(&Limits::default(), &[]));
        assert_eq!(outcome.err().map_or("fine", |error| error.code()), expected, "{name}");
    }
}

/// Probes, and fails if it took too long or too much memory.
fn bounded(name: &str, file: &[u8]) -> Result<Probe, Error> {
    let (before, started) = (ALLOCATED.total_allocated(), Instant::now());
    let found = probe(file);
    if let Ok(found) = &found {
        let _ =
            (found.check(&Limits::default(), &[]), found.decoded_bytes(&[]), found.display_size());
    }
    let (allocated, took) = (ALLOCATED.total_allocated() - before, started.elapsed());
    assert!(allocated <= ALLOCATED_BYTES_MAX, "{name}: {allocated} bytes allocated");
    assert!(took <= TIME_MAX, "{name}: took {took:?}");
    found
}
