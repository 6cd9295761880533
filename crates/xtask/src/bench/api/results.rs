//! What all rounds together have shown.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::load::Load;
use crate::operation::Operation;
use crate::shared::spread::Spread;
use crate::side::Side;

/// Everything that was measured.
#[derive(Debug, Default)]
pub struct Results {
    loads: BTreeMap<(Operation, Side), Vec<Load>>,
    /// Photos in a second, of every round.
    uploads: BTreeMap<Side, Vec<f64>>,
    /// How long it took until a photo that came alone was acknowledged.
    pub acknowledged: Vec<Duration>,
    pub memory: Memory,
}

/// Memory of Ferrotype's process, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Before the first request.
    pub idle: u64,
    /// The most while it was asked.
    pub asked: u64,
    /// The most while photos were uploaded.
    pub uploading: u64,
    /// Some seconds after all that.
    pub afterwards: u64,
    /// The same without pages of files, which the system takes back when it needs them.
    pub afterwards_own: u64,
}

impl Results {
    pub fn add_load(&mut self, operation: Operation, side: Side, load: Load) {
        self.loads.entry((operation, side)).or_default().push(load);
    }

    pub fn add_uploads(&mut self, side: Side, per_second: f64) {
        self.uploads.entry(side).or_default().push(per_second);
    }

    /// A figure of all rounds of an operation.
    pub fn spread<T: Copy + PartialOrd>(
        &self,
        operation: Operation,
        side: Side,
        figure: fn(&Load) -> T,
    ) -> Option<Spread<T>> {
        Spread::of(self.loads.get(&(operation, side))?.iter().map(figure))
    }

    pub fn uploads(&self, side: Side) -> Option<Spread<f64>> {
        Spread::of(self.uploads.get(&side)?.iter().copied())
    }

    /// Ferrotype's requests in a second as a part of another's.
    pub fn ratio(&self, operation: Operation, other: Side) -> Option<f64> {
        let rate = |side| Some(self.spread(operation, side, |load| load.per_second)?.median);
        Some(rate(Side::Ferrotype)? / rate(other)?)
    }

    /// How many times as many photos as pict-rs.
    pub fn upload_ratio(&self) -> Option<f64> {
        Some(self.uploads(Side::Ferrotype)?.median / self.uploads(Side::PictRs)?.median)
    }

    /// So many of a hundred lone uploads were acknowledged within this.
    pub fn acknowledged_within(&self, percent: usize) -> Option<Duration> {
        let mut all = self.acknowledged.clone();
        all.sort_unstable();
        all.get((all.len() * percent / 100).min(all.len().saturating_sub(1))).copied()
    }
}
