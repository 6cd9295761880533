use std::sync::Arc;
use std::time::Duration;

use imaging::{Limits, RenderOptions, TransformRules};
use model::{QuotaRule, SizeSpec, default_sizes};

use crate::{AccountSettings, Room};

/// What an installation has decided.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The renditions that every image gets.
    pub sizes: Vec<SizeSpec>,
    /// What an image may take.
    pub limits: Limits,
    /// How renditions are made.
    pub render: RenderOptions,
    /// Which renditions may be asked for on demand.
    pub transforms: TransformRules,
    /// Memory for decoding images, of all that are worked on at once.
    pub memory_bytes: u64,
    /// Who may come in, and how.
    pub accounts: AccountSettings,
    /// What a new user may keep, where the configuration decides that and not administrators.
    pub quota: Option<QuotaRule>,
    /// How long an upload may take from its reservation to its last byte.
    pub upload_time: Duration,
    /// How long an image stays in the trash.
    pub trash_time: Duration,
    /// How long a signed URL of an image works at least.
    pub url_time: Duration,
    /// Where this server answers signed URLs for its storage, such as
    /// `https://photos.example.org/storage/`; none if the storage signs and answers its own.
    pub storage_url: Option<String>,
    /// Whether renditions are fetched from the storage itself, which must sign its own URLs.
    pub redirect_pixels: bool,
    /// Whether EXIF and GPS of a shared image can be seen by others than its owner.
    pub share_exif: bool,
    /// How much of the disk is to stay free, where a disk of ours is used.
    pub room: Option<Arc<Room>>,
}

impl Default for Settings {
    fn default() -> Self {
        const HOUR: Duration = Duration::from_secs(60 * 60);
        Self {
            sizes: default_sizes(),
            limits: Limits::default(),
            render: RenderOptions::default(),
            transforms: TransformRules::default(),
            memory_bytes: 512 << 20,
            accounts: AccountSettings::default(),
            quota: None,
            upload_time: 24 * HOUR,
            trash_time: 30 * 24 * HOUR,
            url_time: HOUR,
            storage_url: None,
            redirect_pixels: false,
            share_exif: false,
            room: None,
        }
    }
}
