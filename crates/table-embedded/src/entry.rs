//! One entry of a batch of writes: what was asked, decided against the table as the entries
//! before it leave it.
//!
//! Everything of an entry is decided before anything of it is written, so that an entry that
//! is refused or invalid leaves no trace in the batch.

use rusqlite::Connection;
use table::{Action, Effect, Error, Item, Key, Schema, Touched, Transacted};
use tokio::sync::oneshot;

use crate::blind::{BlindEntry, BlindStep, WritingOrder};
use crate::fault::Fault;
use crate::layout::{Layout, quote};
use crate::row::{ChangedColumns, NewRow};
use crate::select::Selects;

/// Where the outcome of an entry goes; nobody may be waiting for it any more.
pub(crate) type Answer<T> = oneshot::Sender<Answered<T>>;

/// The outcome of an entry.
#[derive(Debug)]
pub(crate) struct Answered<T> {
    pub(crate) outcome: Result<T, Error>,
    /// What was written and nobody needs any more. It goes back, so that the one thread that
    /// writes need not free it.
    pub(crate) spent: Spent,
}

/// Steps that were written, of an entry of either kind.
#[derive(Debug, Default)]
pub(crate) struct Spent {
    pub(crate) blind: Vec<BlindStep>,
    pub(crate) decided: Vec<Step>,
}

impl<T> From<Result<T, Error>> for Answered<T> {
    fn from(outcome: Result<T, Error>) -> Self {
        Self { outcome, spent: Spent::default() }
    }
}

/// What was asked.
#[derive(Debug)]
pub(crate) enum Entry {
    Transact(Vec<PreparedAction>, Answer<Transacted>),
    /// Needs to know nothing of the table.
    Blind(BlindEntry),
    Increment {
        action: Box<Action>,
        attribute: String,
        answer: Answer<i64>,
    },
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
pub(crate) const SWEEP_ITEMS_MAX: u32 = 100;

const DELETE: &str = "DELETE FROM item WHERE pk = ?1 AND sk = ?2";
const EXPIRED: &str = "SELECT pk, sk FROM item INDEXED BY \"ttl\" WHERE ttl < ?1 LIMIT ?2";

impl Entry {
    /// The entry, if it needs to know nothing of the table.
    pub(crate) fn try_into_blind(self) -> Result<BlindEntry, Self> {
        match self {
            Self::Blind(entry) => Ok(entry),
            other => Err(other),
        }
    }

    /// Answers an entry that was not done at all.
    pub(crate) fn fail(self, error: Error) {
        match self {
            Self::Transact(_, answer) => drop(answer.send(Err(error).into())),
            Self::Blind(entry) => entry.reply(Some(error)),
            Self::Increment { answer, .. } => drop(answer.send(Err(error).into())),
            Self::Sweep(answer) => drop(answer.send(Err(error).into())),
        }
    }
}

/// Decides entries and writes what they ask for.
#[derive(Debug)]
pub(crate) struct Applier {
    schema: Schema,
    selects: Selects,
    put: String,
    order: WritingOrder,
}

/// What an entry asks for, once decided, and its outcome when that is written.
struct Decision<T> {
    steps: Vec<Step>,
    outcome: T,
}

/// A change of one row.
#[derive(Debug)]
pub(crate) enum Step {
    Put(NewRow),
    /// The row is there, and of its columns only some change: it stays in all indexes of others.
    Replace(NewRow, ChangedColumns),
    Delete(Key),
}

impl Step {
    /// The partition that it changes.
    fn partition(&self) -> &[u8] {
        match self {
            Self::Put(row) | Self::Replace(row, _) => {
                let [partition, _] = row.key();
                partition
            }
            Self::Delete(key) => key.pk.as_bytes(),
        }
    }
}

/// A transaction before it is queued. What can be done for it there is done by the caller, so
/// that the one thread that writes has less to do.
#[derive(Debug)]
pub(crate) enum Prepared {
    /// It needs to know nothing of the table and is laid out already.
    Blind(Vec<BlindStep>),
    Conditional(Vec<PreparedAction>),
}

/// An action of a transaction that must know something of the table.
#[derive(Debug)]
pub(crate) enum PreparedAction {
    /// Needs to know nothing itself, and is laid out already.
    Ready(Step),
    /// Decided by the item that is there.
    Open(Action),
}

impl Prepared {
    pub(crate) fn of(actions: Vec<Action>, layout: &Layout) -> Result<Self, Error> {
        if !actions.iter().all(is_blind) {
            let actions = actions.into_iter().map(|action| PreparedAction::of(action, layout));
            return Ok(Self::Conditional(actions.collect::<Result<_, _>>()?));
        }
        let steps =
            actions.into_iter().filter_map(|action| BlindStep::of_effect(action.effect, layout));
        Ok(Self::Blind(steps.collect::<Result<_, _>>()?))
    }
}

impl PreparedAction {
    fn of(action: Action, layout: &Layout) -> Result<Self, Error> {
        if !action.conditions.is_empty() {
            return Ok(Self::Open(action));
        }
        Ok(match action.effect {
            Effect::Put(item) => Self::Ready(Step::Put(NewRow::of(item, layout)?)),
            Effect::Delete(key) => Self::Ready(Step::Delete(key)),
            Effect::Update(..) | Effect::Check(_) => Self::Open(action),
        })
    }
}

/// Puts and deletes without conditions need to know nothing of the table.
fn is_blind(action: &Action) -> bool {
    action.conditions.is_empty() && matches!(action.effect, Effect::Put(_) | Effect::Delete(_))
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
            order: WritingOrder::default(),
            put: format!(
                "INSERT INTO item (pk, sk, {columns}, body) VALUES ({values})
                 ON CONFLICT (pk, sk) DO UPDATE SET {replaced}body = excluded.body"
            ),
        }
    }

    /// Decides an entry and writes what it asks for into the open transaction.
    pub(crate) fn apply(
        &mut self,
        connection: &Connection,
        entry: Entry,
        now_seconds: i64,
        touched: &mut Touched<'_>,
    ) -> Applied {
        match entry {
            Entry::Transact(actions, answer) => {
                let decision = self.decide_transaction(connection, actions, now_seconds);
                self.write(connection, decision, answer, touched)
            }
            Entry::Blind(entry) => {
                let entries = std::slice::from_ref(&entry);
                let written = self.write_blind(connection, entries, touched);
                Applied { reply: entry.into_reply(), written }
            }
            Entry::Increment { action, attribute, answer } => {
                let decision = self.decide_increment(connection, &action, &attribute, now_seconds);
                self.write(connection, decision, answer, touched)
            }
            Entry::Sweep(answer) => {
                self.write(connection, decide_sweep(connection, now_seconds), answer, touched)
            }
        }
    }

    /// Writes what these entries ask for into the open transaction.
    pub(crate) fn write_blind(
        &mut self,
        connection: &Connection,
        entries: &[BlindEntry],
        touched: &mut Touched<'_>,
    ) -> rusqlite::Result<()> {
        let mut put = connection.prepare_cached(&self.put)?;
        self.order.set(entries);
        for step in self.order.steps(entries) {
            // Of several entries together, which matters to nobody: none of them was conditional.
            touched.add_write([step.partition()]);
            match step {
                Step::Put(row) => row.put(&mut put)?,
                step => self.write_step(connection, step)?,
            }
        }
        Ok(())
    }

    fn decide_transaction(
        &self,
        connection: &Connection,
        actions: Vec<PreparedAction>,
        now_seconds: i64,
    ) -> Result<Decision<Transacted>, Fault> {
        let mut found = Vec::with_capacity(actions.len());
        let mut refusals = Vec::new();
        for (index, action) in actions.iter().enumerate() {
            found.push(match action {
                PreparedAction::Ready(_) => None,
                PreparedAction::Open(action) => {
                    let item = self.selects.get(connection, action.key(), now_seconds)?;
                    refusals.extend(action.refusal(index, item.as_ref()));
                    item
                }
            });
        }
        if !refusals.is_empty() {
            return Ok(Decision { steps: Vec::new(), outcome: Transacted::Refused(refusals) });
        }
        let steps = actions.into_iter().zip(found).filter_map(|(action, found)| match action {
            PreparedAction::Ready(step) => Some(Ok(step)),
            PreparedAction::Open(action) => self.step(&action, found.as_ref()).transpose(),
        });
        Ok(Decision { steps: steps.collect::<Result<_, _>>()?, outcome: Transacted::Done })
    }

    fn decide_increment(
        &self,
        connection: &Connection,
        action: &Action,
        attribute: &str,
        now_seconds: i64,
    ) -> Result<Decision<i64>, Fault> {
        let found = self.selects.get(connection, action.key(), now_seconds)?;
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

    fn step(&self, action: &Action, found: Option<&Item>) -> Result<Option<Step>, Error> {
        if matches!(action.effect, Effect::Check(_)) {
            return Ok(None);
        }
        if let (Effect::Update(_, changes), Some(found)) = (&action.effect, found)
            && let Some(row) = NewRow::with_changed_body(found, changes, self.selects.layout())
        {
            return Ok(Some(Step::Replace(row, ChangedColumns::NONE)));
        }
        match action.result(found, &self.schema)? {
            None => Ok(Some(Step::Delete(action.key().clone()))),
            Some(item) => self.put_step(item, found).map(Some),
        }
    }

    fn put_step(&self, item: Item, found: Option<&Item>) -> Result<Step, Error> {
        let layout = self.selects.layout();
        let row = NewRow::of(item, layout)?;
        Ok(match found {
            Some(found) => {
                let changed = row.columns_unlike(found, layout);
                Step::Replace(row, changed)
            }
            None => Step::Put(row),
        })
    }

    fn write<T: Send + 'static>(
        &self,
        connection: &Connection,
        decision: Result<Decision<T>, Fault>,
        answer: Answer<T>,
        touched: &mut Touched<'_>,
    ) -> Applied {
        let (outcome, steps, written) = match decision {
            Err(Fault::Sqlite(error)) => (Err(Error::Closed), Vec::new(), Err(error)),
            Err(Fault::Table(error)) => (Err(error), Vec::new(), Ok(())),
            Ok(Decision { steps, outcome }) => {
                touched.add_write(steps.iter().map(Step::partition));
                let written = steps.iter().try_for_each(|step| self.write_step(connection, step));
                (Ok(outcome), steps, written)
            }
        };
        let reply: Reply = Box::new(move |batch_error| {
            let outcome = batch_error.map_or(outcome, Err);
            let spent = Spent { decided: steps, ..Spent::default() };
            let _ = answer.send(Answered { outcome, spent });
        });
        Applied { reply, written }
    }

    fn write_step(&self, connection: &Connection, step: &Step) -> rusqlite::Result<()> {
        match step {
            Step::Delete(key) => {
                connection.prepare_cached(DELETE)?.execute([&key.pk, &key.sk])?;
            }
            Step::Replace(row, changed) => {
                let sql = changed.sql(self.selects.layout());
                let mut statement = connection.prepare_cached(&sql)?;
                row.replace(&mut statement, changed)?;
            }
            Step::Put(row) => {
                let mut statement = connection.prepare_cached(&self.put)?;
                row.put(&mut statement)?;
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
