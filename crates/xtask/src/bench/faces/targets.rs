//! What the issue asks for.

use std::time::Duration;

use crate::accuracy::Accuracy;
use crate::finding::Finding;
use crate::grouping::Grouped;
use crate::shared::format::{duration, grouped, megabytes};
use crate::shared::targets::Target;

const TIMES_OPENCV_MAX: f64 = 1.5;
const FINDING_BYTES_MAX: u64 = 200_000_000;
const GROUPING_BYTES_MAX: u64 = 200_000_000;
const ONE_FACE_MAX: Duration = Duration::from_millis(10);

pub fn of_cost(finding: &Finding, grouping: &[Grouped]) -> Vec<Target> {
    let times = finding.opencv.as_ref().map(|opencv| {
        finding.ours.per_photo.median.as_secs_f64() / opencv.per_photo.median.as_secs_f64()
    });
    let mut targets = vec![
        Target::at_most(
            "processor time per photo, times OpenCV's",
            TIMES_OPENCV_MAX,
            times,
            |times| format!("{times:.2} ×"),
        ),
        Target::at_most(
            "memory of the process that finds",
            FINDING_BYTES_MAX,
            Some(finding.ours.peak_bytes),
            megabytes,
        ),
    ];
    if let Some(largest) = grouping.last() {
        let faces = grouped(largest.faces as u64);
        let what = format!("one face more among {faces}, p99");
        targets.push(Target::at_most(what, ONE_FACE_MAX, Some(largest.p99), duration));
        let what = format!("memory of the process that groups {faces} faces, at most");
        let peak = Some(largest.peak_bytes);
        targets.push(Target::at_most(what, GROUPING_BYTES_MAX, peak, megabytes));
    }
    targets
}

pub fn of_accuracy(found: &Accuracy) -> Vec<Target> {
    let part = |part: f64| format!("{part:.4}");
    let verification = found.verification.map(|(mean, _)| mean);
    vec![
        Target::at_least("pairs told right", 0.993, verification, part),
        Target::at_least(
            "grouping: pair precision",
            0.99,
            Some(found.grouping.pair_precision),
            part,
        ),
        Target::at_least("grouping: pair recall", 0.93, Some(found.grouping.pair_recall), part),
    ]
}
