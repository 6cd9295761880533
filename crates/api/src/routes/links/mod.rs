//! Links of one's own: making, reading, changing and taking them back. What those see who have one
//! is in `shared`.

mod change;
mod read;
mod shape;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

pub(super) use shape::DownloadParam;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(read::list_links, change::create_link)).routes(routes!(
        read::get_link,
        change::edit_link,
        change::delete_link
    ))
}
