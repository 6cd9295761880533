//! How much is measured, and for how long.

use crate::operation::Operation;
use crate::side::Side;

#[derive(Clone, Debug)]
pub struct Plan {
    pub images: u64,
    /// Whose images they are, in equal shares.
    pub users: u64,
    /// Images whose thumbs are asked for again and again.
    pub popular: u64,
    pub connections: usize,
    /// What is asked for under load.
    pub operations: Vec<Operation>,
    /// Whether photos are uploaded as well.
    pub with_uploads: bool,
    pub rounds: usize,
    /// How long each load lasts.
    pub seconds: u64,
    pub seed: u64,
    /// Width and height of the photos that are uploaded.
    pub photo_size: (usize, usize),
    /// The same of those that come alone, whose files are larger than 4 MB.
    pub lone_photo_size: (usize, usize),
    /// Different photos.
    pub photos: usize,
    pub upload_rounds: usize,
    /// Photos that each side takes in, in a round.
    pub uploads: usize,
    /// Clients that upload at a time.
    pub uploaders: usize,
    /// Photos that are uploaded one by one, each when all is quiet.
    pub lone_uploads: usize,
    /// Who is compared; Ferrotype and the bare handler need nothing installed but the load tool.
    pub sides: &'static [Side],
}

impl Plan {
    pub const IMAGES: u64 = 100_000;
    pub const ROUNDS: usize = 5;
    pub const UPLOAD_ROUNDS: usize = 3;
    pub const SECONDS: u64 = 4;

    /// What the issue asks for.
    pub fn whole() -> Self {
        Self {
            images: Self::IMAGES,
            users: 100,
            popular: 1_000,
            connections: 64,
            operations: Operation::ALL.to_vec(),
            with_uploads: true,
            rounds: Self::ROUNDS,
            seconds: Self::SECONDS,
            seed: 0,
            photo_size: (4_000, 3_000),
            lone_photo_size: (4_896, 3_672),
            photos: 6,
            upload_rounds: Self::UPLOAD_ROUNDS,
            uploads: 12,
            uploaders: 4,
            lone_uploads: 40,
            sides: &Side::ALL,
        }
    }
}
