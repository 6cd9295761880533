//! What was to be reached.

use std::fmt::Write as _;

/// One thing to reach, and whether it was.
#[derive(Clone, Debug)]
pub struct Target {
    pub what: String,
    pub wanted: String,
    pub found: String,
    pub met: bool,
}

impl Target {
    /// Something of which there should be no more than this.
    pub fn at_most<T: Copy + PartialOrd>(
        what: impl Into<String>,
        max: T,
        found: Option<T>,
        text: impl Fn(T) -> String,
    ) -> Self {
        Self::new(what, format!("≤ {}", text(max)), found, |found| found <= max, text)
    }

    /// Something of which there should be no less than this.
    pub fn at_least<T: Copy + PartialOrd>(
        what: impl Into<String>,
        min: T,
        found: Option<T>,
        text: impl Fn(T) -> String,
    ) -> Self {
        Self::new(what, format!("≥ {}", text(min)), found, |found| found >= min, text)
    }

    fn new<T: Copy>(
        what: impl Into<String>,
        wanted: String,
        found: Option<T>,
        is_met: impl Fn(T) -> bool,
        text: impl Fn(T) -> String,
    ) -> Self {
        Self {
            what: what.into(),
            wanted,
            found: found.map_or("nothing".to_owned(), text),
            met: found.is_some_and(is_met),
        }
    }
}

/// The targets as a table of their own.
pub fn write_targets(out: &mut String, targets: &[Target]) -> std::fmt::Result {
    let met = targets.iter().filter(|target| target.met).count();
    writeln!(out, "## Targets: {met} of {} reached\n", targets.len())?;
    writeln!(out, "| target | wanted | found | |\n|---|---:|---:|---|")?;
    for Target { what, wanted, found, met } in targets {
        let verdict = if *met { "reached" } else { "**missed**" };
        writeln!(out, "| {what} | {wanted} | {found} | {verdict} |")?;
    }
    writeln!(out)
}
