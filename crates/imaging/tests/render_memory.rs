//! With a memory budget, no mix of images makes the process grow beyond it, and work waits for
//! memory instead of failing.
//!
//! What is measured runs in processes of its own: the test starts itself again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod fixture;
mod large_files;
mod shown;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use fixture::fixture;
use imaging::{Error, MemoryBudget, RenderOptions, Renderer, probe};
use large_files::write_large_files;
use model::{Fit, RenditionFormat, SizeSpec, default_sizes};
use shown::spec;

/// The allocator of the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const BUDGET_BYTES: u64 = 512 << 20;
/// What a process may have beside the images it works on.
const BESIDE_BYTES: u64 = 128 << 20;
/// Many more than there are cores, so that all of the budget is always taken.
const WORKERS: usize = 12;

const FOLDER: &str = "FERROTYPE_TEST_IMAGES";
const JOB: &str = "FERROTYPE_TEST_JOB";
const EVERYTHING: &str = "everything";

/// Every kind of image alone takes no more than it is admitted for, so that the sum over whatever
/// runs at once is right; and then all of them at once.
#[test]
fn no_mix_of_images_takes_more_than_the_budget() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return match std::env::var(JOB).unwrap().as_str() {
            EVERYTHING => render_mix(Path::new(&folder)),
            job => render_one(Path::new(&folder), job),
        };
    }
    let folder = tempfile::tempdir().unwrap();
    write_large_files(folder.path());
    let mut undercounted = Vec::new();
    for job in jobs(folder.path()) {
        let [taken, admitted] = again(folder.path(), &job.name());
        println!("{}: {} of {} MiB", job.name(), taken >> 20, admitted >> 20);
        if taken > admitted {
            undercounted.push(job.name());
        }
    }
    assert!(undercounted.is_empty(), "{undercounted:?}");

    let [peak, waited] = again(folder.path(), EVERYTHING);
    println!("{EVERYTHING}: peak {} MiB, {waited} waited", peak >> 20);
    assert!(peak <= BUDGET_BYTES + BESIDE_BYTES, "{} MiB", peak >> 20);
    assert!(waited > 0, "the budget was never used up, so this has shown nothing");
}

#[test]
fn only_an_image_that_can_never_fit_is_refused() {
    let needed = probe(&fixture("alpha.png")).unwrap().decoded_bytes(&default_sizes());
    let refused = MemoryBudget::new(needed / 2).admit_blocking(needed).unwrap_err();
    assert!(matches!(refused, Error::TooMuchMemory { .. }), "{refused:?}");
    drop(MemoryBudget::new(needed + (64 << 10)).admit_blocking(needed).unwrap());
}

/// A file and the renditions to make of it.
struct Job {
    file: PathBuf,
    sizes: (&'static str, Vec<SizeSpec>),
}

impl Job {
    fn name(&self) -> String {
        format!("{} {}", self.sizes.0, self.file.file_name().unwrap().to_str().unwrap())
    }
}

/// Every file with the default sizes, and some with sizes that take most memory.
fn jobs(folder: &Path) -> Vec<Job> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.collect();
    files.sort();
    let huge = || {
        let size = |name, side, format| spec(name, side, Fit::Inside, format);
        vec![
            size("huge", 3000, RenditionFormat::Webp),
            size("print", 2600, RenditionFormat::Jpeg),
            size("exact", 2000, RenditionFormat::Png),
        ]
    };
    let avif = || vec![spec("modern", 1280, Fit::Inside, RenditionFormat::Avif)];
    let mut jobs = Vec::new();
    for file in files {
        let job = |name, sizes| Job { file: file.clone(), sizes: (name, sizes) };
        jobs.push(job("default", default_sizes()));
        let name = file.file_name().unwrap().to_str().unwrap();
        if ["alpha.png", "baseline.jpg", "alpha.heic", "moving.gif"].contains(&name) {
            jobs.push(job("huge", huge()));
        }
        if ["alpha.png", "baseline.jpg"].contains(&name) {
            jobs.push(job("avif", avif()));
        }
    }
    jobs
}

fn render_mix(folder: &Path) {
    let (mut jobs, beyond): (Vec<_>, Vec<_>) =
        jobs(folder).into_iter().partition(|job| needed_bytes(job) <= BUDGET_BYTES);
    // It is decoded whole; see `docs/formats.md`.
    let beyond: Vec<_> = beyond.iter().map(Job::name).collect();
    assert_eq!(beyond, ["default hdr-lossless.jxl"], "what never fits is refused");
    // Mixed, and always in the same way.
    jobs.sort_by_key(|job| {
        job.name().bytes().fold(7_u32, |hash, byte| hash.wrapping_mul(31) ^ u32::from(byte))
    });
    let (todo, waited) = (Mutex::new(jobs), AtomicUsize::new(0));
    let budget = MemoryBudget::new(BUDGET_BYTES);
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                let mut renderer = Renderer::new();
                loop {
                    let Some(job) = todo.lock().unwrap().pop() else { return };
                    render(&mut renderer, &job, &budget, &waited);
                }
            });
        }
    });
    println!("numbers {} {}", peak_bytes(), waited.load(Ordering::Relaxed));
}

fn needed_bytes(job: &Job) -> u64 {
    probe(&std::fs::read(&job.file).unwrap()).unwrap().decoded_bytes(&job.sizes.1)
}

/// Nobody holds a file while waiting: what is admitted includes it.
fn render(renderer: &mut Renderer, job: &Job, budget: &MemoryBudget, waited: &AtomicUsize) -> u64 {
    let found = probe(&std::fs::read(&job.file).unwrap()).unwrap();
    let needed = found.decoded_bytes(&job.sizes.1);
    if needed > budget.free_bytes() {
        waited.fetch_add(1, Ordering::Relaxed);
    }
    let admitted = budget.admit_blocking(needed);
    let _permit = admitted.unwrap_or_else(|error| panic!("{}: {error}", job.name()));
    let bytes = std::fs::read(&job.file).unwrap();
    let rendered = renderer.render(&bytes, &found, &job.sizes.1, &RenderOptions::default());
    rendered.unwrap_or_else(|error| panic!("{}: {error}", job.name()));
    needed
}

fn render_one(folder: &Path, name: &str) {
    let job = jobs(folder).into_iter().find(|job| job.name() == name).unwrap();
    let before = peak_bytes();
    let budget = MemoryBudget::new(u64::MAX);
    let admitted = render(&mut Renderer::new(), &job, &budget, &AtomicUsize::new(0));
    println!("numbers {} {admitted}", peak_bytes() - before);
}

/// Runs the test in a process of its own; returns the two numbers it has found.
fn again(folder: &Path, job: &str) -> [u64; 2] {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["no_mix_of_images_takes_more_than_the_budget", "--exact", "--nocapture"])
        .env(FOLDER, folder)
        .env(JOB, job)
        .output()
        .unwrap();
    let (text, errors) = (output.stdout, output.stderr);
    let (text, errors) = (String::from_utf8_lossy(&text), String::from_utf8_lossy(&errors));
    assert!(output.status.success(), "{job}: {text}{errors}");
    let at = text.find("numbers ").expect("the numbers");
    let mut words = text[at..].split_whitespace().skip(1).map(|word| word.parse().unwrap());
    [words.next().unwrap(), words.next().unwrap()]
}

fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() * 1024
}
