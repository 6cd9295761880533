//! The engines that the configuration names. Nothing else in the program knows which they are.

use std::sync::Arc;
use std::time::Duration;

use blob::Blobs;
use table::Table;
use table_dynamodb::DynamoTable;
use table_embedded::{Checkpoints, EmbeddedTable, Options, Sweeper, spawn_sweeper};

use crate::config::{BlobConfig, Config, TableConfig};
use crate::data_folder::DataFolder;
use crate::failure::Failure;

/// Where rows and objects are.
#[derive(Debug)]
pub struct Engines {
    /// The rows.
    pub table: TableEngine,
    /// The objects.
    pub blobs: Blobs,
}

/// The engine for rows.
#[derive(Debug)]
pub enum TableEngine {
    /// SQLite in the data folder.
    Embedded(Arc<EmbeddedTable>),
    /// DynamoDB.
    DynamoDb(Arc<DynamoTable>),
}

impl Engines {
    /// Opens both stores. The table comes first: it is what keeps a second process out.
    pub async fn open(config: &Config) -> Result<Self, Failure> {
        let table = TableEngine::open(config).await?;
        match open_blobs(config).await {
            Ok(blobs) => Ok(Self { table, blobs }),
            Err(failure) => {
                table.close().await;
                Err(failure)
            }
        }
    }
}

impl TableEngine {
    async fn open(config: &Config) -> Result<Self, Failure> {
        match &config.table {
            TableConfig::Embedded { checkpoints, .. } => {
                let folder = DataFolder::new(&config.data_folder);
                let table = open_embedded(folder, *checkpoints).await?;
                Ok(Self::Embedded(Arc::new(table)))
            }
            TableConfig::DynamoDb(dynamodb) => {
                let table = DynamoTable::open((**dynamodb).clone(), catalog::schema()).await?;
                Ok(Self::DynamoDb(Arc::new(table)))
            }
        }
    }

    /// What all engines can do.
    pub fn table(&self) -> &dyn Table {
        match self {
            Self::Embedded(table) => table.as_ref(),
            Self::DynamoDb(table) => table.as_ref(),
        }
    }

    /// The same, to be shared.
    pub fn shared(&self) -> Arc<dyn Table> {
        match self {
            Self::Embedded(table) => Arc::<EmbeddedTable>::clone(table),
            Self::DynamoDb(table) => Arc::<DynamoTable>::clone(table),
        }
    }

    /// Starts to remove expired items where the engine does not do so by itself.
    pub fn start_sweeper(&self, interval: Duration) -> Option<Sweeper> {
        match self {
            Self::Embedded(table) => {
                Some(spawn_sweeper(Arc::<EmbeddedTable>::clone(table), interval))
            }
            Self::DynamoDb(_) => None,
        }
    }

    /// Finishes what was begun, and lets go of the store.
    pub async fn close(&self) {
        match self {
            Self::Embedded(table) => table.close().await,
            Self::DynamoDb(_) => {}
        }
    }
}

/// Opens the embedded table, creating it if there is none. This reads the disk and may rebuild
/// indexes, so it runs where it blocks nobody.
pub async fn open_embedded(
    folder: DataFolder,
    checkpoints: Checkpoints,
) -> Result<EmbeddedTable, Failure> {
    let open = move || {
        folder.prepare()?;
        let table_folder = folder.table();
        let options = Options::default().with_checkpoints(checkpoints);
        let table = EmbeddedTable::open(&table_folder, catalog::schema(), options)?;
        // The table has made its own folder; that the folder has a name is ours to make durable.
        crate::data_folder::sync(folder.path())
            .map_err(|source| Failure::DataFolder { folder: folder.path().to_owned(), source })?;
        Ok(table)
    };
    let opened = tokio::task::spawn_blocking(open).await;
    opened.map_err(|error| Failure::Start(format!("opening the table: {error}")))?
}

async fn open_blobs(config: &Config) -> Result<Blobs, Failure> {
    match &config.blob {
        BlobConfig::Folder => {
            let folder = DataFolder::new(&config.data_folder);
            folder.prepare()?;
            Ok(Blobs::open_folder(&folder.blobs()).await?)
        }
        BlobConfig::S3(s3) => Ok(Blobs::open_s3(s3).await?),
    }
}
