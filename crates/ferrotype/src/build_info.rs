//! What this program is.

/// Its version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The platform it was built for.
pub const TARGET: &str = env!("FERROTYPE_BUILD_TARGET");
/// How it was built: `release` or `debug`.
pub const PROFILE: &str = env!("FERROTYPE_BUILD_PROFILE");
/// The compiler that built it.
pub const COMPILER: &str = env!("FERROTYPE_BUILD_COMPILER");
