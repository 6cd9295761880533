//! What one request may take.

use std::fmt;

/// A body that did not arrive in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlowBody;

impl std::error::Error for SlowBody {}

impl fmt::Display for SlowBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the body did not arrive in time")
    }
}
