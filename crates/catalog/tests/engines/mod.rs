//! A catalog on each engine.

use std::sync::Arc;
use std::time::Duration;

use table::{Clock, ManualClock, MemoryTable, SystemClock, Table};
use table_dynamodb::{Config, CreateOptions, Credentials, DynamoTable};
use table_embedded::{EmbeddedTable, Options};
use testkit::servers::{ACCESS_KEY_ID, Dynoxide, REGION, SECRET_ACCESS_KEY};

use crate::cases::World;

fn clock() -> ManualClock {
    ManualClock::at(SystemClock.now_seconds())
}

pub async fn memory() -> World {
    let clock = clock();
    let table = MemoryTable::new(catalog::schema()).with_clock(clock.clone());
    World::new(Arc::new(table), clock, None)
}

pub async fn lagging() -> World {
    let clock = clock();
    let table = MemoryTable::new(catalog::schema())
        .with_clock(clock.clone())
        .with_index_delay(Duration::from_millis(20));
    World::new(Arc::new(table), clock, None)
}

pub async fn embedded() -> World {
    let clock = clock();
    let folder = tempfile::tempdir().unwrap();
    let options = Options::default().with_clock(clock.clone());
    let table = EmbeddedTable::open(folder.path(), catalog::schema(), options).unwrap();
    World::new(Arc::new(table), clock, Some(folder))
}

/// Every world has a table of its own, since some cases list whole partitions.
pub async fn dynoxide() -> World {
    let clock = clock();
    let config = Config {
        region: Some(REGION.to_owned()),
        endpoint: Some(Dynoxide::shared().endpoint()),
        credentials: Credentials::Static {
            access_key_id: ACCESS_KEY_ID.to_owned(),
            secret_access_key: SECRET_ACCESS_KEY.to_owned(),
            session_token: None,
        },
        clock: Arc::new(clock.clone()),
        ..Config::new(format!("catalog-{:016x}", rand::random::<u64>()))
    };
    let schema = catalog::schema();
    DynamoTable::create(&config, &schema, &CreateOptions::default()).await.unwrap();
    let table: Arc<dyn Table> = Arc::new(DynamoTable::open(config, schema).await.unwrap());
    World::new(table, clock, None)
}
