//! What a server says a table is, compared with what it should be.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, IndexStatus, KeySchemaElement, KeyType, ProjectionType,
    ScalarAttributeType, TableDescription, TableStatus,
};
use table::{Index, PK, SK, Schema, SortKind};

use crate::fault::Fault;
use crate::operation::Operation;
use crate::retry::Retry;
use crate::{Config, OpenError};

/// A table as its server describes it.
#[derive(Debug)]
pub(crate) struct Description(pub(crate) TableDescription);

/// Asks for the description, patiently.
pub(crate) async fn load_description(
    client: &Client,
    config: &Config,
) -> Result<Description, OpenError> {
    find_description(client, config).await?.ok_or_else(|| OpenError::MissingTable {
        table: config.table.clone(),
        endpoint: config.shown_endpoint(),
    })
}

/// Asks for the description of a table that need not exist.
pub(crate) async fn find_description(
    client: &Client,
    config: &Config,
) -> Result<Option<Description>, OpenError> {
    let mut retry = Retry::new(&config.retry, &config.table, Operation::Administer);
    loop {
        let request = client.describe_table().table_name(&config.table);
        match retry.attempt(request.send()).await {
            Ok(answer) => return Ok(answer.table.map(Description)),
            Err(Fault::NoTable) => return Ok(None),
            Err(fault) => {
                retry.again(fault).await.map_err(|fault| OpenError::from_fault(fault, config))?;
            }
        }
    }
}

impl Description {
    /// Whether the table can be used with this schema, now.
    pub(crate) fn verify(&self, table: &str, schema: &Schema) -> Result<(), OpenError> {
        self.verify_keys(table, schema)?;
        let missing = self.missing_indexes(schema);
        if !missing.is_empty() {
            return Err(OpenError::MissingIndexes {
                table: table.to_owned(),
                indexes: missing.iter().map(|index| index.name.to_owned()).collect(),
            });
        }
        match self.not_ready() {
            None => Ok(()),
            Some(reason) => Err(OpenError::NotReady { table: table.to_owned(), reason }),
        }
    }

    /// Whether the keys of the table and of those indexes that exist are the schema's.
    pub(crate) fn verify_keys(&self, table: &str, schema: &Schema) -> Result<(), OpenError> {
        let different = |difference| OpenError::Different { table: table.to_owned(), difference };
        let wanted = [(PK, ScalarAttributeType::S), (SK, ScalarAttributeType::S)];
        self.compare_keys(self.0.key_schema(), &wanted).map_err(|found| {
            different(format!("its key is {found}, not {PK} and {SK} as texts"))
        })?;
        for found in self.0.global_secondary_indexes() {
            let name = found.index_name().unwrap_or_default();
            let Some(index) = schema.index(name) else { continue };
            self.compare_keys(found.key_schema(), &index_keys(index)).map_err(|found| {
                different(format!(
                    "the key of index {name:?} is {found}, not {} and {}",
                    index.partition, index.sort
                ))
            })?;
            let projection = found.projection().and_then(|projection| projection.projection_type());
            if projection.is_some_and(|projection| *projection != ProjectionType::All) {
                return Err(different(format!("index {name:?} does not hold all attributes")));
            }
        }
        Ok(())
    }

    /// The indexes of the schema that the table does not have.
    pub(crate) fn missing_indexes<'s>(&self, schema: &'s Schema) -> Vec<&'s Index> {
        let has = |index: &Index| {
            self.0
                .global_secondary_indexes()
                .iter()
                .any(|found| found.index_name() == Some(index.name))
        };
        schema.indexes().iter().filter(|index| !has(index)).collect()
    }

    /// What is still being made, if anything; such a table cannot be relied on.
    pub(crate) fn not_ready(&self) -> Option<String> {
        match self.0.table_status() {
            None | Some(TableStatus::Active | TableStatus::Updating) => {}
            Some(status) => return Some(format!("its status is {}", status.as_str())),
        }
        self.0.global_secondary_indexes().iter().find_map(|index| match index.index_status() {
            None | Some(IndexStatus::Active | IndexStatus::Updating) => None,
            Some(status) => Some(format!(
                "the status of index {:?} is {}",
                index.index_name().unwrap_or_default(),
                status.as_str()
            )),
        })
    }

    /// Whether the table takes further changes of its settings.
    pub(crate) fn is_settled(&self) -> bool {
        self.0.table_status().is_none_or(|status| *status == TableStatus::Active)
            && self.not_ready().is_none()
    }

    /// Fails with the keys found, as text, when they are not the wanted ones.
    fn compare_keys(
        &self,
        found: &[KeySchemaElement],
        wanted: &[(&str, ScalarAttributeType); 2],
    ) -> Result<(), String> {
        let types: HashMap<&str, &ScalarAttributeType> = self
            .0
            .attribute_definitions()
            .iter()
            .map(|definition| (definition.attribute_name(), definition.attribute_type()))
            .collect();
        let part = |kind: KeyType| {
            let element = found.iter().find(|element| *element.key_type() == kind)?;
            let name = element.attribute_name();
            Some((name, types.get(name).copied().cloned()?))
        };
        let parts = [part(KeyType::Hash), part(KeyType::Range)];
        let same = found.len() == 2
            && parts.iter().zip(wanted).all(|(found, wanted)| found.as_ref() == Some(wanted));
        if same {
            return Ok(());
        }
        let shown: Vec<String> = parts
            .iter()
            .flatten()
            .map(|(name, kind)| format!("{name} ({})", kind.as_str()))
            .collect();
        Err(shown.join(" and "))
    }
}

/// The key attributes of an index, with their types.
pub(crate) fn index_keys(index: &Index) -> [(&'static str, ScalarAttributeType); 2] {
    let sort_type = match index.sort_kind {
        SortKind::Text => ScalarAttributeType::S,
        SortKind::Number => ScalarAttributeType::N,
    };
    [(index.partition, ScalarAttributeType::S), (index.sort, sort_type)]
}

/// Attribute definitions of some keys, each attribute once.
pub(crate) fn definitions(
    keys: impl IntoIterator<Item = (&'static str, ScalarAttributeType)>,
) -> Result<Vec<AttributeDefinition>, OpenError> {
    let mut definitions: Vec<AttributeDefinition> = Vec::new();
    for (name, kind) in keys {
        if definitions.iter().any(|definition| definition.attribute_name() == name) {
            continue;
        }
        let definition =
            AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build();
        definitions.push(definition.map_err(|error| OpenError::Config(error.to_string()))?);
    }
    Ok(definitions)
}
