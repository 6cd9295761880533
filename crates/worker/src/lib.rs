//! Does what waits to be done.
//!
//! Rows are the queue: a lane for every kind of work claims what is due, does it, and finishes or
//! fails it. Any number of workers, in any number of processes, may run on one table; whoever dies
//! is replaced when their lease ends. What a task does is not known here.

mod lane;
mod options;
mod task;
mod workers;

pub use options::Options;
pub use workers::{Stopped, Workers, describe_metrics};
