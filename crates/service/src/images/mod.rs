//! The life of a photo: promised, received, processed, seen, changed, thrown away, removed.

mod direct;
mod edit;
mod exists;
mod expire;
mod external;
mod kept;
mod original;
mod process;
mod purge;
mod repeated;
mod resume;
mod retry;
mod timeline;
mod trash;
mod upload;
mod view;

pub use edit::EditImage;
pub use exists::SUMS_AT_ONCE_MAX;
pub use external::{NewExternalImage, RecordedImage};
pub use kept::{KeptView, KeptViews, View};
pub use process::Progress;
pub use resume::{PieceChecksum, ResumableUpload, Resumed};
pub use retry::RetryEnd;
pub(crate) use timeline::KeptTimelines;
pub use timeline::TimelineChunk;
pub use upload::{Begun, BrokeOff, NewImage, Uploaded};
pub use view::{Feed, OwnedBy};
