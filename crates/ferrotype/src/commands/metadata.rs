//! `ferrotype metadata`

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use crate::cli::MetadataCommand;
use crate::failure::Failure;
use crate::metadata::{Comparison, Read, compare};
use crate::output::say;

/// Shows or compares.
pub fn metadata(command: &MetadataCommand) -> Result<(), Failure> {
    match command {
        MetadataCommand::Show { file } => show(file),
        MetadataCommand::Compare { folder, report, verbose, at_least } => {
            let comparison = compare(folder).map_err(Failure::Metadata)?;
            tell(&comparison, *verbose);
            if let Some(report) = report {
                write_report(&comparison, report).map_err(|error| {
                    Failure::Metadata(format!("cannot write {}: {error}", report.display()))
                })?;
            }
            judge(&comparison, *at_least)
        }
    }
}

fn show(file: &Path) -> Result<(), Failure> {
    let read = Read::file(file)
        .map_err(|error| Failure::Metadata(format!("{}: {error}", file.display())))?;
    say!("{:#}", read.to_json());
    Ok(())
}

fn tell(comparison: &Comparison, verbose: bool) {
    say!("{} files, compared with exiftool {}", comparison.files, comparison.exiftool);
    say!();
    comparison.table().iter().for_each(|line| say!("{line}"));
    if verbose {
        for difference in &comparison.differences {
            say!();
            say!("{}: {}", difference.file.display(), difference.field);
            say!("  exiftool  {}", difference.exiftool);
            say!("  here      {}", difference.here);
        }
    }
    if !comparison.left_out.is_empty() {
        say!();
        say!("{} left out:", comparison.left_out.len());
        for (file, reason) in &comparison.left_out {
            say!("  {}: {reason}", file.display());
        }
    }
}

/// A line of JSON for each difference.
fn write_report(comparison: &Comparison, path: &Path) -> std::io::Result<()> {
    let mut report = BufWriter::new(File::create(path)?);
    for difference in &comparison.differences {
        writeln!(report, "{}", difference.to_json())?;
    }
    report.flush()
}

fn judge(comparison: &Comparison, at_least: f64) -> Result<(), Failure> {
    if comparison.files == 0 {
        return Err(Failure::Metadata("there is no image that could be compared".to_owned()));
    }
    let below = comparison.below(at_least);
    if below.is_empty() {
        return Ok(());
    }
    Err(Failure::Metadata(format!("less than {at_least} % agree: {}", below.join(", "))))
}
