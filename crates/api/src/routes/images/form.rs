//! What is said about an image before its bytes: alike in all ways to upload.

use bytes::Bytes;
use model::{Sha256Hex, Timestamp};
use serde::Deserialize;
use service::NewImage;
use utoipa::ToSchema;

use super::change::{VisibilityParam, parse_tags};
use super::taken::taken_at;
use crate::error::{field, field_by};
use crate::{ApiError, ErrorCode};

/// What is said about an image before its bytes come.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schema(as = NewImage)]
pub(in crate::routes) struct NewImageFields {
    /// The name of the file.
    #[schema(max_length = 255)]
    pub(in crate::routes) filename: Option<String>,
    /// The title.
    #[schema(max_length = 255)]
    pub(in crate::routes) title: Option<String>,
    /// The description.
    #[schema(max_length = 5000)]
    pub(in crate::routes) description: Option<String>,
    /// The alternative text.
    #[schema(max_length = 255)]
    pub(in crate::routes) alt_text: Option<String>,
    /// Public tags, 20 at most.
    pub(in crate::routes) tags: Vec<String>,
    /// Who may see it; nobody but the owner unless said otherwise.
    pub(in crate::routes) visibility: Option<VisibilityParam>,
    /// Bytes of the file, if known; taken from the quota at once.
    pub(in crate::routes) size_bytes: Option<u64>,
    /// SHA-256 of the file, if known, as 64 hexadecimal digits; other bytes are refused.
    pub(in crate::routes) sha256: Option<String>,
    /// When the image is to disappear by itself.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(in crate::routes) expires_at: Option<String>,
    /// When it was taken, such as `2024-05-01T10:00:00+02:00`, or without the offset if the zone is
    /// not known; unless given, what the file says.
    pub(in crate::routes) taken_at: Option<String>,
    /// When the file was last changed, written alike. Counts only if the file itself says nothing.
    pub(in crate::routes) file_modified_at: Option<String>,
    /// Whether a second copy of a file that the owner has is wanted.
    pub(in crate::routes) keep_duplicate: bool,
    /// Whether an image that cannot be shown is refused. Otherwise it is kept, with `status` `failed`
    /// and the reason.
    pub(in crate::routes) only_shown: bool,
    /// The file of XMP beside it, of forms.
    #[serde(skip)]
    pub(in crate::routes) sidecar: Option<Bytes>,
}

impl NewImageFields {
    /// What the fields mean, with the request's `Idempotency-Key`.
    pub(in crate::routes) fn into_new_image(
        self,
        idempotency_key: Option<String>,
    ) -> Result<NewImage, ApiError> {
        let sha256 = self.sha256.map(|text| field::<Sha256Hex>("sha256", &text.to_lowercase()));
        Ok(NewImage {
            filename: self.filename.map(|text| field("filename", &text)).transpose()?,
            title: self.title.map(|text| field("title", &text)).transpose()?,
            description: self.description.map(|text| field("description", &text)).transpose()?,
            alt_text: self.alt_text.map(|text| field("altText", &text)).transpose()?,
            tags: parse_tags(&self.tags)?,
            visibility: self.visibility.unwrap_or(VisibilityParam::Private).into(),
            size_bytes: self.size_bytes,
            sha256: sha256.transpose()?,
            expires_at: self
                .expires_at
                .as_deref()
                .map(|text| timestamp("expiresAt", text))
                .transpose()?,
            taken: self.taken_at.as_deref().map(taken_at).transpose()?,
            file_time: self
                .file_modified_at
                .as_deref()
                .map(|text| field_by("fileModifiedAt", text))
                .transpose()?,
            keep_duplicate: self.keep_duplicate,
            only_shown: self.only_shown,
            sidecar: self.sidecar,
            idempotency_key,
        })
    }

    /// Sets a field of a form by its name. Forms say everything by texts.
    pub(in crate::routes) fn set(&mut self, name: &str, text: String) -> Result<(), ApiError> {
        match name {
            "filename" => self.filename = Some(text),
            "title" => self.title = Some(text),
            "description" => self.description = Some(text),
            "altText" => self.alt_text = Some(text),
            // One field with commas, or several fields.
            "tags" => self.tags.extend(
                text.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned),
            ),
            "visibility" => {
                self.visibility = Some(match text.as_str() {
                    "private" => VisibilityParam::Private,
                    "shared" => VisibilityParam::Shared,
                    _ => return Err(bad("visibility", "is private or shared")),
                });
            }
            "sizeBytes" => {
                let size = text.parse().map_err(|_| bad("sizeBytes", "is a whole number"))?;
                self.size_bytes = Some(size);
            }
            "sha256" => self.sha256 = Some(text),
            "expiresAt" => self.expires_at = Some(text),
            "takenAt" => self.taken_at = Some(text),
            "fileModifiedAt" => self.file_modified_at = Some(text),
            "keepDuplicate" => {
                self.keep_duplicate =
                    text.parse().map_err(|_| bad("keepDuplicate", "is true or false"))?;
            }
            "onlyShown" => {
                self.only_shown = text.parse().map_err(|_| bad("onlyShown", "is true or false"))?;
            }
            _ => {
                let message = format!("there is no field {name:?} in this form");
                return Err(ApiError::new(ErrorCode::BadRequest, message));
            }
        }
        Ok(())
    }
}

fn timestamp(field: &'static str, text: &str) -> Result<Timestamp, ApiError> {
    text.parse().map_err(|error| service::Error::invalid(field, error).into())
}

fn bad(field: &'static str, message: &str) -> ApiError {
    service::Error::invalid(field, message).into()
}
