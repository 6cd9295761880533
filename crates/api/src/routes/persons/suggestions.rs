//! "Same person?"

use axum::Json;
use axum::extract::State;
use model::Name;
use serde::{Deserialize, Serialize};
use service::{Suggested, SuggestedName};
use utoipa::ToSchema;

use super::change::parse_id;
use super::shape::{ChangedInfo, PersonInfo};
use crate::ApiError;
use crate::app::App;
use crate::error::{error_answers, field};
use crate::identity::SignedIn;
use crate::openapi::tag;

error_answers!(AnswerErrors: NotFound, Conflict, SamePhoto, InvalidValue);
error_answers!(NameErrors: NotFound, Conflict, SamePhoto, NameTooLong, InvalidValue);

/// Persons without a name and what they may be called.
#[derive(Serialize, ToSchema)]
pub(super) struct WrittenNames {
    /// Those in the most images first, 20 at most; further ones follow when these are answered.
    items: Vec<NamedPerson>,
}

/// Somebody without a name, and what photo programs have written beside their faces.
#[derive(Serialize, ToSchema)]
struct NamedPerson {
    /// Who.
    person: PersonInfo,
    /// What they may be called.
    #[schema(value_type = String)]
    name: Name,
    /// In how many of their newest images this name is beside their face.
    count: usize,
    /// Who is called so already.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<PersonInfo>,
}

/// Names for persons in my images
///
/// What photo programs have written into the files beside the faces of persons who have no name yet.
#[utoipa::path(
    get,
    path = "/api/v1/persons/suggestions/names",
    tag = tag::PERSONS,
    responses((status = 200, description = "Some of them.", body = WrittenNames)),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_name_suggestions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<WrittenNames>, ApiError> {
    let suggested = app.service.list_written_names(&caller).await?;
    let info = |SuggestedName { person, name, count, known }| NamedPerson {
        person: PersonInfo::of(&app, person),
        name,
        count,
        known: known.map(|known| PersonInfo::of(&app, known)),
    };
    Ok(Json(WrittenNames { items: suggested.into_iter().map(info).collect() }))
}

/// Whether somebody is called so.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct NameAnswer {
    /// The id of the person.
    person: String,
    /// The name.
    #[schema(max_length = 255)]
    name: String,
    /// Whether they are called so: then they get the name, or are merged into who has it already.
    /// Otherwise they are not asked about with this name again.
    same: bool,
}

/// Say whether a person has a name
#[utoipa::path(
    post,
    path = "/api/v1/persons/suggestions/names",
    tag = tag::PERSONS,
    request_body = NameAnswer,
    responses((status = 200, description = "What was decided.", body = ChangedInfo), NameErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn answer_name_suggestion(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    crate::extract::Json(answer): crate::extract::Json<NameAnswer>,
) -> Result<Json<ChangedInfo>, ApiError> {
    let NameAnswer { person, name, same } = answer;
    let (person, name) = (parse_id("person", &person)?, field("name", &name)?);
    let changed = app.service.answer_written_name(&caller, person, name, same).await?;
    Ok(Json(ChangedInfo::of(&app, changed)))
}

/// Persons who may be the same.
#[derive(Serialize, ToSchema)]
pub(super) struct SamePersons {
    /// Most alike first.
    items: Vec<SamePerson>,
}

/// Two persons who may be the same.
#[derive(Serialize, ToSchema)]
struct SamePerson {
    /// Both of them.
    persons: Vec<PersonInfo>,
    /// How alike they look, from 0 to 1: at 1 they would have been taken for one without asking.
    confidence: f64,
}

/// Persons in my images who may be the same
#[utoipa::path(
    get,
    path = "/api/v1/persons/suggestions",
    tag = tag::PERSONS,
    responses((status = 200, description = "All of them, 100 at most.", body = SamePersons)),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn list_suggestions(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
) -> Result<Json<SamePersons>, ApiError> {
    let suggested = app.service.list_same_persons(&caller).await?;
    let info = |Suggested { persons, confidence }| {
        let persons: [service::SeenPerson; 2] = persons;
        let persons = persons.into_iter().map(|person| PersonInfo::of(&app, person)).collect();
        SamePerson { persons, confidence }
    };
    Ok(Json(SamePersons { items: suggested.into_iter().map(info).collect() }))
}

/// Whether two persons are the same.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SameAnswer {
    /// The ids of both.
    #[schema(min_items = 2, max_items = 2)]
    persons: Vec<String>,
    /// Whether they are the same: then they are merged, and otherwise never taken for one.
    same: bool,
}

/// Say whether two persons are the same
///
/// If they are, the first keeps its id, unless only the second has a name.
#[utoipa::path(
    post,
    path = "/api/v1/persons/suggestions",
    tag = tag::PERSONS,
    request_body = SameAnswer,
    responses((status = 200, description = "What was decided.", body = ChangedInfo), AnswerErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn answer_suggestion(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    crate::extract::Json(answer): crate::extract::Json<SameAnswer>,
) -> Result<Json<ChangedInfo>, ApiError> {
    let [one, other] = answer.persons.as_slice() else {
        return Err(service::Error::invalid("persons", "name two persons").into());
    };
    let (one, other) = (parse_id("persons", one)?, parse_id("persons", other)?);
    if one == other {
        return Err(service::Error::invalid("persons", "name two different persons").into());
    }
    let changed = app.service.answer_same_persons(&caller, one, other, answer.same).await?;
    Ok(Json(ChangedInfo::of(&app, changed)))
}
