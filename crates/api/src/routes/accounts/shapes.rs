//! Accounts as JSON, and what several groups read from requests.

use axum::http::{HeaderMap, header};
use model::{Email, ImageId, Name, PersonId, Role, Timestamp, User, UserId};
use serde::{Deserialize, Serialize};
use service::{Error, NewUser, Password, Profile, UserEdit};
use utoipa::ToSchema;

use crate::ApiError;
use crate::app::App;
use crate::client::Client;
use crate::error::field;
use crate::patch::Patch;

/// A user. Others than the user and administrators see only id, name, picture and person.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User)]
pub(super) struct UserAnswer {
    /// The user's id; never changes.
    #[schema(value_type = String)]
    id: UserId,
    /// The name others see.
    #[schema(value_type = String)]
    name: Name,
    /// Their profile picture, one of their own images.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    picture: Option<ImageId>,
    /// Where it is, small; signed, and good for an hour at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    picture_url: Option<String>,
    /// The person they are in the photos.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    person: Option<PersonId>,
    #[serde(flatten)]
    private: Option<PrivateAnswer>,
}

/// What only the user and administrators see.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PrivateAnswer {
    /// The address they sign in with.
    #[schema(value_type = String)]
    email: Email,
    /// Whether somebody other than themselves vouches for the address.
    email_verified: bool,
    /// What they may do.
    role: RoleName,
    /// Whether they want to be recognised in photos.
    people: bool,
    /// Since when the account is being erased.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    erasing_since: Option<Timestamp>,
    /// When the account was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    /// Counts the changes.
    version: i64,
}

/// What a user may do.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Role)]
pub(super) enum RoleName {
    /// Keep and share photos.
    User,
    /// Also manage users, limits and the service.
    Administrator,
}

/// What to change of a user. What is absent stays; `null` clears.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EditUser {
    /// The name others see.
    #[schema(max_length = 255)]
    name: Option<String>,
    /// The address they sign in with.
    email: Option<String>,
    /// What they may do; only administrators change it.
    role: Option<RoleName>,
    /// Their profile picture, one of their own images.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    picture: Patch<String>,
    /// The person they are in the photos.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    person: Patch<String>,
    /// Whether they want to be recognised in photos. If not, all that is known of the people in
    /// their images is removed, as is whatever they could be recognised by in images of others.
    people: Option<bool>,
    /// The version that is to be changed; else whichever there is.
    pub(super) version: Option<i64>,
}

impl UserAnswer {
    /// Everything.
    pub(super) fn of(app: &App, user: User) -> Self {
        let private = PrivateAnswer {
            email: user.email,
            email_verified: user.email_verified,
            role: user.role.into(),
            people: !user.unrecognised,
            erasing_since: user.erasing_since,
            created_at: user.created_at,
            updated_at: user.updated_at,
            version: user.version,
        };
        let User { id, name, picture, person, .. } = user;
        let picture_url = picture.map(|picture| app.small_url(picture));
        Self { id, name, picture, picture_url, person, private: Some(private) }
    }

    /// What others see.
    pub(super) fn of_profile(app: &App, profile: Profile) -> Self {
        let Profile { id, name, picture, person } = profile;
        let picture_url = picture.map(|picture| app.small_url(picture));
        Self { id, name, picture, picture_url, person, private: None }
    }
}

impl EditUser {
    pub(super) fn parse(self) -> Result<UserEdit, ApiError> {
        let bad = |field, what: &str| Error::invalid(field, what);
        Ok(UserEdit {
            email: self.email.map(|text| field("email", &text)).transpose()?,
            email_verified: None,
            name: self.name.map(|text| field("name", &text)).transpose()?,
            role: self.role.map(Role::from),
            picture: self
                .picture
                .try_map(|id| {
                    id.parse().map_err(|_| bad("picture", "no image has this id").into())
                })?
                .into_option(),
            person: self
                .person
                .try_map(|id| {
                    id.parse().map_err(|_| bad("person", "no person has this id").into())
                })?
                .into_option(),
            unrecognised: self.people.map(|people| !people),
        })
    }
}

impl From<Role> for RoleName {
    fn from(role: Role) -> Self {
        match role {
            Role::User => Self::User,
            Role::Administrator => Self::Administrator,
        }
    }
}

impl From<RoleName> for Role {
    fn from(role: RoleName) -> Self {
        match role {
            RoleName::User => Self::User,
            RoleName::Administrator => Self::Administrator,
        }
    }
}

/// Who wants an account, from what they typed.
pub(super) fn new_user(email: &str, name: &str) -> Result<NewUser, ApiError> {
    Ok(NewUser { email: field("email", email)?, name: field("name", name)? })
}

/// A new password, from what they typed.
pub(super) fn password(text: &str) -> Result<Password, ApiError> {
    text.parse().map_err(|bad| Error::invalid("password", bad).into())
}

/// Where a request comes from, for the service.
pub(in crate::routes) fn client_of(client: Client, headers: &HeaderMap) -> service::Client<'_> {
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    service::Client { address: Some(client.address), agent }
}

/// A moment in seconds, as the table keeps it.
pub(super) fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_millis(seconds.saturating_mul(1000))
}
