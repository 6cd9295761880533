//! Finding faces, by us and by OpenCV: each side in a process of its own, on one thread, taking
//! turns, told the same files.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use faces::Faces;
use serde::{Deserialize, Serialize};

use crate::Outcome;
use crate::picture::Picture;
use crate::shared::machine::memory_of;
use crate::shared::repository::{installed, script};
use crate::shared::say;
use crate::shared::spread::Spread;

/// The argument that makes our process look at photos.
pub const OWN: &str = "look-at-photos";

/// What each side says of a round.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Said {
    pub version: String,
    pub faces: usize,
    /// Processor time of all photos together, without reading files and loading models.
    pub cpu_seconds: f64,
    /// Of that, the part that does not depend on how many faces there are.
    pub detect_seconds: f64,
    pub peak_bytes: u64,
}

/// All rounds of one side.
#[derive(Debug)]
pub struct Side {
    pub version: String,
    pub faces_per_photo: f64,
    pub per_photo: Spread<Duration>,
    pub detect: Spread<Duration>,
    pub per_face: Spread<Duration>,
    pub peak_bytes: u64,
}

#[derive(Debug)]
pub struct Finding {
    pub photos: usize,
    pub rounds: usize,
    pub ours: Side,
    /// None if it was left out.
    pub opencv: Option<Side>,
}

pub fn measure(photos: usize, rounds: usize) -> Outcome<Finding> {
    measure_sides(photos, rounds, true)
}

pub fn measure_sides(photos: usize, rounds: usize, with_opencv: bool) -> Outcome<Finding> {
    let folder = tempfile::tempdir()?;
    let files = make_photos(folder.path(), photos)?;
    let models = installed("models")?;
    let (mut ours, mut opencv) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let mut own = Command::new(std::env::current_exe()?);
        ours.push(ask(own.arg(OWN).arg(&models).args(&files))?);
        if with_opencv {
            let mut other = Command::new(installed("bench-opencv/bin/python")?);
            let other = other.arg(script("opencv_faces.py")).arg(&models).args(&files);
            opencv.push(ask(other)?);
        }
        say(format_args!("round {} of {rounds} of finding is done", round + 1));
    }
    Ok(Finding {
        photos,
        rounds,
        ours: side(&ours, photos)?,
        opencv: with_opencv.then(|| side(&opencv, photos)).transpose()?,
    })
}

/// The `medium` rendition of a photo of 12 MP is 1280 × 960; these have two faces each.
fn make_photos(folder: &Path, count: usize) -> Outcome<Vec<PathBuf>> {
    let [collins, hopper] = Picture::portraits()?;
    let mut files = Vec::new();
    for number in 0..count {
        let mut photo = Picture::background(1280, 960, number);
        let scale = 0.6 + 0.05 * (number % 9) as f64;
        photo.put(&collins, 40 + 17 * (number % 5), 200 + 31 * (number % 7), scale);
        photo.put(&hopper, 700, 60 + 23 * (number % 6), scale * 0.9);
        let file = folder.join(format!("{number}.ppm"));
        photo.save(&file)?;
        files.push(file);
    }
    Ok(files)
}

fn ask(command: &mut Command) -> Outcome<Said> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn side(rounds: &[Said], photos: usize) -> Outcome<Side> {
    let first = rounds.first().ok_or("no round was made")?;
    if first.faces == 0 {
        return Err(format!("{} has found no faces", first.version).into());
    }
    let spread = |seconds: &dyn Fn(&Said) -> f64| {
        let durations = rounds.iter().map(|said| Duration::from_secs_f64(seconds(said).max(0.0)));
        Spread::of(durations).ok_or("no round was made")
    };
    let photos = photos as f64;
    Ok(Side {
        version: first.version.clone(),
        faces_per_photo: first.faces as f64 / photos,
        per_photo: spread(&|said| said.cpu_seconds / photos)?,
        detect: spread(&|said| said.detect_seconds / photos)?,
        per_face: spread(&|said| (said.cpu_seconds - said.detect_seconds) / said.faces as f64)?,
        peak_bytes: rounds.iter().map(|said| said.peak_bytes).max().unwrap_or_default(),
    })
}

/// Our process: the folder of the models, then photos.
pub fn look(arguments: &[String]) -> Outcome {
    let [models, files @ ..] = arguments else { return Err("no models were named".into()) };
    let faces = Faces::load(models.as_ref())?;
    let mut said = Said {
        version: format!("Ferrotype, {}", faces.model()),
        faces: 0,
        cpu_seconds: 0.0,
        detect_seconds: 0.0,
        peak_bytes: 0,
    };
    for (number, file) in files.iter().enumerate() {
        let picture = Picture::load(file.as_ref())?;
        if number == 0 {
            faces.find(&picture.pixels()?)?;
        }
        let started = processor_time();
        said.faces += faces.find(&picture.pixels()?)?.len();
        said.cpu_seconds += (processor_time() - started).as_secs_f64();
        let started = processor_time();
        faces.count(&picture.pixels()?)?;
        said.detect_seconds += (processor_time() - started).as_secs_f64();
    }
    said.peak_bytes = memory_of(std::process::id(), "VmHWM")?;
    println!("{}", serde_json::to_string(&said)?);
    Ok(())
}

pub fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}
