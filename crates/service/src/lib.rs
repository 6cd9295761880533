//! What Ferrotype does: each function is one use case, for one caller.
//!
//! This is the boundary of the product. Whoever calls it brings a [`Caller`]; every right is
//! checked here and nowhere above. It knows rows only through `catalog` and objects only through
//! `blob`, orders them (objects before the rows that name them, and after them when both go), and
//! knows nothing of HTTP.

mod accounts;
mod albums;
mod archive;
mod caller;
mod changes;
mod clock;
mod cursors;
mod erase;
mod error;
mod gone_words;
mod hex;
mod images;
mod links;
mod overview;
mod people;
mod pixels;
mod requests;
mod room;
mod search;
mod secret;
mod service;
mod settings;
mod studio;
mod sweep;
mod tags;
mod work;

pub use blob::{ByteRange, SignedUrl};
pub use catalog::{
    AlbumRight, Cursor, Held, ImageTags, Listed, Order, PageRequest, Place, SearchOrder, Stamped,
    TagVisibility, Timeline, TimelineMonth, UserEdit,
};

pub use accounts::{
    AccountSettings, AttemptLimits, Authenticated, BadPassword, BadSignUp, Client, NewApiKey,
    NewInvitation, NewSession, NewUser, PASSKEY_TIME, PasskeyOffer, Password, PasswordCost,
    Profile, Proof, ProvenIdentity, SignUp, Token,
};
pub use albums::{
    AddedImage, AlbumFace, ChangedImages, EditAlbum, NewAlbum, RemovedImage, SeenAlbum,
};
pub use archive::{Archive, SharedFile};
pub use caller::{BadScope, Caller, Scope, Scopes};
pub use changes::{Changes, Follower, Since};
pub use clock::{Clock, SystemClock};
pub use error::{Error, Problem, Result};
pub use images::{
    Begun, BrokeOff, EditImage, Feed, KeptView, KeptViews, NewExternalImage, NewImage, OwnedBy,
    PieceChecksum, Progress, RecordedImage, ResumableUpload, Resumed, RetryEnd, SUMS_AT_ONCE_MAX,
    TimelineChunk, Uploaded, View,
};
pub use imaging::Error as ImageError;
pub use links::{EditLink, Guest, NewLink, SeenLink, Shown, ShownCount, Unlocked};
pub use overview::{Overview, Queue, SizesRun};
pub use people::{
    ChangedPersons, EditPerson, FaceName, FacesProgress, FindFaces, People, PersonOrder,
    PersonsWanted, SeenFace, SeenPerson, Suggested,
};
pub use pixels::{
    Accepts, BadPixelName, OpenedPixels, PixelBody, PixelName, PixelSource, Signature,
};
pub use requests::{Claimed, Once, RequestClaim};
pub use room::Room;
pub use search::{Suggestion, SuggestionKind};
pub use service::{Parts, Service};
pub use settings::Settings;
pub use sweep::Swept;
pub use tags::{
    AlbumTags, CountedTag, Renamed, SetTagsEnd, TagStatus, TagsBy, TagsOfImage, WantedTag,
};
pub use webauthn::{
    ALGORITHMS as PASSKEY_ALGORITHMS, Assertion, NoRelyingParty, Registration, RelyingParty,
};
pub use work::{DeadWork, Done, Failure, Task};
