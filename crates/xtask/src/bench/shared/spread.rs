//! Rounds summed up.

/// The median of all rounds, and the extremes.
#[derive(Clone, Copy, Debug)]
pub struct Spread<T> {
    pub median: T,
    pub min: T,
    pub max: T,
}

impl<T: Copy + PartialOrd> Spread<T> {
    /// Of all these values; none if there are none.
    pub fn of(values: impl Iterator<Item = T>) -> Option<Self> {
        let mut values: Vec<T> = values.collect();
        values.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        let (min, max) = (*values.first()?, *values.last()?);
        Some(Self { median: *values.get(values.len() / 2)?, min, max })
    }

    /// For a report: the median, and the extremes in brackets.
    pub fn show(self, text: impl Fn(T) -> String) -> String {
        format!("{} ({}–{})", text(self.median), text(self.min), text(self.max))
    }
}
