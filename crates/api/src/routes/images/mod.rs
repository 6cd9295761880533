//! Finding, reading, changing and deleting images, and sending them in one request.

mod archive;
mod body;
mod change;
mod exists;
mod external;
mod form;
mod read;
mod retry;
mod shape;
mod trash;
mod upload;

use axum::extract::DefaultBodyLimit;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

pub(crate) use body::ImageBody;
pub(super) use form::NewImageFields;
pub(super) use shape::{FailureInfo, ImageInfo, SizeUrl, status_name, visibility_name};
pub(super) use upload::{
    OUTCOME, answer as upload_answer, answer_keyed as keyed_upload_answer, outcome_of,
};

/// Routes that answer at once.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(read::list_images))
        .routes(routes!(read::get_image, change::edit_image, trash::delete_image))
        .routes(routes!(read::find_images))
        .routes(routes!(exists::check_images_exist))
        .routes(routes!(external::record_external_image, external::get_external_image))
        .routes(routes!(read::list_feed))
        .routes(routes!(read::list_user_images))
        .routes(routes!(trash::list_trash))
        .routes(routes!(trash::restore_image))
        .routes(routes!(retry::retry_image))
        .routes(routes!(retry::retry_images))
}

/// Routes that take or send files.
pub(super) fn streaming_router() -> OpenApiRouter<App> {
    let archive = OpenApiRouter::new()
        .routes(routes!(archive::archive_images))
        .layer(DefaultBodyLimit::max(archive::BODY_BYTES_MAX));
    OpenApiRouter::new().routes(routes!(upload::upload_image)).merge(archive)
}
