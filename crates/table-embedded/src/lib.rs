//! The table engine that needs nothing but a folder: SQLite.
//!
//! One thread writes. It takes whatever is queued, decides every entry's conditions in order
//! inside one transaction, commits once and only then answers, so that concurrent writers
//! share one fsync. Readers have connections of their own and see the last commit; they never
//! wait for the writer. See `docs/adr/0002-embedded-engine-is-sqlite.md`.
//!
//! Nothing here knows what the items mean, and nothing here may answer a write before it is
//! on the disk.

mod backup;
mod blind;
mod body;
mod check;
mod checkpoint;
mod connection;
mod embedded_table;
mod entry;
mod fault;
mod folder;
mod health;
mod layout;
mod log_buffer;
mod mapping;
mod migrate;
mod open;
mod open_error;
mod open_file;
mod options;
mod readers;
mod row;
mod select;
mod sweeper;
mod write_back;
mod writer;

pub use backup::{
    BackupError, RestoreError, RestoreStep, backup_folder, backup_folder_telling, restore,
    restore_telling,
};
pub use check::{CheckReport, Problem, check_folder, check_folder_telling};
pub use embedded_table::EmbeddedTable;
pub use folder::TABLE_FILE;
pub use health::{Health, Stats, WriteCounts};
pub use open::format_of;
pub use open_error::OpenError;
pub use options::{Checkpoints, Options};
pub use sweeper::{Sweeper, spawn_sweeper};
