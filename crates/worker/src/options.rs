use std::time::Duration;

use model::WorkKind;

/// How much is done at once, and how often it is looked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// Names this process in the rows it holds.
    pub name: String,
    /// Images rendered at once.
    pub rendering_max: usize,
    /// Other tasks of one kind at once.
    pub others_max: usize,
    /// How long to wait for a hint before looking whether something is due.
    pub poll_interval: Duration,
    /// How often objects without rows are looked for; never if zero.
    pub sweep_interval: Duration,
    /// How often entries of words are taken out that images no longer have; never if zero.
    pub gone_words_interval: Duration,
}

impl Default for Options {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            name: format!("worker-{:08x}", rand::random::<u32>()),
            rendering_max: cores,
            others_max: 4,
            poll_interval: Duration::from_secs(2),
            sweep_interval: Duration::from_secs(24 * 60 * 60),
            gone_words_interval: Duration::from_secs(10 * 60),
        }
    }
}

impl Options {
    pub(crate) fn tasks_max(&self, kind: WorkKind) -> usize {
        let max = match kind {
            WorkKind::Process | WorkKind::Faces => self.rendering_max,
            WorkKind::Group | WorkKind::Expire | WorkKind::Purge | WorkKind::Erase => {
                self.others_max
            }
        };
        max.max(1)
    }
}
