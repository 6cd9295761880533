//! The results as documents.

use std::fmt::Write as _;
use std::time::Duration;

use crate::accuracy::Accuracy;
use crate::finding::{Finding, Side};
use crate::grouping::Grouped;
use crate::rows::Worked;
use crate::shared::format::{duration, grouped, megabytes};
use crate::shared::machine::Facts;
use crate::shared::spread::Spread;
use crate::shared::targets::{Target, write_targets};

/// What everything costs, as Markdown.
pub fn cost(
    command: &str,
    machine: &Facts,
    finding: &Finding,
    worked: &Worked,
    grouping: &[Grouped],
    targets: &[Target],
) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_cost(&mut text, command, machine, finding, worked, grouping, targets);
    text
}

fn write_cost(
    out: &mut String,
    command: &str,
    machine: &Facts,
    finding: &Finding,
    worked: &Worked,
    grouping: &[Grouped],
    targets: &[Target],
) -> std::fmt::Result {
    writeln!(out, "# Faces: finding them next to OpenCV, and grouping a million\n")?;
    writeln!(out, "Written by `{command}`; run it again instead of editing this file.\n")?;
    write_targets(out, targets)?;
    write_finding(out, finding)?;
    write_worked(out, worked)?;
    write_grouping(out, grouping)?;
    writeln!(out, "## How often it is right\n")?;
    writeln!(
        out,
        "Not measured in this run: [faces-accuracy.md](faces-accuracy.md) has it for LFW.\n"
    )?;
    writeln!(out, "## How it was measured\n")?;
    for (name, fact) in machine {
        writeln!(out, "- {name}: {fact}")?;
    }
    writeln!(
        out,
        "\nPhotos are 1280 × 960 pixels with two faces each, what the rendition `medium` of a photo of \
         12 MP is; both sides get its pixels, look at 640 × 480 of them, and give every face its \
         vector. Both use one thread and the same weights; each round starts both processes anew, \
         one after the other. Ferrotype looks at every face twice, as it is and mirrored, OpenCV once. \
         Libraries have ten faces per person, two of which have a cosine of .64 \
         on average; half of the faces that come are of somebody who is there already. Grouping may \
         use two threads. Its memory is what the process takes when all faces are there, and the \
         most that it took on the way there; pages are small, as in the server."
    )
}

fn write_finding(out: &mut String, finding: &Finding) -> std::fmt::Result {
    writeln!(out, "## Finding\n")?;
    writeln!(
        out,
        "Processor time, medians of {} rounds of {} photos, extremes in brackets.\n",
        finding.rounds, finding.photos
    )?;
    writeln!(
        out,
        "| | faces per photo | photo | of that, looking for faces | each face | memory |"
    )?;
    writeln!(out, "|---|---:|---:|---:|---:|---:|")?;
    write_side(out, &finding.ours)?;
    if let Some(opencv) = &finding.opencv {
        write_side(out, opencv)?;
    }
    writeln!(out)
}

fn write_side(out: &mut String, side: &Side) -> std::fmt::Result {
    writeln!(
        out,
        "| {} | {:.2} | {} | {} | {} | {} |",
        side.version,
        side.faces_per_photo,
        side.per_photo.show(duration),
        side.detect.show(duration),
        side.per_face.show(duration),
        megabytes(side.peak_bytes)
    )
}

fn write_worked(out: &mut String, worked: &Worked) -> std::fmt::Result {
    writeln!(out, "## From a rendition to rows\n")?;
    let shown = |spread: Option<Spread<Duration>>| {
        spread.map_or_else(|| "nothing".to_owned(), |spread| spread.show(duration))
    };
    writeln!(
        out,
        "{} photos of 4000 × 3000 with {} faces, as a worker takes them up one by one once their \
         renditions are there: from the claim of the work, through reading the largest rendition \
         (2048 × 1536, WebP) and looking at it, to rows, portraits and the end of the work, all \
         durable. Medians of the photos, extremes in brackets.\n",
        worked.photos, worked.faces
    )?;
    writeln!(out, "| | photo |\n|---|---:|")?;
    writeln!(out, "| by the clock | {} |", shown(worked.by_clock()))?;
    writeln!(out, "| processor time | {} |", shown(worked.of_processor()))?;
    writeln!(
        out,
        "\nThen to say who is who in this library, with the rows of it: {}.\n",
        duration(worked.grouped)
    )
}

fn write_grouping(out: &mut String, grouping: &[Grouped]) -> std::fmt::Result {
    writeln!(out, "## Grouping\n")?;
    writeln!(
        out,
        "| persons | faces | one face more, median | p99 | each of eight | a face less | memory | \
         at most |"
    )?;
    writeln!(out, "|---:|---:|---:|---:|---:|---:|---:|---:|")?;
    for at in grouping {
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            grouped(at.persons.into()),
            grouped(at.faces as u64),
            duration(at.median),
            duration(at.p99),
            duration(at.in_batches),
            duration(at.removing),
            megabytes(at.resident_bytes),
            megabytes(at.peak_bytes)
        )?;
    }
    writeln!(out)
}

/// How often it is right, as Markdown.
pub fn accuracy(found: &Accuracy, targets: &[Target]) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_accuracy(&mut text, found, targets);
    text
}

fn write_accuracy(out: &mut String, found: &Accuracy, targets: &[Target]) -> std::fmt::Result {
    writeln!(out, "# Faces: how often it is right\n")?;
    writeln!(
        out,
        "Written by `cargo xtask bench faces --lfw <folder> --out docs/benchmarks/faces-accuracy.md` \
         for a folder in the layout of LFW (`name/name_0001.jpg`, and `pairs.txt` in folds); run it \
         again instead of editing this file. LFW is in no package registry and not part of this \
         project.\n"
    )?;
    write_targets(out, targets)?;
    writeln!(out, "- {} photos of {} persons", found.photos, found.persons)?;
    writeln!(out, "- a face was found in {:.2} % of the photos", found.recall * 100.0)?;
    match found.verification {
        Some((mean, error)) => {
            writeln!(out, "- pairs told right: {:.2} ± {:.2} %", mean * 100.0, error * 100.0)?;
        }
        None => {
            writeln!(out, "- pairs told right: not measured, there is no pairs.txt with folds")?;
        }
    }
    if let Some(accepted) = found.accepted {
        writeln!(out, "- of all pairs, TAR at FAR 10⁻³: {accepted:.4}")?;
    }
    let grouping = &found.grouping;
    writeln!(
        out,
        "- grouping into {} persons: pair precision {:.4}, pair recall {:.4}, B-cubed F1 {:.4}\n",
        grouping.groups, grouping.pair_precision, grouping.pair_recall, grouping.b_cubed_f1
    )?;
    writeln!(
        out,
        "Photos are looked at as they are, not cropped; of several faces the one nearest to the middle \
         counts. A pair is told right by a threshold that is best for all other folds, the highest of \
         those that are as good; after ± is the standard error over the folds. All photos together \
         are one library, each face in a photo of its own, grouped as the product groups."
    )
}
