//! What the rows of the table mean.
//!
//! This is the only crate that knows row keys. Each function is one atomic change or one
//! query; nothing here touches blobs, the network or a clock. Expected outcomes, such as an
//! exhausted quota or a lost race, are values. Rows of an image's own partition are the
//! truth; what an index shows may be old, so whoever changes something checks it against
//! the row itself in the same transaction.

mod accounts;
mod albums;
mod catalog;
mod changes;
mod edit;
mod entries;
mod error;
mod external;
mod favourites;
mod feed;
mod fields;
mod gone_words;
mod images;
mod keys;
mod links;
mod names;
mod paging;
mod people;
mod persons;
mod places;
mod requests;
mod retry;
mod row;
mod schema;
mod search;
mod secrets;
mod sharded;
mod stamps;
mod tags;
mod terms;
mod timeline;
mod users;
mod work;

pub use accounts::{
    Attempted, BegunErase, CreatedPasskey, CreatedUser, Entry, Linked, NewAccount, SetUp,
};
pub use albums::{
    Added, AlbumAccess, AlbumEdit, AlbumRight, CreatedAlbum, DeletedAlbum, EditedAlbum, Moved,
    NotNested, Place, PutMember, Removed,
};
pub use catalog::Catalog;
pub use changes::ChangeCursor;
pub use edit::Edited;
pub use error::{Error, Result};
pub use external::{CreatedExternal, ExternalEdit};
pub use gone_words::Looked;
pub use images::{
    Appended, Begun, Committed, EditedImage, Finished, ImageEdit, Processed, Received, Released,
    Reservation, Reserved, Restated, Retried, UnreadImage, UploadPart, UploadParts,
};
pub use keys::TagScope;
pub use links::{CreatedLink, LinkEdit};
pub use paging::{Cursor, Listed, Order, PageRequest};
pub use people::{
    Decided, FaceChange, FoundFace, LibraryState, Likeness, LookedAt, NewFaces, Recorded,
    RecordedFaces,
};
pub use requests::{ClaimedRequest, KeyedRequest};
pub use schema::schema;
pub use search::{Search, SearchLimits, SearchOrder};
pub use stamps::{Stamp, Stamped};
pub use tags::{ImageTags, SetTags, TagEdit, TagHit, TagVisibility};
pub use timeline::{Hour, Timeline, TimelineMonth};
pub use users::{EditedUser, UserEdit};
pub use work::{Claim, Held};
