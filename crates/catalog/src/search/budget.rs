/// How much one request may still look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    units: usize,
}

/// A query, beside its rows.
const QUERY: usize = 2;
/// Rows of an index that cost as much as a unit.
const ENTRIES_PER_UNIT: usize = 4;
/// Rows that are got by their keys and cost as much as a unit.
const ROWS_PER_UNIT: usize = 2;

impl Budget {
    pub(super) fn of(units: usize) -> Self {
        Self { units }
    }

    /// For what is limited otherwise.
    pub(super) fn unlimited() -> Self {
        Self { units: usize::MAX }
    }

    pub(super) fn is_spent(self) -> bool {
        self.units == 0
    }

    pub(super) fn query(&mut self, entries: usize) {
        self.units = self.units.saturating_sub(QUERY + entries / ENTRIES_PER_UNIT);
    }

    pub(super) fn rows(&mut self, rows: usize) {
        self.units = self.units.saturating_sub(rows.div_ceil(ROWS_PER_UNIT));
    }
}
