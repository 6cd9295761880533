//! Damaged files end in renditions or in an error that blames the file, in bounded time.
//!
//! A short, seeded run of what `scripts/fuzz render` does for as long as it is let.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod bombs;
mod damage;
mod fixture;
mod raw_file;

use std::time::{Duration, Instant};

use fixture::fixtures;
use imaging::{Error, Limits, RenderOptions, Rendered, Renderer, probe};
use model::{Fit, RenditionFormat, SizeSpec};
use rand::SeedableRng;
use rand::rngs::StdRng;

/// Ends also on a busy machine.
const TIME_MAX: Duration = Duration::from_secs(10);

#[test]
fn damaged_files_are_rendered_or_refused() {
    let seed = testkit::seed::seed_from_env_or_random("hostile_render");
    let mut random = StdRng::seed_from_u64(seed);
    let mut render = Render::new();
    for (name, file) in fixtures() {
        render.run(&name, &file).unwrap_or_else(|error| panic!("{name}, undamaged: {error}"));
        for _ in 0..25 {
            let damaged = damage::damaged(&file, &mut random);
            check(&name, render.run(&name, &damaged));
        }
        for eighths in 1..8 {
            check(&name, render.run(&name, &file[..file.len() * eighths / 8]));
        }
    }
}

#[test]
fn previews_of_raw_files_are_rendered() {
    let mut render = Render::new();
    for (name, file) in raw_file::raw_files() {
        let rendered = render.run(name, &file).unwrap_or_else(|error| panic!("{name}: {error}"));
        // Turned by a quarter.
        assert_eq!((rendered.facts.width, rendered.facts.height), (48, 64), "{name}");
    }
}

/// Found by fuzzing.
#[test]
fn a_file_without_pixels_is_refused() {
    let file = include_bytes!("hostile/no_data.avif");
    let probe = probe(file).unwrap();
    let sizes = model::default_sizes();
    let options = RenderOptions::default();
    let rendered = Renderer::new().render(file, &probe, &sizes, &options);
    assert!(matches!(rendered, Err(Error::Truncated { .. })), "{rendered:?}");
}

#[test]
fn bombs_are_refused_before_they_are_decoded() {
    let mut render = Render::new();
    for (name, file, expected) in bombs::bombs() {
        if expected == "fine" {
            check(name, render.run(name, &file));
            continue;
        }
        let error = render.run(name, &file).expect_err(name);
        assert_eq!(error.code(), expected, "{name}");
    }
}

fn check(name: &str, outcome: Result<Rendered, Error>) {
    match outcome {
        Ok(rendered) => {
            for size in rendered.renditions {
                assert!(probe(&size.bytes).is_ok(), "{name}: a rendition that is no image");
            }
        }
        Err(Error::Internal { what }) => panic!("{name}: blamed on ourselves: {what}"),
        Err(_) => {}
    }
}

struct Render {
    renderer: Renderer,
    sizes: [SizeSpec; 2],
}

impl Render {
    fn new() -> Self {
        let size = |name: &str, fit, format| {
            SizeSpec::new(name.parse().unwrap(), (40, 40), fit, format, 60).unwrap()
        };
        let large = size("large", Fit::Inside, RenditionFormat::Webp);
        let small = size("small", Fit::Cover, RenditionFormat::Jpeg);
        Self { renderer: Renderer::new(), sizes: [large, small] }
    }

    fn run(&mut self, name: &str, file: &[u8]) -> Result<Rendered, Error> {
        let started = Instant::now();
        // Damage to a size must not make the test wait for a picture of 100 megapixels.
        let limits = Limits::default();
        let found = probe(file)?;
        found.check(&limits, &self.sizes)?;
        let limits = Limits { pixels: 1 << 20, ..limits };
        let options = RenderOptions { limits, ..RenderOptions::default() };
        let rendered = self.renderer.render(file, &found, &self.sizes, &options);
        let took = started.elapsed();
        assert!(took <= TIME_MAX, "{name}: took {took:?}");
        rendered
    }
}
