//! One table for all metadata: the port that every storage engine implements.
//!
//! The [`Table`] trait is cut to what Amazon DynamoDB promises, and DynamoDB's limits are
//! enforced here, before any engine is asked, so that what works on one engine works on
//! all. [`MemoryTable`] is the reference engine: simple enough to be believed by reading.
//! The `conformance` module holds the cases every engine must pass.
//!
//! Nothing here knows what the rows mean; that is the catalog's business.

mod action;
mod clock;
mod condition;
#[cfg(feature = "conformance")]
pub mod conformance;
mod encoded;
mod error;
mod item;
mod item_attributes;
mod limit;
mod memory;
mod next_key;
mod number;
mod query;
mod schema;
mod table;
mod value;
mod watch;

pub use action::{Action, Change, Effect, Refusal, Transacted, validate_transaction};
pub use clock::{Clock, ManualClock, SystemClock};
pub use condition::{Condition, first_unmet};
pub use encoded::{EncodedAttributes, EncodedError, encode_attributes};
pub use error::{Error, Result};
pub use item::{AttributeName, Attributes, Item, Key, PK, SK, TTL, VERSION};
pub use item_attributes::ItemAttributes;
pub use limit::{
    BATCH_GET_KEYS_MAX, BATCH_WRITE_ENTRIES_MAX, CHANGES_MAX, CONDITIONS_MAX, ITEM_BYTES_MAX,
    Limit, PAGE_BYTES_MAX, QUERY_LIMIT_MAX, TRANSACTION_ACTIONS_MAX, TRANSACTION_BYTES_MAX,
};
pub use memory::MemoryTable;
pub use next_key::{NextKey, Position};
pub use number::Number;
pub use query::{Direction, KeyPage, Page, PlacePage, Query, Scan, SortRange, SortValue};
pub use schema::{Index, Schema, SortKind};
pub use table::{BatchEntry, Sweep, Table, TableExt, validate_batch_get, validate_batch_write};
pub use value::Value;
pub use watch::{Committing, Stamp, Touched, Watch};
