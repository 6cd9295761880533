//! What a command answers goes to standard output. Whoever reads it may stop reading, as in
//! `ferrotype config show | head -1`; that is no reason to fail.

/// Prints a line, if anybody still reads.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout().lock(), $($text)*);
    }};
}

pub(crate) use say;

/// Bytes as people read them, in the units of the settings.
pub fn shown_bytes(bytes: u64) -> String {
    let units = [("TB", 1_u64 << 40), ("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)];
    match units.into_iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => {
            let tenths = u128::from(bytes) * 10 / u128::from(unit);
            match (tenths / 10, tenths % 10) {
                (whole, 0) => format!("{whole}{name}"),
                (whole, tenth) => format!("{whole}.{tenth}{name}"),
            }
        }
        None => format!("{bytes}B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_in_the_units_of_settings() {
        let cases = [(0, "0B"), (1023, "1023B"), (512 << 20, "512MB"), (1536 << 20, "1.5GB")];
        for (bytes, expected) in cases {
            assert_eq!(shown_bytes(bytes), expected);
        }
    }
}
