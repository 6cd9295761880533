//! A way to the server that counts what is sent and can be closed in the middle.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use testkit::wait::wait_until;

use crate::program::{DEADLINE, Server};

/// Stands between a client and a server.
pub struct Gate {
    address: SocketAddr,
    state: Arc<(Mutex<State>, Condvar)>,
}

struct State {
    server: SocketAddr,
    /// Bytes that clients have sent on their way to the server.
    passed: u64,
    /// After so many, no more pass.
    limit: u64,
    /// Connections with bytes that do not pass.
    waiting: usize,
    connections: Vec<TcpStream>,
}

impl Gate {
    /// Lets so many bytes pass to a server.
    pub fn before(server: &Server, limit: u64) -> Self {
        Self::before_url(server.url(), limit)
    }

    /// The same for a server of any kind.
    pub fn before_url(url: &str, limit: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = State {
            server: address_of(url),
            passed: 0,
            limit,
            waiting: 0,
            connections: Vec::new(),
        };
        let state = Arc::new((Mutex::new(state), Condvar::new()));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let shared = Arc::clone(&shared);
                thread::spawn(move || carry(client, &shared));
            }
        });
        Self { address, state }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Leads to another server from now on, and lets everything pass.
    pub fn open_to(&self, server: &Server) {
        let (state, changed) = &*self.state;
        let mut state = state.lock().unwrap();
        state.server = address_of(server.url());
        state.limit = u64::MAX;
        changed.notify_all();
    }

    /// Breaks all connections.
    pub fn cut(&self) {
        for connection in self.state.0.lock().unwrap().connections.drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    /// Lets nothing pass from now on.
    pub fn close(&self) {
        self.state.0.lock().unwrap().limit = 0;
    }

    /// Waits until somebody stands before it.
    pub fn wait_until_knocked(&self) {
        assert!(wait_until(DEADLINE, || self.state.0.lock().unwrap().waiting > 0));
    }

    /// Waits until it is closed.
    pub fn wait_until_closed(&self) {
        let closed = wait_until(DEADLINE, || {
            let state = self.state.0.lock().unwrap();
            state.passed >= state.limit
        });
        assert!(closed, "only {} bytes came", self.passed());
    }

    /// How many bytes have passed to the server.
    pub fn passed(&self) -> u64 {
        self.state.0.lock().unwrap().passed
    }
}

fn address_of(url: &str) -> SocketAddr {
    url.strip_prefix("http://").unwrap().parse().unwrap()
}

fn carry(mut client: TcpStream, shared: &Arc<(Mutex<State>, Condvar)>) {
    let server = shared.0.lock().unwrap().server;
    // Whoever does not get through is told by the end of the connection.
    let Ok(mut server) = TcpStream::connect(server) else { return };
    shared.0.lock().unwrap().connections.push(server.try_clone().unwrap());
    let (mut answers, mut answered) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    let back = thread::spawn(move || {
        let _ = std::io::copy(&mut answers, &mut answered);
        let _ = answered.shutdown(Shutdown::Both);
    });
    let mut buffer = vec![0; 64 << 10];
    while let Ok(read @ 1..) = client.read(&mut buffer) {
        let (state, changed) = &**shared;
        let mut state = state.lock().unwrap();
        state.waiting += 1;
        let mut state = changed.wait_while(state, |state| state.passed >= state.limit).unwrap();
        state.waiting -= 1;
        state.passed += read as u64;
        drop(state);
        if server.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    let _ = server.shutdown(Shutdown::Both);
    let _ = back.join();
}
