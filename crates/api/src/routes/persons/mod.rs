//! Persons: who is in the photos, and what the owner of a library says about that.

mod change;
mod edits;
mod faces;
mod me;
mod read;
mod shape;
mod suggestions;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(read::list_persons))
        .routes(routes!(suggestions::list_suggestions, suggestions::answer_suggestion))
        .routes(routes!(suggestions::list_name_suggestions, suggestions::answer_name_suggestion))
        .routes(routes!(edits::list_edits))
        .routes(routes!(edits::undo_edit))
        .routes(routes!(read::get_person, change::edit_person, change::delete_person))
        .routes(routes!(read::list_person_images))
        .routes(routes!(read::list_person_faces))
        .routes(routes!(read::get_person_picture))
        .routes(routes!(change::merge_persons))
        .routes(routes!(change::split_person))
        .routes(routes!(faces::list_image_persons))
        .routes(routes!(faces::assign_face))
        .routes(routes!(faces::reject_face))
        .routes(routes!(me::list_my_persons))
        .routes(routes!(me::list_photos_with_me))
}
