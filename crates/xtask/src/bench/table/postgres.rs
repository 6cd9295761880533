//! PostgreSQL's side: the same logical table, a connection for each task, one prepared
//! statement for each operation, `COPY` for bulk.
//!
//! It gets every advantage that keeps its promises: no vacuum and no checkpoint falls into
//! what is measured, and its pages do not look one row ahead to know whether more follow.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::future::try_join_all;
use table::{EncodedAttributes, Index, Item, Key, SortKind, VERSION, Value, encode_attributes};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, NoTls, Row, Statement};

use crate::Outcome;
use crate::dataset::{Edit, UPLOADED};
use crate::store::{NewestPage, PAGE_ITEMS, PageEnd, Session, Store};

/// What differs from PostgreSQL's defaults.
pub const SETTINGS: [(&str, &str); 7] = [
    ("shared_buffers", "512MB"),
    ("max_wal_size", "16GB"),
    ("checkpoint_timeout", "1h"),
    ("autovacuum", "off"),
    ("jit", "off"),
    ("random_page_cost", "1.1"),
    ("max_connections", "120"),
];
/// Connections that load at a time: one for each core that the benchmark is meant for.
const LOADERS: usize = 2;
/// The columns before those of the indexes.
const KEY_COLUMNS: [&str; 2] = ["pk", "sk"];
const OWNER_PARTITION: &str = "GSI1PK";
const OWNER_PLACE: &str = "GSI1SK";

/// A table of a cluster.
#[derive(Clone, Debug)]
pub struct PostgresStore {
    address: String,
    name: String,
    columns: Vec<Column>,
}

/// A column that holds an attribute by itself.
#[derive(Clone, Debug)]
struct Column {
    attribute: &'static str,
    kind: Type,
}

impl PostgresStore {
    /// The table of this name at this address.
    pub fn new(address: String, name: &str) -> Self {
        let schema = catalog::schema();
        let mut columns = vec![Column { attribute: VERSION, kind: Type::INT8 }];
        for index in schema.indexes() {
            columns.push(Column { attribute: index.partition, kind: Type::TEXT });
            columns.push(Column { attribute: index.sort, kind: sort_type(index) });
        }
        Self { address, name: name.to_owned(), columns }
    }

    /// The same table at another address.
    pub fn at(&self, address: String) -> Self {
        Self { address, ..self.clone() }
    }

    /// Creates the table and its indexes.
    pub async fn create(&self) -> Outcome {
        let (name, client) = (&self.name, self.connect().await?);
        let columns: String = self
            .columns
            .iter()
            .map(|Column { attribute, kind }| format!("\"{attribute}\" {kind}, "))
            .collect();
        let mut sql = format!(
            "CREATE TABLE {name} (pk text NOT NULL, sk text NOT NULL, {columns}
             body bytea NOT NULL, PRIMARY KEY (pk, sk));"
        );
        for Index { partition, sort, .. } in catalog::schema().indexes() {
            sql += &format!(
                "CREATE INDEX ON {name} (\"{partition}\", \"{sort}\", pk, sk)
                 WHERE \"{partition}\" IS NOT NULL AND \"{sort}\" IS NOT NULL;"
            );
        }
        Ok(client.batch_execute(&sql).await?)
    }

    /// What PostgreSQL says to one question.
    pub async fn ask(&self, sql: &str) -> Outcome<String> {
        Ok(self.connect().await?.query_one(sql, &[]).await?.try_get(0)?)
    }

    /// Writes everything to its final place.
    pub async fn checkpoint(&self) -> Outcome {
        Ok(self.connect().await?.batch_execute("CHECKPOINT").await?)
    }

    async fn vacuum(&self) -> Outcome {
        let client = self.connect().await?;
        Ok(client.batch_execute(&format!("VACUUM (ANALYZE) {}", self.name)).await?)
    }

    async fn connect(&self) -> Outcome<Client> {
        let (client, connection) = tokio_postgres::connect(&self.address, NoTls).await?;
        // Ends with the client; whoever waits for an answer is told what happened.
        tokio::spawn(connection);
        Ok(client)
    }

    fn column_names(&self) -> Vec<String> {
        let attributes = self.columns.iter().map(|column| format!("\"{}\"", column.attribute));
        let keys = KEY_COLUMNS.iter().map(|name| (*name).to_owned());
        keys.chain(attributes).chain(["body".to_owned()]).collect()
    }

    fn column_types(&self) -> Vec<Type> {
        let kinds = self.columns.iter().map(|column| column.kind.clone());
        [Type::TEXT, Type::TEXT].into_iter().chain(kinds).chain([Type::BYTEA]).collect()
    }

    async fn copy(&self, items: &[Item]) -> Outcome {
        let client = self.connect().await?;
        let (name, columns) = (&self.name, self.column_names().join(", "));
        let sink =
            client.copy_in(&format!("COPY {name} ({columns}) FROM STDIN (FORMAT binary)")).await?;
        let mut writer = Box::pin(BinaryCopyInWriter::new(sink, &self.column_types()));
        for item in items {
            let row = StoredRow::of(item, &self.columns)?;
            writer.as_mut().write_raw(row.parameters()).await?;
        }
        writer.as_mut().finish().await?;
        Ok(())
    }
}

fn sort_type(index: &Index) -> Type {
    match index.sort_kind {
        SortKind::Text => Type::TEXT,
        SortKind::Number => Type::INT8,
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn session(&self) -> Outcome<Box<dyn Session>> {
        Ok(Box::new(PostgresSession::start(self).await?))
    }

    async fn load(&self, items: Vec<Item>) -> Outcome<Duration> {
        let share = items.len().div_ceil(LOADERS).max(1);
        let shares: Vec<Vec<Item>> = items.chunks(share).map(<[Item]>::to_vec).collect();
        let started = Instant::now();
        let loaders = shares.into_iter().map(|share| {
            let store = self.clone();
            tokio::spawn(async move { store.copy(&share).await })
        });
        for loaded in try_join_all(loaders).await? {
            loaded?;
        }
        Ok(started.elapsed())
    }

    async fn remove(&self, keys: &[Key]) -> Outcome {
        let client = self.connect().await?;
        let pks: Vec<&str> = keys.iter().map(|key| key.pk.as_str()).collect();
        client.execute(&format!("DELETE FROM {} WHERE pk = ANY($1)", self.name), &[&pks]).await?;
        self.vacuum().await
    }

    async fn settle(&self) -> Outcome {
        self.vacuum().await?;
        self.checkpoint().await
    }

    async fn size_bytes(&self) -> Outcome<u64> {
        let sql = format!("SELECT pg_total_relation_size('{}')", self.name);
        let bytes: i64 = self.connect().await?.query_one(&sql, &[]).await?.try_get(0)?;
        Ok(u64::try_from(bytes)?)
    }
}

/// An item as the row it is stored in.
struct StoredRow<'i> {
    item: &'i Item,
    /// Nothing where the item lacks the attribute.
    columns: Vec<Box<dyn ToSql + Sync + Send + 'i>>,
    body: Vec<u8>,
}

impl<'i> StoredRow<'i> {
    fn of(item: &'i Item, columns: &[Column]) -> Outcome<Self> {
        let has_column = |name: &str| columns.iter().any(|column| column.attribute == name);
        let rest = || item.attributes.iter().filter(|(name, _)| !has_column(name));
        let body = encode_attributes(Vec::with_capacity(1024), rest().count(), rest())?;
        let columns = columns
            .iter()
            .map(|Column { attribute, kind }| -> Box<dyn ToSql + Sync + Send> {
                let value = item.get(attribute);
                match *kind {
                    Type::INT8 => Box::new(value.and_then(Value::as_i64)),
                    _ => Box::new(value.and_then(Value::as_str)),
                }
            })
            .collect();
        Ok(Self { item, columns, body })
    }

    fn parameters(&self) -> impl ExactSizeIterator<Item = &(dyn ToSql + Sync)> {
        let mut parameters: Vec<&(dyn ToSql + Sync)> = vec![&self.item.key.pk, &self.item.key.sk];
        for column in &self.columns {
            parameters.push(&**column);
        }
        parameters.push(&self.body);
        parameters.into_iter()
    }
}

struct PostgresSession {
    client: Client,
    columns: Vec<Column>,
    get: Statement,
    newest: Statement,
    newest_after: Statement,
    put: Statement,
    update: Statement,
}

impl PostgresSession {
    async fn start(store: &PostgresStore) -> Outcome<Self> {
        let client = store.connect().await?;
        let (name, names) = (&store.name, store.column_names());
        let columns = names.join(", ");
        let parameters: Vec<String> = (1..=names.len()).map(|n| format!("${n}")).collect();
        let parameters = parameters.join(", ");
        let replaced: Vec<String> =
            names.iter().skip(2).map(|name| format!("{name} = excluded.{name}")).collect();
        let replaced = replaced.join(", ");
        let (partition, place) = (OWNER_PARTITION, OWNER_PLACE);
        let list = format!(
            "SELECT {columns} FROM {name} WHERE \"{partition}\" = $1 AND \"{place}\" >= $2"
        );
        let order = format!("ORDER BY \"{place}\" DESC, pk DESC, sk DESC LIMIT {PAGE_ITEMS}");
        let statements = [
            format!("SELECT {columns} FROM {name} WHERE pk = $1 AND sk = $2"),
            format!("{list} AND \"{place}\" < $3 {order}"),
            format!("{list} AND (\"{place}\", pk, sk) < ($3, $4, $5) {order}"),
            format!(
                "INSERT INTO {name} ({columns}) VALUES ({parameters})
                 ON CONFLICT (pk, sk) DO UPDATE SET {replaced}"
            ),
            format!(
                "UPDATE {name} SET body = $4, version = $3 + 1
                 WHERE pk = $1 AND sk = $2 AND version = $3"
            ),
        ];
        let prepared = try_join_all(statements.iter().map(|sql| client.prepare(sql))).await?;
        let [get, newest, newest_after, put, update] = <[Statement; 5]>::try_from(prepared)
            .map_err(|_| "as many statements as there were texts")?;
        let columns = store.columns.clone();
        Ok(Self { client, columns, get, newest, newest_after, put, update })
    }

    fn item(&self, row: &Row) -> Outcome<Item> {
        let key = Key::new(row.try_get::<_, &str>(0)?, row.try_get::<_, &str>(1)?);
        let mut attributes = EncodedAttributes::with_capacity(2048);
        for (Column { attribute, kind }, at) in self.columns.iter().zip(2..) {
            match *kind {
                Type::INT8 => {
                    if let Some(int) = row.try_get::<_, Option<i64>>(at)? {
                        attributes.push_number(attribute, int.into());
                    }
                }
                _ => {
                    if let Some(text) = row.try_get::<_, Option<&str>>(at)? {
                        attributes.push_text(attribute, text);
                    }
                }
            }
        }
        attributes.push_map(row.try_get(2 + self.columns.len())?, |_| false)?;
        Ok(Item::of(key, attributes))
    }
}

/// The first text after all places that begin with [`UPLOADED`].
const UPLOADED_END: &str = "UPLOADED$";

#[async_trait]
impl Session for PostgresSession {
    async fn get(&mut self, key: &Key) -> Outcome<Option<Item>> {
        let row = self.client.query_opt(&self.get, &[&key.pk, &key.sk]).await?;
        row.map(|row| self.item(&row)).transpose()
    }

    async fn newest(&mut self, partition: &str, after: Option<&PageEnd>) -> Outcome<NewestPage> {
        let rows = match after {
            None => {
                let parameters: [&(dyn ToSql + Sync); 3] = [&partition, &UPLOADED, &UPLOADED_END];
                self.client.query(&self.newest, &parameters).await?
            }
            Some(PageEnd::Postgres { place, key }) => {
                let parameters: [&(dyn ToSql + Sync); 5] =
                    [&partition, &UPLOADED, place, &key.pk, &key.sk];
                self.client.query(&self.newest_after, &parameters).await?
            }
            Some(PageEnd::Embedded(_)) => return Err("a page of the other side".into()),
        };
        let items = rows.iter().map(|row| self.item(row)).collect::<Outcome<Vec<_>>>()?;
        let end = items.last().filter(|_| items.len() == PAGE_ITEMS).map(|item| {
            let place = match item.attributes.value(OWNER_PLACE) {
                Some(Value::S(place)) => place,
                _ => String::new(),
            };
            PageEnd::Postgres { place, key: item.key.clone() }
        });
        Ok(NewestPage { items, end })
    }

    async fn put(&mut self, item: Item) -> Outcome {
        // The parameters are not `Send`, so the row must not live across the wait.
        let answer = {
            let row = StoredRow::of(&item, &self.columns)?;
            self.client.execute_raw(&self.put, row.parameters()).await?
        };
        if answer == 1 { Ok(()) } else { Err("a put stored no row".into()) }
    }

    async fn update(&mut self, edit: Edit) -> Outcome<bool> {
        let Edit { version_before, after, .. } = edit;
        let row = StoredRow::of(&after, &self.columns)?;
        let (key, body) = (&after.key, &row.body);
        let changed =
            self.client.execute(&self.update, &[&key.pk, &key.sk, &version_before, body]).await?;
        Ok(changed == 1)
    }
}
