//! Creating the table: its indexes, on-demand capacity, and the features that guard its data.

use std::time::{Duration, Instant};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    BillingMode, CreateGlobalSecondaryIndexAction, GlobalSecondaryIndex,
    GlobalSecondaryIndexUpdate, KeySchemaElement, KeyType, Projection, ProjectionType,
    ScalarAttributeType,
};
use table::{PK, SK, Schema};

use crate::describe::{Description, definitions, find_description, index_keys, load_description};
use crate::fault::Fault;
use crate::feature::{self, Feature, Warning};
use crate::operation::Operation;
use crate::retry::Retry;
use crate::{Config, OpenError};

/// How to create a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateOptions {
    /// How long to wait for the table and its indexes; filling a new index of a large table
    /// takes long.
    pub deadline: Duration,
    /// With which key DynamoDB encrypts what is stored.
    pub encryption: Encryption,
    /// Whether the table can be deleted only after this was switched off again.
    pub deletion_protection: bool,
}

/// With which key DynamoDB encrypts what is stored. It always encrypts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// A key that Amazon owns: free of charge, and nothing to see or to revoke.
    AmazonOwnedKey,
    /// The account's own key for DynamoDB in AWS KMS.
    AccountKey,
    /// This key in AWS KMS.
    Key(String),
}

/// What creating a table came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateReport {
    /// Whether there was no such table before.
    pub created: bool,
    /// Indexes that were added to a table that existed.
    pub indexes_added: Vec<String>,
    /// Features that are on.
    pub features: Vec<Feature>,
    /// Features that are not, and why.
    pub warnings: Vec<Warning>,
}

impl Default for CreateOptions {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(10 * 60),
            encryption: Encryption::AccountKey,
            deletion_protection: false,
        }
    }
}

/// A table in the making.
pub(crate) struct Work<'a> {
    pub(crate) client: &'a Client,
    pub(crate) config: &'a Config,
    pub(crate) schema: &'a Schema,
    pub(crate) options: &'a CreateOptions,
    started: Instant,
}

pub(crate) async fn create(
    client: &Client,
    config: &Config,
    schema: &Schema,
    options: &CreateOptions,
) -> Result<CreateReport, OpenError> {
    let work = Work { client, config, schema, options, started: Instant::now() };
    let found = find_description(client, config).await?;
    let created = match found {
        Some(found) => found.verify_keys(&config.table, schema).map(|()| false)?,
        None => work.create_table().await?,
    };
    work.settled().await?.verify_keys(&config.table, schema)?;
    let indexes_added = work.add_missing_indexes().await?;
    let (features, warnings) = feature::enable_all(&work).await?;
    Ok(CreateReport { created, indexes_added, features, warnings })
}

impl Work<'_> {
    /// Creates the table; false when somebody else just did.
    async fn create_table(&self) -> Result<bool, OpenError> {
        let bare = self.create_request()?;
        let full = feature::with_features(bare.clone(), self.options)?;
        let mut answer = self.ask(|| full.clone().send()).await;
        // A server that does not know a feature refuses the whole request.
        if matches!(&answer, Err(Fault::Rejected { code, .. }) if code != IN_USE) {
            tracing::debug!(?answer, "creating the table without features");
            answer = self.ask(|| bare.clone().send()).await;
        }
        match answer {
            Ok(_) => Ok(true),
            Err(Fault::Rejected { code, .. }) if code == IN_USE => Ok(false),
            Err(fault) => Err(self.error(fault)),
        }
    }

    fn create_request(&self) -> Result<CreateTableFluentBuilder, OpenError> {
        let keys = own_keys().chain(self.schema.indexes().iter().flat_map(index_keys));
        let mut request = self
            .client
            .create_table()
            .table_name(&self.config.table)
            .billing_mode(BillingMode::PayPerRequest)
            .set_attribute_definitions(Some(definitions(keys)?))
            .set_key_schema(Some(key_schema(PK, SK)?));
        for index in self.schema.indexes() {
            let index = GlobalSecondaryIndex::builder()
                .index_name(index.name)
                .set_key_schema(Some(key_schema(index.partition, index.sort)?))
                .projection(everything())
                .build();
            request = request.global_secondary_indexes(index.map_err(|error| senseless(&error))?);
        }
        Ok(request)
    }

    /// Adds what the schema has and the table has not, one at a time as DynamoDB wants it.
    async fn add_missing_indexes(&self) -> Result<Vec<String>, OpenError> {
        let missing = self.settled().await?;
        let missing = missing.missing_indexes(self.schema);
        for index in &missing {
            let create = CreateGlobalSecondaryIndexAction::builder()
                .index_name(index.name)
                .set_key_schema(Some(key_schema(index.partition, index.sort)?))
                .projection(everything())
                .build()
                .map_err(|error| senseless(&error))?;
            let request = self
                .client
                .update_table()
                .table_name(&self.config.table)
                .set_attribute_definitions(Some(definitions(own_keys().chain(index_keys(index)))?))
                .global_secondary_index_updates(
                    GlobalSecondaryIndexUpdate::builder().create(create).build(),
                );
            self.ask(|| request.clone().send()).await.map_err(|fault| self.error(fault))?;
            self.settled().await?;
        }
        Ok(missing.iter().map(|index| index.name.to_owned()).collect())
    }

    /// Waits until the table and its indexes are ready and take further changes.
    pub(crate) async fn settled(&self) -> Result<Description, OpenError> {
        let mut pause = Duration::from_millis(50);
        loop {
            let found = load_description(self.client, self.config).await;
            let reason = match found {
                Ok(found) if found.is_settled() => return Ok(found),
                Ok(found) => found.not_ready().unwrap_or_else(|| "it is being changed".to_owned()),
                // Just created, and not known everywhere yet.
                Err(OpenError::MissingTable { .. }) => "it cannot be seen yet".to_owned(),
                Err(error) => return Err(error),
            };
            if self.started.elapsed() + pause > self.options.deadline {
                return Err(OpenError::NotReady { table: self.config.table.clone(), reason });
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_secs(5));
        }
    }

    /// Sends a request until it is answered or has failed for good.
    pub(crate) async fn ask<T, F, A>(&self, mut request: impl FnMut() -> A) -> Result<T, Fault>
    where
        A: Future<Output = Result<T, F>>,
        Fault: From<F>,
    {
        let mut retry = Retry::new(&self.config.retry, &self.config.table, Operation::Administer);
        loop {
            match retry.attempt(request()).await {
                Ok(answer) => return Ok(answer),
                Err(fault) => retry.again(fault).await?,
            }
        }
    }

    pub(crate) fn error(&self, fault: Fault) -> OpenError {
        OpenError::from_fault(fault, self.config)
    }

    pub(crate) fn time_is_up(&self) -> bool {
        self.started.elapsed() > self.options.deadline
    }
}

/// Somebody else is creating the same table.
const IN_USE: &str = "ResourceInUseException";

fn key_schema(partition: &str, sort: &str) -> Result<Vec<KeySchemaElement>, OpenError> {
    [(partition, KeyType::Hash), (sort, KeyType::Range)]
        .into_iter()
        .map(|(name, kind)| KeySchemaElement::builder().attribute_name(name).key_type(kind).build())
        .collect::<Result<_, _>>()
        .map_err(|error| senseless(&error))
}

fn own_keys() -> impl Iterator<Item = (&'static str, ScalarAttributeType)> {
    [(PK, ScalarAttributeType::S), (SK, ScalarAttributeType::S)].into_iter()
}

fn everything() -> Projection {
    Projection::builder().projection_type(ProjectionType::All).build()
}

pub(crate) fn senseless(error: &BuildError) -> OpenError {
    OpenError::Config(error.to_string())
}
