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
