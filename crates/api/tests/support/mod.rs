//! A server in this process on a memory table, and a client that talks to it over a real socket.
#![allow(dead_code, reason = "each test binary uses a part")]

pub mod browser;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

use api::{Drained, Gallery, Health, Part, Readiness, Settings, Site};
use async_trait::async_trait;
use blob::Blobs;
use catalog::Catalog;
use model::Timestamp;
use serde_json::Value;
use service::{AccountSettings, Parts, PasswordCost, Service};
use table::MemoryTable;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;
use ureq::http::{Request, Response};
use ureq::{Agent, Body};

/// Long enough for a busy machine; nothing waits this long when all is well.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// A time that only tests move.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    pub fn advance(&self, duration: Duration) {
        self.0.fetch_add(i64::try_from(duration.as_millis()).unwrap(), Ordering::SeqCst);
    }
}

/// The same time for the table.
#[derive(Debug)]
struct TableClock(Arc<ManualClock>);

impl table::Clock for TableClock {
    fn now_seconds(&self) -> i64 {
        self.0.0.load(Ordering::SeqCst).div_euclid(1000)
    }
}

impl service::Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// Parts whose health a test decides.
#[derive(Default)]
pub struct Wellness {
    pub table_broken: AtomicBool,
    pub panics: AtomicBool,
    pub asked: AtomicUsize,
    pub hold: Option<Hold>,
}

/// Lets a test stop a request in the middle.
#[derive(Default)]
pub struct Hold {
    pub entered: Notify,
    pub release: Notify,
}

#[async_trait]
impl Health for Wellness {
    async fn check(&self) -> Readiness {
        self.asked.fetch_add(1, Ordering::SeqCst);
        assert!(!self.panics.load(Ordering::SeqCst), "a bug");
        if let Some(hold) = &self.hold {
            hold.entered.notify_one();
            hold.release.notified().await;
        }
        let broken = self.table_broken.load(Ordering::SeqCst);
        let table = if broken { Err("no route to 10.0.0.7") } else { Ok(()) };
        let parts = vec![Part::new("table", table), Part::new("blobs", Ok::<_, String>(()))];
        Readiness { parts }
    }
}

/// A server that a test has to itself.
pub struct Server {
    pub address: SocketAddr,
    pub wellness: Arc<Wellness>,
    pub service: Service,
    pub catalog: Catalog,
    pub clock: Arc<ManualClock>,
    pub stop: oneshot::Sender<()>,
    pub serving: JoinHandle<std::io::Result<Drained>>,
    folder: TempDir,
}

/// What a test may want otherwise.
#[derive(Default)]
pub struct Options {
    pub wellness: Wellness,
    pub settings: Settings,
    pub gallery: Option<Gallery>,
    pub grace: Option<Duration>,
    /// Passwords cost next to nothing unless a test says otherwise.
    pub accounts: Option<AccountSettings>,
    /// What time it is at the start, in milliseconds.
    pub now: Option<i64>,
}

impl Server {
    pub async fn start() -> Self {
        Self::with(Options::default()).await
    }

    pub async fn with(options: Options) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let now = options.now.unwrap_or(1_754_040_262_159);
        let clock = Arc::new(ManualClock(AtomicI64::new(now)));
        let table = MemoryTable::new(catalog::schema()).with_clock(TableClock(clock.clone()));
        let catalog = Catalog::new(Arc::new(table));
        let accounts = options.accounts.unwrap_or_else(cheap_accounts);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let storage_url = Some(format!("http://{address}/storage/"));
        let parts = Parts {
            catalog: catalog.clone(),
            blobs: Blobs::open_folder(folder.path()).await.unwrap(),
            clock: clock.clone(),
            settings: service::Settings { accounts, storage_url, ..service::Settings::default() },
            people: service::People::default(),
        };
        let service = Service::open(parts).await.unwrap();
        let wellness = Arc::new(options.wellness);
        let limits = options.settings.limits.clone();
        let site = Site {
            service: service.clone(),
            settings: options.settings,
            gallery: options.gallery.unwrap_or_else(|| Gallery::missing("this is a test")),
            health: wellness.clone(),
            metrics: Arc::new(|| "some_metric 1\n".to_owned()),
        };
        let (stop, stopped) = oneshot::channel();
        let stopped = async move { stopped.await.unwrap_or_default() };
        let grace = options.grace.unwrap_or(DEADLINE);
        let serving = tokio::spawn(api::serve(listener, api::router(site), limits, stopped, grace));
        Self { address, wellness, service, catalog, clock, stop, serving, folder }
    }

    pub async fn get(&self, path: &str) -> Response<Body> {
        self.send(Request::get(path).body(String::new()).unwrap()).await
    }

    /// Sends a request whose URI is a path.
    pub async fn send(&self, request: Request<String>) -> Response<Body> {
        send(self.address, request).await
    }
}

/// Accounts whose passwords cost next to nothing.
pub fn cheap_accounts() -> AccountSettings {
    AccountSettings { password_cost: PasswordCost::for_tests(), ..AccountSettings::default() }
}

/// Sends a request whose URI is a path.
pub async fn send(address: SocketAddr, mut request: Request<String>) -> Response<Body> {
    *request.uri_mut() = format!("http://{address}{}", request.uri()).parse().unwrap();
    let agent: Agent = Agent::config_builder()
        .http_status_as_error(false)
        .allow_non_standard_methods(true)
        .max_redirects(0)
        .proxy(None)
        .build()
        .into();
    let ask = move || {
        if request.body().is_empty() {
            agent.run(request.map(|_| ())).unwrap()
        } else {
            agent.run(request).unwrap()
        }
    };
    tokio::task::spawn_blocking(ask).await.unwrap()
}

pub fn json_of(mut response: Response<Body>) -> Value {
    response.body_mut().read_json().unwrap()
}

/// The code of an error, after a look at its shape.
pub fn code_of(response: Response<Body>) -> String {
    let status = response.status().as_u16();
    let id = response.headers()["x-request-id"].to_str().unwrap().to_owned();
    let body = json_of(response);
    let error = &body["error"];
    assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{body}");
    assert_eq!(error["requestId"], id.as_str(), "{body}");
    let code = error["code"].as_str().unwrap().to_owned();
    let known = api::ErrorCode::ALL.iter().find(|known| known.name() == code).unwrap();
    assert_eq!(known.status().as_u16(), status, "{body}");
    code
}
