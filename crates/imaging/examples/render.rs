//! Renders a file with the default sizes into a folder and tells where the time goes.
//!
//!     cargo run --release -p imaging --example render -- photo.jpg out/ [repetitions]
#![allow(clippy::print_stdout, reason = "this is what it is for")]

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use imaging::{RenderOptions, Renderer, probe};

#[path = "render/steps.rs"]
mod steps;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("usage: render <file> <folder> [repetitions]".into());
    };
    let repetitions: u32 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let bytes = std::fs::read(&file)?;
    let sizes = model::default_sizes();
    let mut renderer = Renderer::new();
    let steps = steps::watch();
    let mut rendered = None;
    let started = Instant::now();
    for _ in 0..repetitions {
        let found = probe(&bytes)?;
        rendered = Some(renderer.render(&bytes, &found, &sizes, &RenderOptions::default())?);
    }
    let took = started.elapsed() / repetitions.max(1);
    let Some(rendered) = rendered else { return Ok(()) };
    std::fs::create_dir_all(&folder)?;
    for size in &rendered.renditions {
        let made = &size.rendition;
        println!("{:8} {}x{} {} bytes", size.name, made.width, made.height, size.bytes.len());
        std::fs::write(Path::new(&folder).join(format!("{}.webp", size.name)), &size.bytes)?;
    }
    for (step, time) in steps.totals() {
        println!("{step:20} {:8.2} ms", millis(time / repetitions.max(1)));
    }
    println!("{:20} {:8.2} ms", "whole", millis(took));
    println!("{:?}", rendered.facts);
    Ok(())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
