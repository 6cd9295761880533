//! What is asked for under load.

use std::fmt;

use crate::side::Side;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Operation {
    /// One image of all.
    Get,
    /// The newest 20 of a user.
    List,
    /// The thumb of a popular image.
    Thumb,
    /// The thumb of any image.
    AnyThumb,
    /// A new title for one image of all.
    Patch,
}

impl Operation {
    pub const ALL: [Self; 5] = [Self::Get, Self::List, Self::Thumb, Self::AnyThumb, Self::Patch];

    /// Those who do the same.
    pub fn sides(self) -> &'static [Side] {
        match self {
            Self::Get | Self::List => &[Side::Ferrotype, Side::Bare],
            Self::Thumb => &[Side::Ferrotype, Side::Bare, Side::Nginx],
            Self::AnyThumb => &[Side::Ferrotype, Side::Nginx],
            Self::Patch => &[Side::Ferrotype],
        }
    }

    /// What the file of its requests is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Thumb => "thumb",
            Self::AnyThumb => "any-thumb",
            Self::Patch => "patch",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Get => "get one image",
            Self::List => "list the newest 20",
            Self::Thumb => "thumb of a popular image",
            Self::AnyThumb => "thumb of any image",
            Self::Patch => "change a title (PATCH)",
        })
    }
}
