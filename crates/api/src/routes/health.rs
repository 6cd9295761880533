//! Whether the process lives and whether it can serve.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::Mutex;
use tokio::time::Instant;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::openapi::tag;

/// Knows whether what stands behind can be used now.
#[async_trait]
pub trait Health: Send + Sync + 'static {
    /// Asks every part. It must come back within seconds also when a part does not answer.
    async fn check(&self) -> Readiness;
}

/// What the check of all parts found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readiness {
    /// The parts in the order in which they are shown.
    pub parts: Vec<Part>,
}

/// One part that must work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name in JSON and in the log.
    pub name: &'static str,
    /// What is wrong with it, for the log only: anybody may ask for our health, and the text
    /// can name hosts and folders.
    pub problem: Option<String>,
    /// What will soon be wrong, while it still works.
    pub warning: Option<String>,
}

impl Readiness {
    /// Whether all parts work.
    pub fn is_ready(&self) -> bool {
        self.parts.iter().all(|part| part.problem.is_none())
    }
}

impl Part {
    /// A part and how its check ended.
    pub fn new<E: std::fmt::Display>(name: &'static str, outcome: Result<(), E>) -> Self {
        Self { name, problem: outcome.err().map(|error| error.to_string()), warning: None }
    }

    /// The same part, which works, but not for all and not for long.
    #[must_use]
    pub fn warn(self, warning: Option<String>) -> Self {
        Self { warning, ..self }
    }
}

/// How long a result is given again: asking costs a write, and everybody may ask.
const KEPT: Duration = Duration::from_secs(1);

/// Remembers the last check, and lets only one run at a time.
pub(crate) struct CachedHealth {
    health: Arc<dyn Health>,
    last: Mutex<Option<(Instant, Readiness)>>,
}

impl CachedHealth {
    pub(crate) fn new(health: Arc<dyn Health>) -> Self {
        Self { health, last: Mutex::new(None) }
    }

    pub(crate) async fn readiness(&self) -> Readiness {
        let mut last = self.last.lock().await;
        if let Some((at, readiness)) = &*last
            && at.elapsed() < KEPT
        {
            return readiness.clone();
        }
        let readiness = self.health.check().await;
        log_changes(last.as_ref().map(|(_, before)| before), &readiness);
        metrics::gauge!("ferrotype_ready").set(if readiness.is_ready() { 1.0 } else { 0.0 });
        *last = Some((Instant::now(), readiness.clone()));
        readiness
    }
}

/// A part that stays broken is logged once, not at every question of a load balancer.
fn log_changes(before: Option<&Readiness>, now: &Readiness) {
    for part in &now.parts {
        let was = before.and_then(|before| before.parts.iter().find(|was| was.name == part.name));
        let was_broken = was.is_some_and(|was| was.problem.is_some());
        match &part.problem {
            Some(problem) if !was_broken => {
                tracing::error!(part = part.name, problem, "not ready");
            }
            None if was_broken => tracing::info!(part = part.name, "ready again"),
            _ => {}
        }
    }
}

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(live)).routes(routes!(ready))
}

/// Whether the process answers
#[utoipa::path(
    get,
    path = "/health/live",
    tag = tag::SERVICE,
    responses((status = 200, description = "It does.", body = Live))
)]
async fn live() -> Response {
    answer(StatusCode::OK, Live { status: "alive" })
}

/// Whether requests can be served
#[utoipa::path(
    get,
    path = "/health/ready",
    tag = tag::SERVICE,
    responses(
        (status = 200, description = "All parts work.", body = Ready),
        (status = 503, description = "Some part does not.", body = Ready)
    )
)]
async fn ready(State(app): State<App>) -> Response {
    let readiness = app.health.readiness().await;
    let status =
        if readiness.is_ready() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    answer(status, Ready::of(&readiness))
}

fn answer(status: StatusCode, body: impl Serialize) -> Response {
    (status, [(header::CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

/// The process answers.
#[derive(Serialize, ToSchema)]
struct Live {
    /// `alive`.
    status: &'static str,
}

/// Which parts work.
#[derive(Serialize, ToSchema)]
struct Ready {
    /// `ready` or `unavailable`.
    status: &'static str,
    /// The parts by name.
    parts: BTreeMap<&'static str, PartStatus>,
}

/// Whether one part works.
#[derive(Serialize, ToSchema)]
struct PartStatus {
    /// `ok`, `degraded` (it works, but photos are not taken in, say) or `failed`.
    status: &'static str,
}

impl Ready {
    fn of(readiness: &Readiness) -> Self {
        let part = |part: &Part| {
            let status = match (&part.problem, &part.warning) {
                (Some(_), _) => "failed",
                (None, Some(_)) => "degraded",
                (None, None) => "ok",
            };
            (part.name, PartStatus { status })
        };
        let status = if readiness.is_ready() { "ready" } else { "unavailable" };
        Self { status, parts: readiness.parts.iter().map(part).collect() }
    }
}
