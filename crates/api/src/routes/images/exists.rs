//! Whether bytes are there already, asked before they are sent.

use axum::Json;
use axum::extract::State;
use model::{ImageId, Sha256Hex};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ApiError;
use crate::app::App;
use crate::error::{error_answers, field};
use crate::identity::SignedIn;
use crate::openapi::tag;

error_answers!(ExistsErrors: Unauthenticated, ScopeMissing, BadJson, InvalidValue);

/// Which bytes.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Sums {
    /// SHA-256 of files, each as 64 hexadecimal digits.
    #[schema(max_items = 500)]
    sha256: Vec<String>,
}

/// Which of them there are.
#[derive(Serialize, ToSchema)]
pub(super) struct KnownSums {
    /// One for each that was asked about, in the same order.
    items: Vec<KnownSum>,
}

/// Whether the caller has a file.
#[derive(Serialize, ToSchema)]
pub(super) struct KnownSum {
    /// SHA-256 of the file.
    #[schema(value_type = String)]
    sha256: Sha256Hex,
    /// Whether an image of the caller has these bytes.
    exists: bool,
    /// Which one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    image: Option<ImageId>,
    /// Whether it is in the trash; uploading the file then makes a new image.
    trashed: bool,
}

/// Which files are there already
///
/// For those who send many: which of these files are images of the caller. Asking costs one
/// request for 500 files, and needs the scope `read` or `write`. An image that disappears by itself
/// does not count.
#[utoipa::path(
    post,
    path = "/api/v1/images/exists",
    tag = tag::IMAGES,
    request_body = Sums,
    responses((status = 200, description = "Which there are.", body = KnownSums), ExistsErrors),
    security(("bearer" = []), ("session" = []))
)]
pub(super) async fn check_images_exist(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    crate::extract::Json(Sums { sha256 }): crate::extract::Json<Sums>,
) -> Result<Json<KnownSums>, ApiError> {
    let sums = sha256.iter().map(|text| field::<Sha256Hex>("sha256", &text.to_lowercase()));
    let sums: Vec<Sha256Hex> = sums.collect::<Result<_, _>>()?;
    let found = app.service.find_by_sums(&caller, &sums).await?;
    let items = sums.into_iter().zip(found).map(|(sha256, image)| KnownSum {
        sha256,
        exists: image.is_some(),
        trashed: image.as_ref().is_some_and(|image| image.trashed_at.is_some()),
        image: image.map(|image| image.id),
    });
    Ok(Json(KnownSums { items: items.collect() }))
}
