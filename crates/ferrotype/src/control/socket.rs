//! Where the socket is.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

/// What systems have room for in the address of a socket, less what ends it; 104 on some.
const ADDRESS_BYTES_MAX: usize = 100;

/// A way to the socket that fits into an address. The folder stays open as long as the way is used.
pub(super) struct Way {
    pub(super) path: PathBuf,
    _folder: Option<File>,
}

impl Way {
    /// The way to a socket, however deep it lies.
    pub(super) fn to(socket: &Path) -> io::Result<Self> {
        if socket.as_os_str().len() <= ADDRESS_BYTES_MAX {
            return Ok(Self { path: socket.to_owned(), _folder: None });
        }
        let (Some(folder), Some(name)) = (socket.parent(), socket.file_name()) else {
            return Err(io::ErrorKind::InvalidFilename.into());
        };
        let folder = File::open(folder)?;
        let path = PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd())).join(name);
        Ok(Self { path, _folder: Some(folder) })
    }
}
