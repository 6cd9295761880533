//! What was decided about persons.

use axum::Json;
use axum::extract::State;
use model::PeopleEditId;

use super::shape::EditInfo;
use crate::ApiError;
use crate::app::App;
use crate::error::error_answers;
use crate::extract::{Path, Query};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::paging::{Page, PageParams};

error_answers!(ListErrors: BadCursor);
error_answers!(UndoErrors: NotFound, Conflict);

const LIST: &str = "persons/edits";

/// What I decided about persons
///
/// Newest first, with what was undone.
#[utoipa::path(
    get,
    path = "/api/v1/persons/edits",
    tag = tag::PERSONS,
    params(PageParams),
    responses((status = 200, description = "A page of decisions.", body = Page<EditInfo>), ListErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_edits(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Query(page): Query<PageParams>,
) -> Result<Json<Page<EditInfo>>, ApiError> {
    let request = page.request(&app, &caller, LIST)?;
    let listed = app.service.list_people_edits(&caller, &request).await?;
    Ok(Json(Page::of(&app, &caller, LIST, listed, EditInfo::of)))
}

/// Undo what I decided about persons
///
/// Also if more was decided, or further photos came, since. Repeating it does no harm.
#[utoipa::path(
    post,
    path = "/api/v1/persons/edits/{id}/undo",
    tag = tag::PERSONS,
    params(("id" = String, Path, description = "The id of the decision")),
    responses((status = 200, description = "It is undone.", body = EditInfo), UndoErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn undo_edit(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<PeopleEditId>,
) -> Result<Json<EditInfo>, ApiError> {
    Ok(Json(EditInfo::of(app.service.undo_people_edit(&caller, id).await?)))
}
