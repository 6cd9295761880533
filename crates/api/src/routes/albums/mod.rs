//! Albums: reading and changing them, their images and their members.

mod archive;
mod change;
mod images;
mod members;
mod read;
mod shape;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// Routes that answer at once.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(read::list_albums, change::create_album))
        .routes(routes!(read::list_shared_albums))
        .routes(routes!(read::get_album, change::edit_album, change::delete_album))
        .routes(routes!(read::list_nested_albums))
        .routes(routes!(read::list_image_albums))
        .routes(routes!(images::list_album_images, images::change_album_images))
        .routes(routes!(images::move_album_images))
        .routes(routes!(members::list_album_members))
        .routes(routes!(members::put_album_member, members::delete_album_member))
}

/// Routes that send files.
pub(super) fn streaming_router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(archive::get_album_archive))
}
