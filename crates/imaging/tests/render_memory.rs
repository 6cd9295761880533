//! With a memory budget, no mix of images makes the process grow beyond it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;
mod shown;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use imaging::{MemoryBudget, RenderOptions, Renderer, probe};
use model::default_sizes;
use shown::{Shown, write_png};

const BUDGET_BYTES: u64 = 512 << 20;
/// What a process may have beside the images it works on.
const BESIDE_BYTES: u64 = 128 << 20;
const WORKERS: usize = 4;
const FOLDER: &str = "FERROTYPE_TEST_IMAGES";

/// The test runs itself again as a process of its own, whose peak is then all due to rendering.
#[test]
fn the_peak_stays_within_the_budget() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return render_all(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    write_images(folder.path());
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["the_peak_stays_within_the_budget", "--exact", "--nocapture"])
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let peak = text.lines().find_map(|line| line.strip_prefix("peak ")).expect("the peak");
    let peak: u64 = peak.parse().unwrap();
    println!("peak {} MiB", peak >> 20);
    assert!(peak <= BUDGET_BYTES + BESIDE_BYTES, "{} MiB", peak >> 20);
}

fn render_all(folder: &Path) {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let todo = Mutex::new([files.clone(), files].concat());
    let budget = MemoryBudget::new(BUDGET_BYTES);
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| work(&todo, &budget));
        }
    });
    println!("peak {}", peak_bytes());
}

fn work(todo: &Mutex<Vec<PathBuf>>, budget: &MemoryBudget) {
    let mut renderer = Renderer::new();
    loop {
        let Some(file) = todo.lock().unwrap().pop() else { return };
        let bytes = std::fs::read(&file).unwrap();
        let found = probe(&bytes).unwrap();
        let _permit = budget.admit_blocking(found.decoded_bytes()).unwrap();
        let rendered = renderer.render(&bytes, &found, &default_sizes(), &RenderOptions::default());
        rendered.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

/// Large images of the kinds that take most memory, with little in them so that they are quick.
fn write_images(folder: &Path) {
    let rows = |width: usize, height: usize| {
        let pixel = |x: usize, y: usize| [(x / 16 % 256) as u8, (y / 16 % 256) as u8, 80, 255];
        Shown::from_fn(width, height, pixel)
    };
    let photo = rows(4000, 3000);
    let rgb: Vec<u8> = photo.pixels.iter().flat_map(|p| [p[0], p[1], p[2]]).collect();
    let mut compressor = turbojpeg::Compressor::new().unwrap();
    for (name, progressive) in [("baseline.jpg", false), ("progressive.jpg", true)] {
        compressor.set_progressive(progressive).unwrap();
        let format = turbojpeg::PixelFormat::RGB;
        let image =
            turbojpeg::Image { pixels: &rgb[..], width: 4000, height: 3000, pitch: 12_000, format };
        std::fs::write(folder.join(name), compressor.compress_to_vec(image).unwrap()).unwrap();
    }
    let png = write_png(&photo);
    let found = probe(&png).unwrap();
    let whole = |format| shown::spec("whole", 4000, model::Fit::Inside, format);
    let webp = [whole(model::RenditionFormat::Webp)];
    let webp = Renderer::new().render(&png, &found, &webp, &RenderOptions::default()).unwrap();
    std::fs::write(folder.join("lossy.webp"), &webp.renditions[0].bytes).unwrap();
    std::fs::write(folder.join("alpha.png"), png).unwrap();
    for name in
        ["plain.heic", "plain.avif", "plain.jxl", "animated.gif", "animated.webp", "cmyk.tif"]
    {
        std::fs::write(folder.join(name), fixture::fixture(name)).unwrap();
    }
}

fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() * 1024
}
