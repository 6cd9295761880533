use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Error;

/// Memory is handed out in pages of this size, rounded up.
const PAGE_BYTES: u64 = 64 << 10;

/// Admits work by the memory it takes, so that the sum never exceeds the budget.
///
/// First come, first served: a large image waits for its turn and small ones that came later wait
/// behind it, so nothing starves. Clones share the budget.
#[derive(Clone, Debug)]
pub struct MemoryBudget {
    pages: Arc<Semaphore>,
    total: u32,
}

impl MemoryBudget {
    /// A budget of so many bytes (in steps of 64 KiB, rounded down; at most 256 TiB).
    pub fn new(bytes: u64) -> Self {
        let total = u32::try_from(bytes / PAGE_BYTES).unwrap_or(u32::MAX);
        let permits = usize::try_from(total).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        Self { pages: Arc::new(Semaphore::new(permits)), total }
    }

    /// Waits until there is so much memory, and takes it until the permit is dropped.
    ///
    /// Fails only if the whole budget is too small for it. Cancel-safe: who stops waiting loses
    /// only the place in the queue.
    pub async fn admit(&self, bytes: u64) -> Result<Permit, Error> {
        let pages = self.pages_for(bytes)?;
        let taken = Arc::clone(&self.pages).acquire_many_owned(pages).await;
        taken.map(|taken| Permit { taken }).map_err(|_| closed())
    }

    /// The same for threads without a runtime. Must not be called from async code.
    pub fn admit_blocking(&self, bytes: u64) -> Result<Permit, Error> {
        pollster::block_on(self.admit(bytes))
    }

    /// The whole budget.
    pub fn total_bytes(&self) -> u64 {
        u64::from(self.total) * PAGE_BYTES
    }

    /// What nobody has taken yet.
    pub fn free_bytes(&self) -> u64 {
        self.pages.available_permits() as u64 * PAGE_BYTES
    }

    fn pages_for(&self, bytes: u64) -> Result<u32, Error> {
        match u32::try_from(bytes.div_ceil(PAGE_BYTES)) {
            Ok(pages) if pages <= self.total => Ok(pages),
            _ => Err(Error::TooMuchMemory { bytes, limit: self.total_bytes() }),
        }
    }
}

/// Memory taken from a [`MemoryBudget`], given back on drop.
#[derive(Debug)]
#[must_use = "dropping it gives the memory back"]
pub struct Permit {
    taken: OwnedSemaphorePermit,
}

impl Permit {
    /// How much is taken.
    pub fn bytes(&self) -> u64 {
        self.taken.num_permits() as u64 * PAGE_BYTES
    }
}

fn closed() -> Error {
    Error::Internal { what: "the memory budget was closed".into() }
}
