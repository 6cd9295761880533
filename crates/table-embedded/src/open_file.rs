//! The files that a connection has open, as SQLite sees them.
//!
//! `mapping.rs` and `log_buffer.rs` put functions of their own into the place of SQLite's for one of
//! them, which the safe binding does not reach.

#![allow(unsafe_code, reason = "the binding does not reach the methods of an open file")]

use std::ffi::{c_int, c_void};
use std::ptr;

use rusqlite::{Connection, ffi};

/// A file of a connection, as open as that, and the methods it has.
pub(crate) struct OpenFile {
    pub(crate) file: *mut ffi::sqlite3_file,
    pub(crate) methods: &'static ffi::sqlite3_io_methods,
}

impl OpenFile {
    /// The table's file.
    pub(crate) fn of_table(connection: &Connection) -> Option<Self> {
        Self::find(connection, ffi::SQLITE_FCNTL_FILE_POINTER)
    }

    /// The write-ahead log.
    pub(crate) fn of_log(connection: &Connection) -> Option<Self> {
        Self::find(connection, ffi::SQLITE_FCNTL_JOURNAL_POINTER)
    }

    /// `control` is one that tells the pointer of a file.
    fn find(connection: &Connection, control: c_int) -> Option<Self> {
        let mut file: *mut ffi::sqlite3_file = ptr::null_mut();
        // SAFETY: the connection is open, "main" is its table, and such a control writes one
        // pointer to where the last argument points.
        let found = unsafe {
            ffi::sqlite3_file_control(
                connection.handle(),
                c"main".as_ptr(),
                control,
                (&raw mut file).cast::<c_void>(),
            )
        };
        if found != ffi::SQLITE_OK || file.is_null() {
            return None;
        }
        // SAFETY: the file belongs to the connection. It has methods if it is open; SQLite's are
        // constants of the library, and ours are kept at least until the file is closed.
        let methods = unsafe { (*file).pMethods.as_ref::<'static>() }?;
        Some(Self { file, methods })
    }
}
