//! Starts test servers, prints where each one is, and keeps them until standard input ends.
//!
//! To try a command against them by hand: `cargo run -p testkit --bin test-servers -- ministack`.

use std::io::Read as _;

use testkit::postgres::Postgres;
use testkit::servers::{Dynoxide, Ministack};

fn main() {
    for name in std::env::args().skip(1) {
        match name.as_str() {
            "dynoxide" => {
                let server = Dynoxide::shared();
                report(&name, &server.endpoint(), server.pid(), server.folder());
            }
            "ministack" => {
                let server = Ministack::shared();
                report(&name, &server.endpoint(), server.pid(), server.folder());
            }
            "postgres" => {
                // Never dropped, like the shared ones.
                let server = Box::leak(Box::new(Postgres::start()));
                report(
                    &name,
                    &format!("127.0.0.1:{}", server.port()),
                    server.pid(),
                    server.folder(),
                );
                println!("{}", server.connection_string());
            }
            _ => {
                eprintln!("no server is called {name:?}; there are dynoxide, ministack, postgres");
                std::process::exit(2);
            }
        }
    }
    // Whatever arrives is of no interest; only the end of input is.
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

fn report(name: &str, address: &str, pid: u32, folder: &std::path::Path) {
    println!("{name} {address} {pid} {}", folder.display());
}
