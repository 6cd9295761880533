//! A bounded pool of connections that read.

use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;
use table::Error;

use crate::connection::open_reader;
use crate::fault::Fault;

/// Connections that read, opened when first needed. Whoever finds all of them in use waits;
/// so nobody may hold one for long where others must be quick.
#[derive(Debug)]
pub(crate) struct Readers {
    file: PathBuf,
    connections_max: usize,
    state: Mutex<State>,
    returned: Condvar,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<Connection>,
    opened: usize,
}

impl Readers {
    pub(crate) fn new(file: PathBuf, connections_max: usize) -> Self {
        Self { file, connections_max, state: Mutex::default(), returned: Condvar::new() }
    }

    /// Reads with one of the connections.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, Error> {
        let lease = self.take()?;
        match &lease.connection {
            Some(connection) => read(connection).map_err(Fault::into_read_error),
            None => Err(Error::Closed),
        }
    }

    fn take(&self) -> Result<Lease<'_>, Error> {
        let mut state = self.lock();
        loop {
            if let Some(connection) = state.idle.pop() {
                return Ok(Lease { readers: self, connection: Some(connection) });
            }
            if state.opened < self.connections_max {
                state.opened += 1;
                break;
            }
            state = self.returned.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        drop(state);
        // From here on the lease gives the place back, whatever happens.
        let mut lease = Lease { readers: self, connection: None };
        let opened = open_reader(&self.file);
        lease.connection = Some(opened.map_err(|error| Fault::from(error).into_read_error())?);
        Ok(lease)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection on loan.
struct Lease<'r> {
    readers: &'r Readers,
    connection: Option<Connection>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut state = self.readers.lock();
        match self.connection.take() {
            Some(connection) => state.idle.push(connection),
            None => state.opened -= 1,
        }
        drop(state);
        self.readers.returned.notify_one();
    }
}
