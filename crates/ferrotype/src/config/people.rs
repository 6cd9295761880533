//! Settings of people.

use std::path::PathBuf;

use super::parse;
use super::validate::Check;

/// Whether people are recognised, and by what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeopleConfig {
    /// Whether.
    pub wanted: PeopleWanted,
    /// Where the models are, if not in one of the usual places.
    pub models: Option<PathBuf>,
}

/// Whether people are to be recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeopleWanted {
    /// If the models are there.
    Auto,
    /// Yes; without the models nothing starts.
    On,
    /// No.
    Off,
}

impl Check<'_> {
    pub(super) fn people(&mut self) -> Option<PeopleConfig> {
        let wishes =
            [("auto", PeopleWanted::Auto), ("on", PeopleWanted::On), ("off", PeopleWanted::Off)];
        let wanted = self.choice("people.enabled", &wishes);
        let models = self.optional("people.models", parse::nonempty).map(PathBuf::from);
        Some(PeopleConfig { wanted: wanted?, models })
    }
}
