//! The words of Ferrotype: ids, entities, states and limits.
//!
//! Everything here is a pure value. There is no clock, no I/O and no async: whoever
//! needs the time or randomness passes it in.

pub mod limits;

mod account;
mod album;
mod api_key;
mod change;
mod day;
mod exif;
mod failure;
mod id;
mod image;
mod link;
mod metadata;
mod people_edit;
mod person;
mod quota;
mod rating;
mod search;
mod size_spec;
mod tag;
mod taken;
mod term;
mod text;
mod timeline;
mod timestamp;
mod user;
mod work;
mod written;

pub use account::{Identity, Invitation, Passkey, PasswordHash, Session};
pub use album::{Album, AlbumMember, AlbumRole, AlbumSort};
pub use api_key::ApiKey;
pub use change::{Change, ChangeKind, Entity};
pub use day::Day;
pub use exif::{Exif, Gps};
pub use failure::FailureCode;
pub use id::{AlbumId, BadId, FaceId, ImageId, LinkId, PeopleEditId, PersonId, UserId};
pub use image::{
    External, ExternalId, ExternalSource, Facts, Image, ImageStatus, MediaType, Original,
    Rendition, RenditionFormat, Sha256Hex, Shown, UploadTerms, Visibility,
};
pub use link::{Link, LinkDownload, LinkTarget, SearchText};
pub use metadata::{Metadata, Place, Region, RegionKind};
pub use people_edit::{FacePin, PeopleEdit, PeopleEditKind};
pub use person::{Cover, Face, FaceBox, FaceQuality, FaceVector, Person};
pub use quota::{BadDiskPercent, ByteRule, Quota, QuotaRule};
pub use rating::Rating;
pub use search::{
    AlbumName, BadSearch, ImageState, OwnerName, PersonName, RatingRange, SEARCH_TYPES,
    SearchDraft, SearchKey, SearchQuery, SearchTest, TakenRange, quoted_search_value,
};
pub use size_spec::{BadSize, Fit, SizeSpec, default_sizes};
pub use tag::Tag;
pub use taken::{BadTakenAt, Taken, TakenAt, TakenSource};
pub use term::Term;
pub use text::{AltText, BadText, Description, Email, Filename, Name, SizeName, Title};
pub use timeline::{BadMonth, Month, Shape, TimelineOrder};
pub use timestamp::{BadTimestamp, Timestamp};
pub use user::{BadRole, Role, User};
pub use work::{Release, Subject, Work, WorkKind};
pub use written::{Sidecar, Written};
