//! Commands beside a running server: the embedded table belongs to the server's process, so it does
//! what the command asks for, on the same use cases.
//!
//! A socket in the data folder carries one command and one answer, each a line of JSON. Whoever may
//! use it may do everything, so it is for the owner of the server's process alone: nobody else can
//! open the socket, and whoever connects is asked of the system (ADR 29). It never listens on a
//! network.

mod client;
mod order;
mod server;
mod socket;
mod users;

use serde::{Deserialize, Serialize};

pub use client::{ask, find_standing};
pub use order::{Order, Standing, UserOrder, run};
pub use server::Control;

/// What a command sends.
#[derive(Debug, Serialize, Deserialize)]
struct Question {
    /// The version of the program: another one may mean something else.
    version: String,
    order: Order,
}

/// What the server answers.
#[derive(Debug, Serialize, Deserialize)]
struct Answer {
    /// What the command prints, even if it fails in the end.
    said: String,
    failed: Option<Failed>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Failed {
    message: String,
    code: u8,
}

/// Bytes of a question at most. A password has a thousand, and names less.
const QUESTION_BYTES_MAX: u64 = 64 * 1024;
/// Bytes of an answer at most: a line for each of some 100,000 users.
const ANSWER_BYTES_MAX: u64 = 64 * 1024 * 1024;
