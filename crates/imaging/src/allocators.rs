//! Memory that is freed goes back to the system before the next image is admitted.
//!
//! A [`crate::MemoryBudget`] counts what images need. Allocators keep what was freed for a while,
//! which nobody counts: in a mix of large images it was as much again as half of the budget. There
//! are two of them in the binary, mimalloc for Rust and that of the C library for codecs in C.
#![allow(unsafe_code)]

use std::sync::Once;

/// Blocks of this size and more leave the C library as soon as they are freed. What libwebp takes
/// for an opaque rendition of the default sizes is smaller and stays with its thread, which is
/// faster.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE_BYTES: std::ffi::c_int = 4 << 20;

/// Makes the C library give large blocks back. Left to itself it raises the limit for that to 32 MB
/// with the blocks it sees, and keeps up to twice as much in every thread.
pub(crate) fn keep_no_large_blocks() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        // SAFETY: sets numbers of the allocator, under its own lock.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_BYTES);
            // Having been told that, it would give back every little bit.
            libc::mallopt(libc::M_TRIM_THRESHOLD, LARGE_BYTES);
        }
    });
}

/// Makes mimalloc give back what it would keep for another second. Does nothing where it is not
/// the allocator.
pub(crate) fn give_back() {
    // SAFETY: may be called at any time from any thread.
    unsafe { libmimalloc_sys::mi_collect(true) };
}
