use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use blob::Blobs;
use catalog::Catalog;
use model::{Role, Timestamp};
use service::{
    AccountSettings, AttemptLimits, Caller, Client, Clock, NewSession, NewUser, Parts, Password,
    PasswordCost, Service, Settings,
};
use table::{MemoryTable, Table};
use table_embedded::{EmbeddedTable, Options};
use tempfile::TempDir;

pub const PASSWORD: &str = "correct horse";

/// One time for the service and its table, moved by the test alone.
#[derive(Clone, Debug)]
struct TestClock(Arc<AtomicI64>);

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

impl table::Clock for TestClock {
    fn now_seconds(&self) -> i64 {
        self.0.load(Ordering::SeqCst).div_euclid(1000)
    }
}

pub struct World {
    pub service: Service,
    table: Arc<dyn Table>,
    clock: TestClock,
    folder: TempDir,
}

impl World {
    pub async fn on_memory() -> Self {
        Self::new(|clock, _| Arc::new(MemoryTable::new(catalog::schema()).with_clock(clock))).await
    }

    pub async fn on_embedded() -> Self {
        Self::new(|clock, folder| {
            let options = Options::default().with_clock(clock);
            let table = EmbeddedTable::open(&folder.join("table"), catalog::schema(), options);
            Arc::new(table.unwrap())
        })
        .await
    }

    async fn new(open: impl FnOnce(TestClock, &std::path::Path) -> Arc<dyn Table>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = TestClock(Arc::new(AtomicI64::new(1_754_040_262_159)));
        let table = open(clock.clone(), folder.path());
        let service = open_service(&table, &clock, &folder, accounts()).await;
        Self { service, table, clock, folder }
    }

    /// Another service on the same table, that has decided otherwise.
    pub async fn with(&self, change: impl FnOnce(&mut AccountSettings)) -> Service {
        let mut settings = accounts();
        change(&mut settings);
        open_service(&self.table, &self.clock, &self.folder, settings).await
    }

    pub fn advance(&self, duration: Duration) {
        self.clock.0.fetch_add(i64::try_from(duration.as_millis()).unwrap(), Ordering::SeqCst);
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub fn catalog(&self) -> Catalog {
        Catalog::new(Arc::clone(&self.table))
    }

    /// Somebody with an account, signed in.
    pub async fn person(&self, name: &str) -> Caller {
        self.made(name, Role::User).await
    }

    pub async fn administrator(&self, name: &str) -> Caller {
        self.made(name, Role::Administrator).await
    }

    async fn made(&self, name: &str, role: Role) -> Caller {
        let (new, password) = (new_user(name), password(PASSWORD));
        let operator = Caller::operator();
        let user = self.service.create_user(&operator, &new, role, Some(&password)).await.unwrap();
        Caller::new(user.id, user.role)
    }

    pub async fn sign_in(&self, name: &str) -> service::Result<NewSession> {
        self.service.sign_in(&address(name), PASSWORD, Client::default()).await
    }
}

async fn open_service(
    table: &Arc<dyn Table>,
    clock: &TestClock,
    folder: &TempDir,
    accounts: AccountSettings,
) -> Service {
    let parts = Parts {
        catalog: Catalog::new(Arc::clone(table)),
        blobs: Blobs::open_folder(&folder.path().join("blobs")).await.unwrap(),
        clock: Arc::new(clock.clone()),
        settings: Settings { accounts, ..Settings::default() },
        people: service::People::default(),
    };
    Service::open(parts).await.unwrap()
}

fn accounts() -> AccountSettings {
    AccountSettings {
        password_cost: PasswordCost::for_tests(),
        attempts: AttemptLimits { per_email: 3, per_address: 5, ..AttemptLimits::default() },
        ..AccountSettings::default()
    }
}

pub fn address(name: &str) -> String {
    format!("{name}@example.org")
}

pub fn new_user(name: &str) -> NewUser {
    NewUser { email: address(name).parse().unwrap(), name: name.parse().unwrap() }
}

pub fn password(text: &str) -> Password {
    text.parse().unwrap()
}

pub fn from(address: &str) -> Client<'static> {
    Client { address: Some(address.parse().unwrap()), agent: None }
}
