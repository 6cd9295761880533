//! `ferrotype version`

use crate::build_info::{COMPILER, PROFILE, TARGET, VERSION};
use crate::output::say;

/// Says what this program is.
pub fn version() {
    say!("ferrotype {VERSION}");
    say!("built for {TARGET} as {PROFILE} by {COMPILER}");
    say!("table engines: embedded (SQLite), dynamodb");
    say!("blob engines: folder, s3");
}
