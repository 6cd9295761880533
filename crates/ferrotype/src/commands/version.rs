//! `ferrotype version`

use crate::build_info::{COMPILER, PROFILE, TARGET, VERSION};

/// Says what this program is.
pub fn version() {
    println!("ferrotype {VERSION}");
    println!("built for {TARGET} as {PROFILE} by {COMPILER}");
    println!("table engines: embedded (SQLite), dynamodb");
    println!("blob engines: folder, s3");
}
