//! How many administrators there are, so that there is always one.

use model::Timestamp;
use table::{Action, Condition};

use super::set_up;
use crate::keys;

const ADMINISTRATORS: &str = "administrators";
const COUNT: &str = "count";

/// What making somebody an administrator takes besides: they are counted, and set-up is over.
pub(crate) fn admit_administrator(now: Timestamp) -> Vec<Action> {
    vec![
        Action::update(keys::counter(ADMINISTRATORS)).add(COUNT, 1),
        Action::put(set_up::done_row(now)),
    ]
}

/// The same, when set-up ends by an action of its own.
pub(crate) fn count_administrator() -> Action {
    Action::update(keys::counter(ADMINISTRATORS)).add(COUNT, 1)
}

/// Counts one less, provided that another one is left.
pub(crate) fn dismiss_administrator() -> Action {
    Action::update(keys::counter(ADMINISTRATORS)).add(COUNT, -1).when(Condition::at_least(COUNT, 2))
}
