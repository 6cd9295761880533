use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use async_trait::async_trait;
use rusqlite::Connection;
use table::{
    Action, BatchEntry, Clock, Error, Item, Key, KeyPage, Page, PlacePage, Query, Scan, Schema,
    Sweep, Table, Transacted, Watch, validate_batch_get, validate_batch_write,
    validate_transaction,
};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::JoinError;

use crate::blind::{BlindAnswer, BlindEntry, BlindStep, batch_steps};
use crate::connection::open_reader;
use crate::entry::{Answer, Entry, Prepared, SWEEP_ITEMS_MAX, Spent};
use crate::fault::Fault;
use crate::folder::wal_file;
use crate::health::WriterState;
use crate::open::open;
use crate::readers::Readers;
use crate::select::{Budget, Selects};
use crate::writer::{Message, QUEUE_ENTRIES_MAX};
use crate::{Health, OpenError, Options, Stats, WriteCounts};

/// A table in a folder of its own.
///
/// Dropping it finishes what is queued; [`close`](Self::close) does the same without blocking
/// the thread and leaves no write-ahead log behind.
#[derive(Debug)]
pub struct EmbeddedTable {
    schema: Schema,
    clock: Arc<dyn Clock>,
    /// For reads that are short whatever the data: they run where they are called.
    quick: Readers,
    /// For reads that may take long, on threads made for waiting.
    slow: Arc<Slow>,
    /// None when the table is being dropped.
    queue: Option<mpsc::Sender<Message>>,
    state: Arc<WriterState>,
    file: PathBuf,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Slow {
    readers: Readers,
    places: Semaphore,
    selects: Selects,
    schema: Schema,
}

/// Connections for quick reads: enough for the threads of a runtime.
const QUICK_READERS_MAX: usize = 16;
/// Slow reads at a time.
const SLOW_READERS_MAX: usize = 4;
/// What a read may do where it is called, which takes well under a millisecond.
const QUICK_BUDGET: Budget = Budget { rows: 256 };
const QUICK_LIMIT_MAX: usize = 100;
/// Each is found by itself, which costs some times as much as the next row of a query.
const QUICK_KEYS_MAX: usize = 40;

impl EmbeddedTable {
    /// Opens the table in this folder, creating both if there are none. Indexes that the
    /// schema has gained or lost since the last time are built or dropped first, which takes
    /// as long as reading all items.
    ///
    /// # Errors
    /// [`OpenError`], which says what to do.
    pub fn open(folder: &Path, schema: Schema, options: Options) -> Result<Self, OpenError> {
        let (writer, layout) = open(folder, &schema, &options)?;
        let state = Arc::clone(&writer.state);
        let file = writer.file.clone();
        let (queue, messages) = mpsc::channel(QUEUE_ENTRIES_MAX);
        let thread = thread::Builder::new()
            .name("table-writer".to_owned())
            .spawn(move || writer.run(messages))
            .map_err(|error| OpenError::Failed {
                folder: folder.to_owned(),
                message: format!("the writer's thread cannot be started: {error}"),
            })?;
        let slow = Slow {
            readers: Readers::new(file.clone(), SLOW_READERS_MAX),
            places: Semaphore::new(SLOW_READERS_MAX),
            selects: Selects::new(&layout),
            schema: schema.clone(),
        };
        Ok(Self {
            schema,
            clock: options.clock,
            quick: Readers::new(file.clone(), QUICK_READERS_MAX),
            slow: Arc::new(slow),
            queue: Some(queue),
            state,
            file,
            thread: Mutex::new(Some(thread)),
        })
    }

    /// Whether the table takes writes.
    pub fn health(&self) -> Health {
        match self.state.health() {
            Health::Ready if self.check_open().is_err() => {
                Health::WritesStopped("the table is closed".to_owned())
            }
            health => health,
        }
    }

    /// While the disk is nearly full, the write-ahead log is kept short: each commit moves it into
    /// the table's file, so that the next one overwrites it instead of making it longer.
    pub fn set_short_of_disk(&self, is_short: bool) {
        self.state.set_short_of_disk(is_short);
    }

    /// Finishes what is queued, leaves everything in the table's file and frees the folder.
    /// Whatever is asked of the table afterwards fails with [`Error::Closed`].
    pub async fn close(&self) {
        let (answer, closed) = oneshot::channel();
        if let Some(queue) = &self.queue
            && queue.send(Message::Close(answer)).await.is_ok()
        {
            let _ = closed.await;
        }
    }

    /// How large the table is; takes as long as counting all items.
    ///
    /// # Errors
    /// When the table cannot be read.
    pub async fn stats(&self) -> Result<Stats, Error> {
        let count = |connection: &Connection| {
            let count = "SELECT count(*) FROM item";
            Ok(connection.query_row(count, [], |row| row.get::<_, i64>(0))?)
        };
        let items = self.read_alone(count).await?;
        let size = |file: &Path| std::fs::metadata(file).map_or(0, |metadata| metadata.len());
        Ok(Stats {
            items: u64::try_from(items).unwrap_or(0),
            file_bytes: size(&self.file),
            wal_bytes: size(&wal_file(&self.file)),
        })
    }

    /// How much was written since the table was opened.
    pub fn write_counts(&self) -> WriteCounts {
        self.state.counts()
    }

    /// The folder of this table.
    pub fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(&self.file)
    }

    async fn write<T>(&self, entry: impl FnOnce(Answer<T>) -> Entry) -> Result<T, Error> {
        let (answer, outcome) = oneshot::channel();
        let queue = self.queue.as_ref().ok_or(Error::Closed)?;
        queue.send(Message::Write(entry(answer))).await.map_err(|_| Error::Closed)?;
        let answered = outcome.await.map_err(|_| Error::Unavailable {
            message: "the table's writer ended unexpectedly; start again".to_owned(),
            maybe_written: true,
        })?;
        let Spent { blind, decided } = answered.spent;
        drop((blind, decided));
        answered.outcome
    }

    async fn write_blind<T>(
        &self,
        steps: Vec<BlindStep>,
        answer: impl FnOnce(Answer<T>) -> BlindAnswer,
    ) -> Result<T, Error> {
        self.write(|sender| Entry::Blind(BlindEntry { steps, answer: answer(sender) })).await
    }

    fn check_open(&self) -> Result<(), Error> {
        match &self.queue {
            Some(queue) if !queue.is_closed() => Ok(()),
            _ => Err(Error::Closed),
        }
    }

    /// Reads for long, with a connection that nobody else waits for.
    pub(crate) async fn read_alone<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Error> {
        self.check_open()?;
        let file = self.file.clone();
        let read = tokio::task::spawn_blocking(move || {
            open_reader(&file)
                .map_err(Fault::from)
                .and_then(|connection| read(&connection))
                .map_err(Fault::into_read_error)
        });
        read.await.map_err(|error| given_up(&error))?
    }

    /// Looks at an index where it is called, or finds nothing where that would take long.
    fn look<T>(
        &self,
        query: &Query,
        look: impl FnOnce(&Selects, &Connection, &Query, i64, Budget) -> Result<Option<T>, Fault>,
    ) -> Result<Option<T>, Error> {
        query.validate(&self.schema)?;
        self.check_open()?;
        if query.limit > QUICK_LIMIT_MAX {
            return Ok(None);
        }
        let (selects, now) = (&self.slow.selects, self.clock.now_seconds());
        self.quick.read(|connection| look(selects, connection, query, now, QUICK_BUDGET))
    }

    /// Reads on a thread made for waiting.
    async fn read_slowly<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Slow, &Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Error> {
        let _place = self.slow.places.acquire().await.map_err(|_| Error::Closed)?;
        let slow = Arc::clone(&self.slow);
        let read = tokio::task::spawn_blocking(move || {
            slow.readers.read(|connection| read(&slow, connection))
        });
        read.await.map_err(|error| given_up(&error))?
    }
}

#[async_trait]
impl Table for EmbeddedTable {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn watch(&self) -> Option<&Watch> {
        Some(&self.state.watch)
    }

    async fn get(&self, key: &Key) -> Result<Option<Item>, Error> {
        key.validate()?;
        self.check_open()?;
        let now = self.clock.now_seconds();
        self.quick.read(|connection| self.slow.selects.get(connection, key, now))
    }

    async fn batch_get(&self, keys: &[Key]) -> Result<Vec<Option<Item>>, Error> {
        validate_batch_get(keys)?;
        self.check_open()?;
        let now = self.clock.now_seconds();
        if keys.len() <= QUICK_KEYS_MAX {
            return self
                .quick
                .read(|connection| get_all(&self.slow.selects, connection, keys, now));
        }
        let keys = keys.to_vec();
        self.read_slowly(move |slow, connection| get_all(&slow.selects, connection, &keys, now))
            .await
    }

    async fn query(&self, query: &Query) -> Result<Page, Error> {
        query.validate(&self.schema)?;
        self.check_open()?;
        let now = self.clock.now_seconds();
        if query.limit <= QUICK_LIMIT_MAX {
            let page = self.quick.read(|connection| {
                let budget = Some(QUICK_BUDGET);
                self.slow.selects.query(connection, &self.schema, query, now, budget)
            })?;
            if let Some(page) = page {
                return Ok(page);
            }
        }
        let query = query.clone();
        let page = self.read_slowly(move |slow, connection| {
            slow.selects.query(connection, &slow.schema, &query, now, None)
        });
        Ok(page.await?.unwrap_or_else(Page::empty))
    }

    async fn query_keys(&self, query: &Query) -> Result<Option<KeyPage>, Error> {
        self.look(query, Selects::query_keys)
    }

    async fn query_places(&self, query: &Query) -> Result<Option<PlacePage>, Error> {
        self.look(query, |selects, connection, query, _, budget| {
            selects.query_places(connection, query, budget)
        })
    }

    async fn scan(&self, scan: &Scan) -> Result<Page, Error> {
        scan.validate()?;
        self.check_open()?;
        let now = self.clock.now_seconds();
        let scan = scan.clone();
        self.read_slowly(move |slow, connection| slow.selects.scan(connection, &scan, now)).await
    }

    async fn transact(&self, actions: Vec<Action>) -> Result<Transacted, Error> {
        validate_transaction(&actions, &self.schema)?;
        match Prepared::of(actions, self.slow.selects.layout())? {
            Prepared::Blind(steps) => self.write_blind(steps, BlindAnswer::Transacted).await,
            Prepared::Conditional(actions) => {
                self.write(|answer| Entry::Transact(actions, answer)).await
            }
        }
    }

    async fn batch_write(&self, entries: Vec<BatchEntry>) -> Result<(), Error> {
        validate_batch_write(&entries, &self.schema)?;
        let steps = batch_steps(entries, self.slow.selects.layout())?;
        self.write_blind(steps, BlindAnswer::Written).await
    }

    async fn increment(&self, key: &Key, attribute: &str, by: i64) -> Result<i64, Error> {
        let action = Action::update(key.clone()).add(attribute, by);
        validate_transaction(std::slice::from_ref(&action), &self.schema)?;
        let (action, attribute) = (Box::new(action), attribute.to_owned());
        self.write(|answer| Entry::Increment { action, attribute, answer }).await
    }
}

#[async_trait]
impl Sweep for EmbeddedTable {
    async fn sweep_expired(&self) -> Result<usize, Error> {
        let mut swept = 0;
        loop {
            let chunk = self.write(Entry::Sweep).await?;
            swept += usize::try_from(chunk).unwrap_or(0);
            if chunk < SWEEP_ITEMS_MAX {
                return Ok(swept);
            }
        }
    }
}

impl Drop for EmbeddedTable {
    fn drop(&mut self) {
        self.queue = None;
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // The thread never panics on purpose; if it did, the callers have been told.
            let _ = thread.join();
        }
    }
}

fn given_up(error: &JoinError) -> Error {
    let message = format!("a read was given up: {error}");
    Error::Unavailable { message, maybe_written: false }
}

/// The items of these keys, all as of one moment.
fn get_all(
    selects: &Selects,
    connection: &Connection,
    keys: &[Key],
    now_seconds: i64,
) -> Result<Vec<Option<Item>>, Fault> {
    let view = View::begin(connection)?;
    let items = keys.iter().map(|key| selects.get(connection, key, now_seconds)).collect();
    view.end()?;
    items
}

/// What a connection reads while this lasts is as of one moment. Its statements are prepared once:
/// every request of a server reads in one.
struct View<'c> {
    connection: &'c Connection,
    is_over: bool,
}

impl<'c> View<'c> {
    fn begin(connection: &'c Connection) -> Result<Self, Fault> {
        connection.prepare_cached("BEGIN")?.execute([])?;
        Ok(Self { connection, is_over: false })
    }

    fn end(mut self) -> Result<(), Fault> {
        self.is_over = true;
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    }
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            // Nobody can be told, and the next one to begin a view is.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }
}
