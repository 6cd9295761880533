//! Saying when many images were taken.

use axum::Json;
use axum::extract::State;
use model::limits::{TAKEN_AT_ONCE_MAX, TAKEN_OFFSET_MINUTES_MAX};
use model::{Image, ImageId, TakenAt};
use serde::{Deserialize, Serialize};
use service::{TakenChange, TakenEnd};
use utoipa::ToSchema;

use crate::ApiError;
use crate::app::App;
use crate::error::{error_answers, field_by};
use crate::identity::SignedIn;
use crate::openapi::tag;
use crate::patch::Patch;

error_answers!(TakenErrors: Unauthenticated, ScopeMissing, BadJson, InvalidValue);

/// When an image was taken, and who says so.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Taken)]
pub(in crate::routes) struct TakenInfo {
    /// The date and time there, with the zone if it is known, such as `2024-05-01T10:00:00.000+02:00`
    /// or `2024-05-01T10:00:00.000`. Sent as `takenAt` it means the same.
    at: String,
    /// `owner`; `camera`, what was written into the file; or `file`, when the file was last changed.
    source: &'static str,
}

impl TakenInfo {
    pub(in crate::routes) fn of(image: &Image) -> Option<Self> {
        let taken = image.taken()?;
        Some(Self { at: taken.at.to_string(), source: taken.source.name() })
    }
}

/// How dates are to change: with `ids`, exactly one of `takenAt`, `shiftSeconds` and
/// `offsetMinutes`; or `items` alone.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ChangeTaken {
    /// Which images.
    #[serde(default)]
    #[schema(max_items = 500)]
    ids: Vec<String>,
    /// All of them were taken then, such as `2024-05-01T10:00:00+02:00`, or without the offset if
    /// the zone is not known; `null` goes back to what the files say.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    taken_at: Patch<String>,
    /// The clock was wrong by so many seconds: they are added, or taken away if negative.
    shift_seconds: Option<i64>,
    /// They were taken in the zone so many minutes east of UTC, from -1080 to 1080.
    offset_minutes: Option<i32>,
    /// The zone whose time the clock showed; that of `offsetMinutes`, unless given.
    clock_offset_minutes: Option<i32>,
    /// Each image to a date of its own, such as the `previous` of an answer to undo that.
    items: Option<Vec<TakenItem>>,
}

/// An image and its date.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TakenItem {
    /// Its id.
    id: String,
    /// When it was taken; `null` goes back to what the file says.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(value_type = Option<String>, required = true)]
    taken_at: Option<String>,
}

/// What became of the dates.
#[derive(Serialize, ToSchema)]
#[schema(as = ChangedTakenList)]
pub(super) struct ChangedTakenList {
    /// In the order of the request.
    items: Vec<ChangedTaken>,
}

/// What became of the date of an image.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangedTaken {
    /// Its id.
    #[schema(value_type = String)]
    id: ImageId,
    /// `changed`; `noDate`, nothing is known that could be shifted; `impossible`, the date would lie
    /// in the future or before the year 1; `notFound`, the caller has no such image; or
    /// `contested`, others change it all the time.
    outcome: &'static str,
    /// What its owner had said before: a date, or `null` for what the file says. Of changed ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    previous: Option<Option<String>>,
    /// When it was taken now.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<TakenInfo>,
    /// Its version now.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<i64>,
}

/// Change when images were taken
///
/// To a date, by a shift, to another time zone, or each to a date of its own: so does what an answer
/// has as `previous` go back. Each image as by itself, and the answer says what became of it. A
/// shift starts from what counts now, or from what the camera wrote if that cannot be; repeated, it
/// shifts again.
#[utoipa::path(
    post,
    path = "/api/v1/images/taken",
    tag = tag::IMAGES,
    request_body = ChangeTaken,
    responses((status = 200, description = "What became of each.", body = ChangedTakenList), TakenErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn change_taken(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    crate::extract::Json(request): crate::extract::Json<ChangeTaken>,
) -> Result<Json<ChangedTakenList>, ApiError> {
    let changes = request.into_changes()?;
    let ends = app.service.change_taken(&caller, &changes).await?;
    let ids = changes.into_iter().map(|(id, _)| id);
    Ok(Json(ChangedTakenList {
        items: ids.zip(ends).map(|(id, end)| ChangedTaken::of(id, end)).collect(),
    }))
}

impl ChangeTaken {
    fn into_changes(self) -> Result<Vec<(ImageId, TakenChange)>, ApiError> {
        let ways = [
            self.taken_at != Patch::Keep,
            self.shift_seconds.is_some(),
            self.offset_minutes.is_some(),
            self.items.is_some(),
        ];
        let is_one_way = ways.into_iter().filter(|is_given| *is_given).count() == 1;
        let stand_alone = self.items.is_none() || self.ids.is_empty();
        let has_its_zone = self.clock_offset_minutes.is_none() || self.offset_minutes.is_some();
        if !(is_one_way && stand_alone && has_its_zone) {
            let message = "say ids with one of takenAt, shiftSeconds and offsetMinutes (which may \
                           have a clockOffsetMinutes), or items alone";
            return Err(service::Error::invalid("ids", message).into());
        }
        if let Some(items) = self.items {
            too_many(items.len())?;
            return items.into_iter().map(TakenItem::into_change).collect();
        }
        too_many(self.ids.len())?;
        let change = match (self.taken_at.into_option(), self.shift_seconds, self.offset_minutes) {
            (Some(taken), ..) => TakenChange::Set(taken.as_deref().map(taken_at).transpose()?),
            (_, Some(seconds), _) => TakenChange::Shift { seconds },
            (.., zone) => {
                let zone = zone.unwrap_or_default();
                let clock = self.clock_offset_minutes.unwrap_or(zone);
                TakenChange::Zone {
                    offset_minutes: offset("offsetMinutes", zone)?,
                    clock_offset_minutes: offset("clockOffsetMinutes", clock)?,
                }
            }
        };
        self.ids.iter().map(|id| Ok((image_id(id)?, change))).collect()
    }
}

impl TakenItem {
    fn into_change(self) -> Result<(ImageId, TakenChange), ApiError> {
        let taken = self.taken_at.as_deref().map(taken_at).transpose()?;
        Ok((image_id(&self.id)?, TakenChange::Set(taken)))
    }
}

impl ChangedTaken {
    fn of(id: ImageId, end: TakenEnd) -> Self {
        let ended = |outcome| Self { id, outcome, previous: None, taken: None, version: None };
        match end {
            TakenEnd::NoDate => ended("noDate"),
            TakenEnd::Impossible => ended("impossible"),
            TakenEnd::NotFound => ended("notFound"),
            TakenEnd::Contested => ended("contested"),
            TakenEnd::Changed { previous, image } => Self {
                previous: Some(previous.map(|at| at.to_string())),
                taken: TakenInfo::of(&image),
                version: Some(image.version),
                ..ended("changed")
            },
        }
    }
}

/// A date as the field `takenAt` has it.
pub(super) fn taken_at(text: &str) -> Result<TakenAt, ApiError> {
    field_by("takenAt", text)
}

fn image_id(text: &str) -> Result<ImageId, ApiError> {
    field_by("ids", text)
}

fn too_many(count: usize) -> Result<(), ApiError> {
    if count <= TAKEN_AT_ONCE_MAX {
        return Ok(());
    }
    let message = format!("at most {TAKEN_AT_ONCE_MAX} images at once, not {count}");
    Err(service::Error::invalid("ids", message).into())
}

fn offset(name: &'static str, minutes: i32) -> Result<i32, ApiError> {
    if minutes.abs() <= TAKEN_OFFSET_MINUTES_MAX {
        return Ok(minutes);
    }
    let message = format!("from -{TAKEN_OFFSET_MINUTES_MAX} to {TAKEN_OFFSET_MINUTES_MAX}");
    Err(service::Error::invalid(name, message).into())
}
