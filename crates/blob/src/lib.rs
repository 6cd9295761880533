//! Where the bytes of images live: typed keys, streaming reads and writes, signed URLs.
//!
//! [`Blobs`] is the whole face of this crate. Behind it stands one of two engines, a
//! [local folder](Blobs::open_folder) or an [S3 bucket](Blobs::open_s3); the same suite
//! runs on both (`tests/conformance`).
//!
//! What holds on every engine:
//! - an object is either wholly there or not there; nobody ever reads half of one;
//! - when a write returns success, the object survives a crash and a power cut;
//! - a write that fails, is refused or is cancelled leaves nothing under its key;
//! - deleting what is missing succeeds.
//!
//! This crate must never decide what an object means. Rows are the truth about images;
//! the only thing known here is which image or person a key belongs to.

mod blobs;
mod checksum;
mod content_type;
mod engine;
mod error;
mod folder;
mod key;
mod range;
mod s3;
mod secret;
mod signed;
mod signer;

pub use blobs::{Blobs, Fetched, Moved, Page, PutLimits, PutNew, Receipt};
pub use checksum::{BadChecksum, Sha256Sum};
pub use content_type::{BadContentType, ContentType};
pub use engine::{Body, Engine, Listed, Meta, Opened, Upload, Written};
pub use error::{Error, Result};
pub use key::{BadKey, BlobKey, BlobPrefix};
pub use object_store::path::Path;
pub use range::ByteRange;
pub use s3::{Addressing, S3Config, S3Credentials};
pub use secret::{BadSecret, Secret};
pub use signed::{Access, PutTerms, SignedUrl};
pub use signer::{BadBaseUrl, Grant, LocalSigner, SignatureError};
