//! Who is measured.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    Ferrotype,
    /// An axum handler that always answers the same.
    Bare,
    Nginx,
    PictRs,
}

impl Side {
    pub const ALL: [Self; 4] = [Self::Ferrotype, Self::Bare, Self::Nginx, Self::PictRs];

    /// Those that are built from this repository.
    pub const OWN: [Self; 2] = [Self::Ferrotype, Self::Bare];
}

impl fmt::Display for Side {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Ferrotype => "Ferrotype",
            Self::Bare => "bare handler",
            Self::Nginx => "nginx",
            Self::PictRs => "pict-rs",
        })
    }
}
