//! A server that all cases share, each with users of its own.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::client::Client;
use crate::support::files::bitmap;
use crate::support::program::Server;
use crate::support::stores::Stores;

/// What a case has.
pub struct Site {
    pub administrator: Client,
    pub nobody: Client,
    count: AtomicU32,
}

impl Site {
    /// Starts a server. Its limits of requests are for strangers, not for tests.
    pub fn open(stores: &Stores) -> (Server, Self) {
        let mut command = stores.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.env("FERROTYPE_RATE_LIMITS_ENABLED", "false");
        command.env("FERROTYPE_PEOPLE_ENABLED", "on");
        command.env("FERROTYPE_PEOPLE_MODELS", crate::support::portraits::models());
        let server = Server::spawn(command);
        let administrator = Client::set_up(&server);
        let nobody = Client::anonymous(server.url());
        let site = Self { administrator, nobody, count: AtomicU32::new(0) };
        (server, site)
    }

    fn number(&self) -> u32 {
        self.count.fetch_add(1, Ordering::Relaxed)
    }

    /// Somebody whom no other case knows.
    pub fn user(&self) -> Client {
        self.administrator.make_user(&self.email())
    }

    pub fn email(&self) -> String {
        format!("user{}@example.org", self.number())
    }

    /// A file that nobody has.
    pub fn file(&self) -> Vec<u8> {
        bitmap(self.number())
    }
}
