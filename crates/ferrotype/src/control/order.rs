//! What can be asked of a running server, and doing it: the same whichever process it is in.

use std::fmt::Write;

use model::Role;
use serde::{Deserialize, Serialize};
use service::{Caller, People, Service};

use super::users::Users;
use crate::cli::{FacesCommand, Maximum};
use crate::failure::Failure;

/// A command, with everything that it has from where it was typed.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Order {
    /// `ferrotype user …`
    User(UserOrder),
    /// `ferrotype faces …`
    Faces(FacesCommand),
    /// What `ferrotype doctor` wants to know.
    Standing,
}

/// What to do with users, who are named as on the command line. Passwords were read or made up where the command was typed.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "they are those of the command line")]
pub enum UserOrder {
    Add { email: String, name: String, role: Role, password: Option<String> },
    List,
    Show { user: String },
    Role { user: String, role: Role },
    Limit { user: String, images: Option<Maximum>, bytes: Option<Maximum> },
    Password { user: String, password: String },
    Remove { user: String, yes: bool },
    DefaultLimit { images: Option<Maximum>, bytes: Option<String> },
}

/// How a server stands, for the doctor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// Whether there is an administrator, or has been one.
    pub is_set_up: bool,
    /// Whether anybody has an account.
    pub has_users: bool,
}

impl Order {
    /// What it is, without anything of what it is about.
    pub(super) fn about(&self) -> &'static str {
        match self {
            Self::User(user) => match user {
                UserOrder::Add { .. } => "user add",
                UserOrder::List => "user list",
                UserOrder::Show { .. } => "user show",
                UserOrder::Role { .. } => "user role",
                UserOrder::Limit { .. } => "user limit",
                UserOrder::Password { .. } => "user password",
                UserOrder::Remove { .. } => "user remove",
                UserOrder::DefaultLimit { .. } => "user default-limit",
            },
            Self::Faces(FacesCommand::Status) => "faces status",
            Self::Faces(FacesCommand::Rebuild { .. }) => "faces rebuild",
            Self::Standing => "doctor",
        }
    }
}

/// Passwords are in there.
impl std::fmt::Debug for UserOrder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("UserOrder(…)")
    }
}

/// Does it, and writes what is to be printed.
///
/// # Errors
/// What the command is to fail with.
pub async fn run(service: &Service, order: Order, said: &mut String) -> Result<(), Failure> {
    match order {
        Order::User(order) => Users::of(service).run(order, said).await,
        Order::Faces(command) => faces(service, command, said).await,
        Order::Standing => {
            let standing = Standing {
                is_set_up: !service.is_set_up_open().await?,
                has_users: service.has_users().await?,
            };
            let text = serde_json::to_string(&standing);
            let text = text.map_err(|error| Failure::Start(error.to_string()))?;
            let _ = writeln!(said, "{text}");
            Ok(())
        }
    }
}

async fn faces(service: &Service, command: FacesCommand, said: &mut String) -> Result<(), Failure> {
    let operator = Caller::operator();
    // Writing into a text does not fail.
    let _ = match service.people() {
        People::On(finder) => writeln!(said, "people are on: {}", finder.model()),
        People::Off { why } => writeln!(said, "people are off: {why}"),
    };
    if let FacesCommand::Rebuild { all } = command {
        let queued = service.rebuild_faces(&operator, all).await?;
        let _ = writeln!(
            said,
            "{queued} images wait to be looked at; a running server does it in the background"
        );
    }
    let progress = service.faces_progress(&operator).await?;
    let _ = writeln!(said, "images that wait: {}", progress.waiting);
    let _ = writeln!(said, "images given up: {}", progress.failed);
    let _ = writeln!(said, "libraries that wait to be grouped: {}", progress.grouping);
    Ok(())
}
