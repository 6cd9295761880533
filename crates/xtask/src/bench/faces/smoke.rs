//! Everything with very little data, as a test. What it measures means nothing, but that what is
//! right counts as right, and what is wrong as wrong.

use std::fs;
use std::path::Path;

use crate::Outcome;
use crate::picture::Picture;
use crate::shared::smoke;
use crate::{accuracy, finding, grouping, report, rows, targets};

const NAME: &str = "faces_benchmark_works";

/// Runs the test, if the arguments of the test run ask for it.
pub fn run(arguments: &[String]) -> Outcome {
    smoke::run(NAME, arguments, test)
}

fn test() -> Outcome {
    judging_is_right()?;
    costs_are_measured()?;
    accuracy_is_measured()
}

fn costs_are_measured() -> Outcome {
    // OpenCV is installed for benchmarks only.
    let finding = finding::measure_sides(2, 1, false)?;
    let worked = rows::measure(2)?;
    if worked.faces != 4 || worked.looked.len() != 1 {
        return Err(format!("two faces in each of two photos: {worked:?}").into());
    }
    let grouping = grouping::measure(&[10])?;
    let sizes: Vec<_> = grouping.iter().map(|at| at.groups).collect();
    if finding.ours.faces_per_photo != 2.0 || sizes != [10] {
        return Err(format!("two faces per photo and ten persons: {finding:?} {grouping:?}").into());
    }
    let text = report::cost(
        "bench",
        &Vec::new(),
        &finding,
        &worked,
        &grouping,
        &targets::of_cost(&finding, &grouping),
    );
    must_have(&text, &["yunet", "by the clock", "one face more", "| 10 |"])
}

/// A folder of two persons in the layout of LFW.
fn accuracy_is_measured() -> Outcome {
    let folder = tempfile::tempdir()?;
    let [collins, hopper] = Picture::portraits()?;
    for number in 1..=4 {
        let by = 15 * (number - 2);
        write_photo(folder.path(), "Eileen_Collins", number, &collins.clone().lit(by))?;
        write_photo(folder.path(), "Grace_Hopper", number, &hopper.clone().lit(by))?;
    }
    let fold = "Eileen_Collins\t1\t2\nGrace_Hopper\t3\t4\nEileen_Collins\t1\tGrace_Hopper\t1\n\
                Eileen_Collins\t3\tGrace_Hopper\t4\n";
    fs::write(folder.path().join("pairs.txt"), format!("2\t2\n{fold}{fold}"))?;
    let found = accuracy::measure(folder.path())?;
    if found.photos != 8 || found.persons != 2 || found.grouping.groups != 2 {
        return Err(format!("eight photos of two persons: {found:?}").into());
    }
    if found.verification.map(|(mean, _)| mean) != Some(1.0) || found.accepted != Some(1.0) {
        return Err(format!("these can be told apart: {found:?}").into());
    }
    // A photo of one under the name of the other is wrong, and must count so.
    write_photo(folder.path(), "Grace_Hopper", 4, &collins)?;
    let wrong = accuracy::measure(folder.path())?;
    if wrong.verification.is_some_and(|(mean, _)| mean > 0.9) || wrong.grouping.pair_precision > 0.9
    {
        return Err(format!("a wrong label must cost something: {wrong:?}").into());
    }
    let text = report::accuracy(&found, &targets::of_accuracy(&found));
    must_have(&text, &["pairs told right: 100.00", "B-cubed F1 1.0000", "TAR at FAR"])
}

fn write_photo(folder: &Path, name: &str, number: i16, picture: &Picture) -> Outcome {
    let folder = folder.join(name);
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join(format!("{name}_{number:04}.jpg")), picture.to_jpeg()?)?)
}

/// Against figures worked out by hand: of three pairs put together one is right, of two wanted one.
fn judging_is_right() -> Outcome {
    let found = accuracy::judge(&[vec!["a", "a", "b"], vec!["b"]]);
    let third = 1.0 / 3.0;
    let precision = (2.0 * 2.0 / 3.0 + third + 1.0) / 4.0;
    let recall = (2.0 + 0.5 + 0.5) / 4.0;
    let f1 = 2.0 * precision * recall / (precision + recall);
    let near = |one: f64, other: f64| (one - other).abs() < 1e-9;
    let right = near(found.pair_precision, third)
        && near(found.pair_recall, 0.5)
        && near(found.b_cubed_f1, f1);
    if right { Ok(()) } else { Err(format!("{found:?}, with F1 {f1} wanted").into()) }
}

fn must_have(text: &str, wanted: &[&str]) -> Outcome {
    match wanted.iter().find(|wanted| !text.contains(**wanted)) {
        Some(missing) => Err(format!("the report does not mention {missing}:\n{text}").into()),
        None => Ok(()),
    }
}
