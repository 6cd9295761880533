//! What people see who hold a link: as JSON under `/api/v1/shared`, and as pages under `/s`.
//!
//! Nobody need be signed in here. Every answer looks at the link anew, and none may be kept by a
//! cache; only the pictures may, whose addresses end soon.

mod files;
mod guest;
mod page;
mod read;
mod shape;
mod unlock;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

pub(super) use files::archive_answer;

/// Routes that answer at once.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(read::get_shared))
        .routes(routes!(read::list_shared_images))
        .routes(routes!(read::get_shared_image))
        .routes(routes!(unlock::unlock_shared))
        .merge(page::router())
}

/// Routes that send files.
pub(super) fn streaming_router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(files::get_shared_archive))
        .routes(routes!(files::get_shared_file))
}
