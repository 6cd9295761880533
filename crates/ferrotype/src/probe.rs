//! Whether the engines can be used now.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use api::{Health, Part, Readiness};
use async_trait::async_trait;
use blob::BlobPrefix;
use service::Room;
use table::{Action, Condition, Key};

use crate::engines::{Engines, TableEngine};

/// Asks the engines.
pub struct Probe {
    engines: Arc<Engines>,
    /// The folder that must be there, if blobs live in one.
    blob_folder: Option<PathBuf>,
    /// The disk, if it is ours.
    room: Option<Arc<Room>>,
}

/// How long a part may take to answer. Engines retry for longer than those who ask us wait.
const PATIENCE: Duration = Duration::from_secs(3);

impl Probe {
    /// Asks these engines.
    pub fn new(
        engines: Arc<Engines>,
        blob_folder: Option<PathBuf>,
        room: Option<Arc<Room>>,
    ) -> Self {
        Self { engines, blob_folder, room }
    }

    /// What is to be said about a disk that is nearly full.
    fn storage(&self) -> Option<Part> {
        let room = self.room.as_ref()?;
        let free = room.free_bytes()?;
        let warning = (free < room.free_min()).then(|| {
            format!(
                "{free} bytes are free, less than storage.free_min ({}): no photos are taken in; \
                 free some space",
                room.free_min()
            )
        });
        Some(Part::new("storage", Ok::<_, String>(())).warn(warning))
    }

    async fn blobs(&self) -> Result<(), String> {
        if let Some(folder) = &self.blob_folder {
            let found = tokio::fs::metadata(folder).await;
            found.map_err(|error| format!("the folder {}: {error}", folder.display()))?;
        }
        let listed = self.engines.blobs.list_page(&BlobPrefix::Uploads, None, 1).await;
        listed.map(drop).map_err(|error| error.to_string())
    }
}

#[async_trait]
impl Health for Probe {
    async fn check(&self) -> Readiness {
        let (table, blobs) =
            tokio::join!(check_table(&self.engines.table), patiently(self.blobs()));
        let mut parts = vec![Part::new("table", table), Part::new("blobs", blobs)];
        parts.extend(self.storage());
        Readiness { parts }
    }
}

/// Whether a table answers and takes writes.
pub async fn check_table(engine: &TableEngine) -> Result<(), String> {
    patiently(ask_table(engine)).await
}

/// Reads, and sends a transaction that changes nothing the way of all writes.
async fn ask_table(engine: &TableEngine) -> Result<(), String> {
    if let TableEngine::Embedded(table) = engine {
        match table.health() {
            table_embedded::Health::Ready => {}
            table_embedded::Health::Full(problem)
            | table_embedded::Health::WritesStopped(problem) => return Err(problem),
        }
    }
    // Nobody ever writes this row, and its absence is all that is asked for.
    let nothing = Key::new("PROBE", "PROBE");
    let table = engine.table();
    table.get(&nothing).await.map_err(|error| error.to_string())?;
    let check = Action::check(nothing).when(Condition::Absent);
    // Even a refusal would be an answer of those who write.
    table.transact(vec![check]).await.map(|_| ()).map_err(|error| error.to_string())
}

async fn patiently(asked: impl Future<Output = Result<(), String>>) -> Result<(), String> {
    match tokio::time::timeout(PATIENCE, asked).await {
        Ok(answer) => answer,
        Err(_) => Err(format!("no answer within {PATIENCE:?}")),
    }
}
