//! The engine: the trait's methods, each validated, timed and handed to its module.

use std::sync::Arc;

use async_trait::async_trait;
use aws_sdk_dynamodb::Client;
use table::{
    Action, BatchEntry, Clock, Item, Key, Page, Query, Result, Scan, Schema, Table, Transacted,
};

use crate::capacity::{CapacityMeter, timed};
use crate::config::RetryPolicy;
use crate::connect::connect;
use crate::create::{self, CreateOptions, CreateReport};
use crate::describe::load_description;
use crate::operation::Operation;
use crate::retry::Retry;
use crate::{Config, OpenError};

/// A table of Amazon DynamoDB, or of a server that speaks its API.
#[derive(Debug)]
pub struct DynamoTable {
    pub(crate) client: Client,
    pub(crate) name: String,
    pub(crate) schema: Schema,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) capacity: CapacityMeter,
    retry: RetryPolicy,
}

impl DynamoTable {
    /// Opens a table that exists.
    ///
    /// # Errors
    /// When it cannot be reached, does not exist, or lacks keys or indexes of the schema; the
    /// error says which and what to do.
    pub async fn open(config: Config, schema: Schema) -> std::result::Result<Self, OpenError> {
        let client = connect(&config).await?;
        load_description(&client, &config).await?.verify(&config.table, &schema)?;
        Ok(Self {
            client,
            name: config.table,
            schema,
            clock: config.clock,
            capacity: CapacityMeter::default(),
            retry: config.retry,
        })
    }

    /// Creates the table with its indexes, or brings an existing one up to the schema, and
    /// waits until it can be used. Safe to repeat.
    ///
    /// # Errors
    /// When it cannot be reached or created, when a table of that name is not one of ours, or
    /// when it is not ready in time. A feature that the server lacks is no error but a warning
    /// in the report.
    pub async fn create(
        config: &Config,
        schema: &Schema,
        options: &CreateOptions,
    ) -> std::result::Result<CreateReport, OpenError> {
        let client = connect(config).await?;
        create::create(&client, config, schema, options).await
    }

    pub(crate) fn retry(&self, operation: Operation) -> Retry<'_> {
        Retry::new(&self.retry, &self.name, operation)
    }
}

#[async_trait]
impl Table for DynamoTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    async fn get(&self, key: &Key) -> Result<Option<Item>> {
        key.validate()?;
        timed(Operation::Get, self.find(key)).await
    }

    async fn batch_get(&self, keys: &[Key]) -> Result<Vec<Option<Item>>> {
        table::validate_batch_get(keys)?;
        timed(Operation::BatchGet, self.find_all(keys)).await
    }

    async fn query(&self, query: &Query) -> Result<Page> {
        query.validate(&self.schema)?;
        timed(Operation::Query, self.query_page(query)).await
    }

    async fn scan(&self, scan: &Scan) -> Result<Page> {
        scan.validate()?;
        timed(Operation::Scan, self.scan_page(scan)).await
    }

    async fn transact(&self, actions: Vec<Action>) -> Result<Transacted> {
        table::validate_transaction(&actions, &self.schema)?;
        timed(Operation::Transact, self.run_transaction(&actions)).await
    }

    async fn batch_write(&self, entries: Vec<BatchEntry>) -> Result<()> {
        table::validate_batch_write(&entries, &self.schema)?;
        timed(Operation::BatchWrite, self.write_all(&entries)).await
    }

    async fn increment(&self, key: &Key, attribute: &str, by: i64) -> Result<i64> {
        let action = Action::update(key.clone()).add(attribute, by);
        table::validate_transaction(std::slice::from_ref(&action), &self.schema)?;
        timed(Operation::Increment, self.add_to_counter(key, attribute, by, &action)).await
    }
}
