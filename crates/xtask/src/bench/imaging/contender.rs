//! Who is compared, and how each is started.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::ferrotype::WORKER_COMMAND;
use crate::photos::Kind;
use crate::plan::Job;
use crate::shared::repository::{installed, program, script};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Contender {
    Ferrotype,
    /// One pipeline per rendition, default effort.
    SharpUsual,
    /// One decode, each rendition from the next larger one, our effort.
    SharpBest,
    Pyvips,
    ImageMagick,
    Pillow,
}

impl Contender {
    pub const ALL: [Self; 6] = [
        Self::Ferrotype,
        Self::SharpUsual,
        Self::SharpBest,
        Self::Pyvips,
        Self::ImageMagick,
        Self::Pillow,
    ];

    /// Those that most targets are about.
    pub const SHARP: [Self; 3] = [Self::Ferrotype, Self::SharpUsual, Self::SharpBest];

    pub const ALONE: [Self; 1] = [Self::Ferrotype];

    /// Whether it can read photos of a kind: the builds of libvips that npm and pip install have
    /// no decoder of HEVC.
    pub fn reads(self, kind: Kind) -> bool {
        kind != Kind::Heic || matches!(self, Self::Ferrotype | Self::ImageMagick | Self::Pillow)
    }

    /// How it makes the renditions.
    pub fn way(self) -> &'static str {
        match self {
            Self::Ferrotype => "`imaging::Renderer`, one per photo in flight, kept for all photos",
            Self::SharpUsual => {
                "`sharp(path).autoOrient().resize(…).webp({quality})` for each rendition, one after \
                 the other; default effort (4); `sharp.concurrency(1)`"
            }
            Self::SharpBest => {
                "decoded once, each rendition resized from the raw pixels of the next larger one; \
                 the effort of Ferrotype; `sharp.concurrency(1)`"
            }
            Self::Pyvips => {
                "`Image.thumbnail` for each rendition, as `vipsthumbnail` does, shrinking while \
                 decoding; default effort (4); `VIPS_CONCURRENCY=1`"
            }
            Self::ImageMagick => {
                "one process per photo, decoded once, each rendition from the next larger one; \
                 default effort (4); one thread"
            }
            Self::Pillow => {
                "decoded once, each rendition by `thumbnail` with Lanczos from the next larger one; \
                 default effort (4); one thread per photo in flight"
            }
        }
    }

    /// The command of its worker, for so many photos at a time.
    ///
    /// # Errors
    /// When it is not installed: says what installs it.
    pub fn command(self, job: &Job, in_flight: usize) -> Outcome<Command> {
        let job = serde_json::to_string(job)?;
        let mut command = match self {
            Self::Ferrotype => Command::new(std::env::current_exe()?),
            Self::SharpUsual | Self::SharpBest => Command::new("node"),
            Self::Pyvips | Self::ImageMagick | Self::Pillow => python()?,
        };
        match self {
            Self::Ferrotype => command.arg(WORKER_COMMAND).arg(in_flight.to_string()),
            Self::SharpUsual | Self::SharpBest => command
                .arg(script("sharp.mjs"))
                .arg(installed("bench-node")?)
                .arg(if self == Self::SharpBest { "best" } else { "usual" })
                .arg(job),
            Self::Pyvips => command.arg(script("pyvips_worker.py")).arg(job),
            Self::ImageMagick => {
                command.arg(script("imagemagick_worker.py")).arg(job).arg(imagemagick()?)
            }
            Self::Pillow => command.arg(script("pillow_worker.py")).arg(job),
        };
        Ok(command)
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Ferrotype => "Ferrotype",
            Self::SharpUsual => "sharp, the usual way",
            Self::SharpBest => "sharp, at its best",
            Self::Pyvips => "pyvips",
            Self::ImageMagick => "ImageMagick",
            Self::Pillow => "Pillow",
        })
    }
}

/// Writes a PNG file in another format, and what a decoder makes of that.
pub fn convert(from: &Path, to: &Path, decoded: &Path) -> Outcome {
    let status = python()?.arg(script("convert.py")).args([from, to, decoded]).status()?;
    if status.success() { Ok(()) } else { Err(format!("cannot write {}", to.display()).into()) }
}

fn python() -> Outcome<Command> {
    Ok(Command::new(installed("bench-python/bin/python")?))
}

/// Version 7, or 6 by the name that no other program has.
fn imagemagick() -> Outcome<PathBuf> {
    program(&["magick", "convert-im6.q16"], "bench")
}
