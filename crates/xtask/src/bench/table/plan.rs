//! How much is measured, and for how long.

use std::time::Duration;

use crate::measure::RoundLength;
use crate::work::Operation;

/// Smaller tables show nothing: some user would have no second page.
const ITEMS_MIN: u64 = 100;

#[derive(Clone, Debug)]
pub struct Plan {
    /// Items of the largest table.
    pub items: u64,
    pub rounds: usize,
    pub counted: Duration,
    pub seed: u64,
    /// Concurrent writers of the durable puts.
    pub writers: [usize; 3],
    pub updaters: usize,
    /// The tables are filled in so many chunks, the sides taking turns.
    pub chunks: u64,
    /// Kills of each side.
    pub kills: usize,
}

impl Plan {
    /// What the issue asks for.
    pub const WRITERS: [usize; 3] = [1, 16, 64];
    pub const UPDATERS: usize = 16;

    /// The tables: a hundredth, a tenth, and all of the items.
    pub fn sizes(&self) -> Vec<u64> {
        let sizes = [self.items / 100, self.items / 10, self.items];
        sizes.into_iter().filter(|size| *size >= ITEMS_MIN).collect()
    }

    pub fn length(&self) -> RoundLength {
        RoundLength { warm_up: self.counted / 4, counted: self.counted }
    }

    pub fn reads(&self) -> Vec<Operation> {
        vec![
            Operation::Get,
            Operation::GetImage,
            Operation::Newest,
            Operation::NewestImages,
            Operation::SecondPage,
        ]
    }

    pub fn writes(&self) -> Vec<Operation> {
        let puts = self.writers.into_iter().map(|writers| Operation::Put { writers });
        puts.chain([self.update(), self.mixed(), self.load()]).collect()
    }

    pub fn busiest_put(&self) -> Operation {
        Operation::Put { writers: self.writers.into_iter().max().unwrap_or(1) }
    }

    pub fn update(&self) -> Operation {
        Operation::Update { writers: self.updaters }
    }

    pub fn mixed(&self) -> Operation {
        Operation::Mixed { tasks: self.updaters }
    }

    /// As many rows as the smallest table has, on every table.
    pub fn load(&self) -> Operation {
        Operation::Load { rows: self.sizes().first().copied().unwrap_or(self.items) }
    }
}
