//! How the installation is, at a glance.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use model::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::AdminErrors;
use crate::app::App;
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::{ApiError, Part};

/// How the installation is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OverviewInfo {
    /// The version of the program.
    version: &'static str,
    /// When this server started.
    #[schema(value_type = String)]
    started_at: Timestamp,
    /// How many users there are; not counted beyond 10,000.
    users: usize,
    /// What they keep.
    storage: StorageInfo,
    /// Work that waits, by kind.
    queues: Vec<QueueInfo>,
    /// Looking for missing sizes, by this server.
    sizes: SizesInfo,
    /// What works.
    health: HealthInfo,
}

/// What users keep.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StorageInfo {
    /// Images, also those in the trash and those that are being uploaded.
    images: i64,
    /// Bytes of their originals.
    bytes: i64,
    /// Bytes that are free where this server keeps photos and rows, if it has a disk for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    free_bytes: Option<u64>,
    /// Bytes that are to stay free: with less, no photos are taken in.
    #[serde(skip_serializing_if = "Option::is_none")]
    free_bytes_min: Option<u64>,
}

/// Work of a kind.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QueueInfo {
    /// What is to be done: `process`, `faces`, `expire`, `purge` or `erase`.
    kind: String,
    /// How much waits, also for a later time; not counted beyond 10,000.
    waiting: usize,
    /// How much was given up; not counted beyond 10,000.
    dead: usize,
    /// When the first of it is or was due.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    first_due: Option<Timestamp>,
}

/// Looking for missing sizes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SizesInfo {
    /// Whether it goes on.
    running: bool,
    /// Images that were looked at.
    checked: usize,
    /// Those that lacked sizes.
    queued: usize,
    /// When it was last begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    started_at: Option<Timestamp>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    finished_at: Option<Timestamp>,
}

/// What works.
#[derive(Serialize, ToSchema)]
struct HealthInfo {
    /// Whether requests can be served.
    ready: bool,
    /// What is wrong with each part, or soon will be; `null` if nothing is.
    parts: BTreeMap<&'static str, Option<String>>,
}

/// How the installation is
///
/// What waits, what was given up, what is kept, and what is wrong.
#[utoipa::path(
    get,
    path = "/api/v1/admin/overview",
    tag = tag::ADMIN,
    responses((status = 200, description = "How it is.", body = OverviewInfo), AdminErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn get_overview(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<OverviewInfo>, ApiError> {
    let overview = app.service.overview(&caller).await?;
    let run = app.service.sizes_run(&caller)?;
    let readiness = app.health.readiness().await;
    let room = app.service.settings().room.as_ref();
    let told = |part: Part| (part.name, part.problem.or(part.warning));
    let queue = |queue: service::Queue| QueueInfo {
        kind: queue.kind.to_string(),
        waiting: queue.waiting,
        dead: queue.dead,
        first_due: queue.first_due,
    };
    Ok(Json(OverviewInfo {
        version: env!("CARGO_PKG_VERSION"),
        started_at: app.started_at,
        users: overview.users,
        storage: StorageInfo {
            images: overview.images,
            bytes: overview.bytes,
            free_bytes: room.and_then(|room| room.free_bytes()),
            free_bytes_min: room.map(|room| room.free_min()),
        },
        queues: overview.queues.into_iter().map(queue).collect(),
        sizes: SizesInfo {
            running: run.is_running(),
            checked: run.checked,
            queued: run.queued,
            started_at: run.started_at,
            finished_at: run.finished_at,
        },
        health: HealthInfo {
            ready: readiness.is_ready(),
            parts: readiness.parts.into_iter().map(told).collect(),
        },
    }))
}
