//! An [`App`] on a memory table, for tests of single parts.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::extract::Request;
use axum::middleware::{self, Next};
use blob::Blobs;
use catalog::Catalog;
use model::{Album, AlbumId, Role, Timestamp, UserId};
use service::{Caller, Clock, Parts, Service, SystemClock};
use table::MemoryTable;
use tempfile::TempDir;

use crate::app::{App, AppParts};
use crate::known_query::KnownQueries;
use crate::observe::Meters;
use crate::routes::health::CachedHealth;
use crate::routes::timeline::KeptSkeletons;
use crate::{Gallery, Health, Readiness, Settings, openapi, routes};

/// Everything behind the routes.
pub(crate) struct World {
    pub(crate) app: App,
    pub(crate) catalog: Catalog,
    clock: Arc<ManualClock>,
    _folder: TempDir,
}

#[derive(Debug)]
struct ManualClock(AtomicI64);

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

struct Well;

#[async_trait]
impl Health for Well {
    async fn check(&self) -> Readiness {
        Readiness { parts: Vec::new() }
    }
}

impl World {
    /// The clock starts with the real time, by which the table lets changes expire.
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock(AtomicI64::new(SystemClock.now().as_millis())));
        let catalog = Catalog::new(Arc::new(MemoryTable::new(catalog::schema())));
        let parts = Parts {
            catalog: catalog.clone(),
            blobs: Blobs::open_folder(folder.path()).await.unwrap(),
            clock: clock.clone(),
            settings: service::Settings::default(),
            people: service::People::default(),
        };
        let app = App::new(AppParts {
            service: Service::open(parts).await.unwrap(),
            settings: Settings::default(),
            gallery: Gallery::missing("this is a test"),
            skeletons: KeptSkeletons::new(),
            started_at: clock.now(),
            answers: service::KeptViews::new(1 << 20),
            rates: None,
            oidc: None,
            passkeys: Settings::default().relying_party(),
            queries: KnownQueries::default(),
            meters: Meters::new(),
            health: CachedHealth::new(Arc::new(Well)),
            metrics: Arc::new(String::new),
            document: openapi::openapi_json().into(),
        });
        Self { app, catalog, clock, _folder: folder }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn advance(&self, duration: Duration) {
        let millis = i64::try_from(duration.as_millis()).unwrap();
        self.clock.0.fetch_add(millis, Ordering::SeqCst);
    }

    /// All routes, as somebody who is signed in sees them.
    pub(crate) fn router_for(&self, caller: Caller) -> Router {
        let sign_in = move |mut request: Request, next: Next| {
            request.extensions_mut().insert(caller.clone());
            next.run(request)
        };
        let (routes, _) = routes::all(&self.app.settings).split_for_parts();
        routes
            .layer(middleware::from_fn(sign_in))
            .layer(middleware::from_fn_with_state(self.app.clone(), crate::observe::observe))
            .with_state(self.app.clone())
    }

    /// Somebody new who may do everything that a user may.
    pub(crate) fn caller(&self) -> Caller {
        Caller::new(UserId::new(self.now(), rand::random()), Role::User)
    }

    /// Something that happens to the caller's own things.
    pub(crate) async fn make_album(&self, caller: &Caller) -> AlbumId {
        let (id, now) = (AlbumId::new(self.now(), rand::random()), self.now());
        let album = Album::new(id, caller.user, "Summer".parse().unwrap(), now);
        let created = self.catalog.create_album(&album).await.unwrap();
        assert_eq!(created, catalog::CreatedAlbum::Created);
        id
    }
}
