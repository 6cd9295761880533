//! What this program is.

/// Its version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The platform it was built for.
pub const TARGET: &str = env!("BUILT_FOR");
/// How it was built: `release` or `debug`.
pub const PROFILE: &str = env!("BUILT_AS");
/// The compiler that built it.
pub const COMPILER: &str = env!("BUILT_BY");
