//! One entry of a batch of writes: what was asked, decided against the table as the entries
//! before it leave it.
//!
//! Everything of an entry is decided before anything of it is written, so that an entry that
//! is refused or invalid leaves no trace in the batch.

use rusqlite::Connection;
use table::{Action, BatchEntry, Effect, Error, Item, Key, Schema, Transacted};
use tokio::sync::oneshot;

use crate::fault::Fault;
use crate::layout::{Layout, quote};
use crate::row::{ALL_SUIT, bind_columns, encode_body};
use crate::select::Selects;

/// Where the outcome of an entry goes; nobody may be waiting for it any more.
pub(crate) type Answer<T> = oneshot::Sender<Result<T, Error>>;

/// What was asked.
#[derive(Debug)]
pub(crate) enum Entry {
    Transact(Vec<Action>, Answer<Transacted>),
    BatchWrite(Vec<BatchEntry>, Answer<()>),
    Increment { action: Action, attribute: String, answer: Answer<i64> },
    Sweep(Answer<u32>),
}

/// Gives an entry's outcome to whoever waits for it, or the error with which the whole batch
/// failed.
pub(crate) type Reply = Box<dyn FnOnce(Option<Error>) + Send>;

/// What became of an entry in the open transaction.
pub(crate) struct Applied {
    /// To be sent when the transaction is committed, or has failed.
    pub(crate) reply: Reply,
    /// Whether SQLite could do it; what is wrong with the entry itself is in the reply.
    pub(crate) written: rusqlite::Result<()>,
}

/// How many items one sweep removes; more are left to the next one, so that other writers
/// get their turn.
pub(crate) const SWEEP_ITEMS_MAX: u32 = 500;

const DELETE: &str = "DELETE FROM item WHERE pk = ?1 AND sk = ?2";
const REPLACE_BODY: &str = "UPDATE item SET body = ?3 WHERE pk = ?1 AND sk = ?2";
const EXPIRED: &str = "SELECT pk, sk FROM item INDEXED BY \"ttl\" WHERE ttl < ?1 LIMIT ?2";

impl Entry {
    /// Answers an entry that was not done at all.
    pub(crate) fn fail(self, error: Error) {
        match self {
            Self::Transact(_, answer) => drop(answer.send(Err(error))),
            Self::BatchWrite(_, answer) => drop(answer.send(Err(error))),
            Self::Increment { answer, .. } => drop(answer.send(Err(error))),
            Self::Sweep(answer) => drop(answer.send(Err(error))),
        }
    }
}

/// Decides entries and writes what they ask for.
#[derive(Debug)]
pub(crate) struct Applier {
    schema: Schema,
    selects: Selects,
    put: String,
}

/// What an entry asks for, once decided, and its outcome when that is written.
struct Decision<T> {
    steps: Vec<Step>,
    outcome: T,
}

/// A change of one row.
enum Step {
    Put {
        item: Item,
        body: Vec<u8>,
    },
    /// The row stays in the same places of all indexes.
    ReplaceBody {
        key: Key,
        body: Vec<u8>,
    },
    Delete(Key),
}

impl Applier {
    pub(crate) fn new(schema: Schema, layout: &Layout) -> Self {
        let columns = layout.sql_columns();
        // The key, the columns, the body.
        let parameters = layout.columns().len() + 3;
        let values: Vec<String> = (1..=parameters).map(|number| format!("?{number}")).collect();
        let values = values.join(", ");
        // A row keeps its id when its item is replaced.
        let replaced: String = layout
            .columns()
            .iter()
            .map(|column| quote(&column.name))
            .map(|column| format!("{column} = excluded.{column}, "))
            .collect();
        Self {
            schema,
            selects: Selects::new(layout),
            put: format!(
                "INSERT INTO item (pk, sk, {columns}, body) VALUES ({values})
                 ON CONFLICT (pk, sk) DO UPDATE SET {replaced}body = excluded.body"
            ),
        }
    }

    /// Decides an entry and writes what it asks for into the open transaction.
    pub(crate) fn apply(&self, connection: &Connection, entry: Entry, now_seconds: i64) -> Applied {
        match entry {
            Entry::Transact(actions, answer) => {
                let decision = self.decide_transaction(connection, &actions, now_seconds);
                self.write(connection, decision, answer)
            }
            Entry::BatchWrite(entries, answer) => {
                self.write(connection, self.decide_batch(entries), answer)
            }
            Entry::Increment { action, attribute, answer } => {
                let decision = self.decide_increment(connection, &action, &attribute, now_seconds);
                self.write(connection, decision, answer)
            }
            Entry::Sweep(answer) => {
                self.write(connection, decide_sweep(connection, now_seconds), answer)
            }
        }
    }

    fn decide_transaction(
        &self,
        connection: &Connection,
        actions: &[Action],
        now_seconds: i64,
    ) -> Result<Decision<Transacted>, Fault> {
        let found = actions
            .iter()
            .map(|action| self.find_live(connection, action, now_seconds))
            .collect::<Result<Vec<_>, Fault>>()?;
        let refusals: Vec<_> = actions
            .iter()
            .zip(&found)
            .enumerate()
            .filter_map(|(index, (action, found))| action.refusal(index, found.as_ref()))
            .collect();
        if !refusals.is_empty() {
            return Ok(Decision { steps: Vec::new(), outcome: Transacted::Refused(refusals) });
        }
        let steps = actions
            .iter()
            .zip(&found)
            .filter_map(|(action, found)| self.step(action, found.as_ref()).transpose())
            .collect::<Result<Vec<_>, Error>>()?;
        Ok(Decision { steps, outcome: Transacted::Done })
    }

    fn decide_increment(
        &self,
        connection: &Connection,
        action: &Action,
        attribute: &str,
        now_seconds: i64,
    ) -> Result<Decision<i64>, Fault> {
        let found = self.find_live(connection, action, now_seconds)?;
        let result = action.result(found.as_ref(), &self.schema)?;
        let sum = result.as_ref().and_then(|item| item.i64(attribute)).ok_or_else(|| {
            Error::Corrupt(format!("the counter {:?} is no integer", action.key()))
        })?;
        let steps = match result {
            Some(item) => vec![self.put_step(item, found.as_ref())?],
            None => Vec::new(),
        };
        Ok(Decision { steps, outcome: sum })
    }

    fn decide_batch(&self, entries: Vec<BatchEntry>) -> Result<Decision<()>, Fault> {
        let steps = entries
            .into_iter()
            .map(|entry| match entry {
                BatchEntry::Put(item) => self.put_step(item, None),
                BatchEntry::Delete(key) => Ok(Step::Delete(key)),
            })
            .collect::<Result<Vec<_>, Error>>()?;
        Ok(Decision { steps, outcome: () })
    }

    /// The item an action has to know to be decided. Without conditions, puts and deletes
    /// need none.
    fn find_live(
        &self,
        connection: &Connection,
        action: &Action,
        now_seconds: i64,
    ) -> Result<Option<Item>, Fault> {
        let is_blind = action.conditions.is_empty()
            && matches!(action.effect, Effect::Put(_) | Effect::Delete(_));
        if is_blind {
            return Ok(None);
        }
        self.selects.get(connection, action.key(), now_seconds)
    }

    fn step(&self, action: &Action, found: Option<&Item>) -> Result<Option<Step>, Error> {
        if matches!(action.effect, Effect::Check(_)) {
            return Ok(None);
        }
        match action.result(found, &self.schema)? {
            None => Ok(Some(Step::Delete(action.key().clone()))),
            Some(item) => self.put_step(item, found).map(Some),
        }
    }

    fn put_step(&self, item: Item, found: Option<&Item>) -> Result<Step, Error> {
        let body = encode_body(self.selects.layout(), &item.attributes, ALL_SUIT)?;
        if found.is_some_and(|found| self.stays_in_place(found, &item)) {
            return Ok(Step::ReplaceBody { key: item.key, body });
        }
        Ok(Step::Put { item, body })
    }

    /// Whether all columns of the row stay as they are. A column that is no longer in use may
    /// hold a value that now belongs in the body, so it must be absent.
    fn stays_in_place(&self, found: &Item, item: &Item) -> bool {
        self.selects.layout().columns().iter().all(|column| {
            let before = found.get(&column.attribute);
            if column.in_use { before == item.get(&column.attribute) } else { before.is_none() }
        })
    }

    fn write<T: Send + 'static>(
        &self,
        connection: &Connection,
        decision: Result<Decision<T>, Fault>,
        answer: Answer<T>,
    ) -> Applied {
        let (outcome, written) = match decision {
            Err(Fault::Sqlite(error)) => (Err(Error::Closed), Err(error)),
            Err(Fault::Table(error)) => (Err(error), Ok(())),
            Ok(Decision { steps, outcome }) => {
                let mut steps = steps.iter();
                (Ok(outcome), steps.try_for_each(|step| self.write_step(connection, step)))
            }
        };
        let reply: Reply = Box::new(move |batch_error| {
            let _ = answer.send(batch_error.map_or(outcome, Err));
        });
        Applied { reply, written }
    }

    fn write_step(&self, connection: &Connection, step: &Step) -> rusqlite::Result<()> {
        match step {
            Step::Delete(key) => {
                connection.prepare_cached(DELETE)?.execute([&key.pk, &key.sk])?;
            }
            Step::ReplaceBody { key, body } => {
                let mut statement = connection.prepare_cached(REPLACE_BODY)?;
                statement.execute(rusqlite::params![key.pk, key.sk, body])?;
            }
            Step::Put { item, body } => {
                let mut statement = connection.prepare_cached(&self.put)?;
                statement.raw_bind_parameter(1, &item.key.pk)?;
                statement.raw_bind_parameter(2, &item.key.sk)?;
                let layout = self.selects.layout();
                let next = bind_columns(&mut statement, 3, layout, &item.attributes, ALL_SUIT)?;
                statement.raw_bind_parameter(next, body)?;
                statement.raw_execute()?;
            }
        }
        Ok(())
    }
}

fn decide_sweep(connection: &Connection, now_seconds: i64) -> Result<Decision<u32>, Fault> {
    let mut statement = connection.prepare_cached(EXPIRED)?;
    let rows = statement.query_map(rusqlite::params![now_seconds, SWEEP_ITEMS_MAX], |row| {
        Ok(Step::Delete(Key { pk: row.get(0)?, sk: row.get(1)? }))
    })?;
    let steps = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let swept = u32::try_from(steps.len()).unwrap_or(SWEEP_ITEMS_MAX);
    Ok(Decision { outcome: swept, steps })
}
