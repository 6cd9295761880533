use std::fmt;

/// Bytes of one item, names and values together.
pub const ITEM_BYTES_MAX: usize = 400 * 1024;
/// Actions in one transaction.
pub const TRANSACTION_ACTIONS_MAX: usize = 100;
/// Bytes of all items in one transaction.
pub const TRANSACTION_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Keys in one batch get.
pub const BATCH_GET_KEYS_MAX: usize = 100;
/// Entries in one batch write.
pub const BATCH_WRITE_ENTRIES_MAX: usize = 25;
/// Items a caller may ask for in one page.
pub const QUERY_LIMIT_MAX: usize = 1000;
/// A page ends with the item that makes it this large, even below its limit.
pub const PAGE_BYTES_MAX: usize = 1024 * 1024;

/// Changes in one update. DynamoDB limits the length of the expressions that changes and
/// conditions become; this many always fit, together with [`CONDITIONS_MAX`].
pub const CHANGES_MAX: usize = 50;
/// Conditions of one action.
pub const CONDITIONS_MAX: usize = 20;

pub(crate) const PK_BYTES_MAX: usize = 2048;
pub(crate) const SK_BYTES_MAX: usize = 1024;
pub(crate) const ATTRIBUTE_NAME_BYTES_MAX: usize = 255;

/// A limit that a request broke. All of them are DynamoDB's, or narrower, and hold on
/// every engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// Bytes of a partition key.
    PartitionKeyBytes,
    /// Bytes of a sort key.
    SortKeyBytes,
    /// Bytes of an attribute's name.
    AttributeNameBytes,
    /// Bytes of one item.
    ItemBytes,
    /// Levels of lists and maps inside each other.
    NestingDepth,
    /// Magnitude of a number.
    NumberMagnitude,
    /// Actions in one transaction.
    TransactionActions,
    /// Bytes of one transaction.
    TransactionBytes,
    /// Changes in one update.
    UpdateChanges,
    /// Conditions of one action.
    ActionConditions,
    /// Keys in one batch get.
    BatchGetKeys,
    /// Entries in one batch write.
    BatchWriteEntries,
    /// Items in one page.
    QueryLimit,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PartitionKeyBytes => {
                write!(f, "a partition key has at most {PK_BYTES_MAX} bytes")
            }
            Self::SortKeyBytes => write!(f, "a sort key has at most {SK_BYTES_MAX} bytes"),
            Self::AttributeNameBytes => {
                write!(f, "an attribute name has at most {ATTRIBUTE_NAME_BYTES_MAX} bytes")
            }
            Self::ItemBytes => write!(f, "an item has at most {ITEM_BYTES_MAX} bytes"),
            Self::NestingDepth => write!(f, "lists and maps are nested at most 32 levels deep"),
            Self::NumberMagnitude => {
                write!(f, "a number is finite, zero, or between 1e-130 and 9.99e125 in magnitude")
            }
            Self::TransactionActions => {
                write!(f, "a transaction has 1 to {TRANSACTION_ACTIONS_MAX} actions")
            }
            Self::TransactionBytes => {
                write!(f, "a transaction has at most {TRANSACTION_BYTES_MAX} bytes")
            }
            Self::UpdateChanges => write!(f, "an update has at most {CHANGES_MAX} changes"),
            Self::ActionConditions => {
                write!(f, "an action has at most {CONDITIONS_MAX} conditions")
            }
            Self::BatchGetKeys => write!(f, "a batch get has 1 to {BATCH_GET_KEYS_MAX} keys"),
            Self::BatchWriteEntries => {
                write!(f, "a batch write has 1 to {BATCH_WRITE_ENTRIES_MAX} entries")
            }
            Self::QueryLimit => write!(f, "a page has 1 to {QUERY_LIMIT_MAX} items"),
        }
    }
}
