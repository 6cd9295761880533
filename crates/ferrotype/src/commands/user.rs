//! `ferrotype user …`: accounts, straight on the table. Whoever can run this on the server may do
//! everything, also when nobody remembers a password.

use std::io::{self, Read};

use model::{Email, Quota, User, UserId};
use service::{Caller, Error, NewUser, PageRequest, Password, People, Service, UserEdit};

use crate::cli::{PasswordFrom, UserCommand};
use crate::config::Config;
use crate::engines::Engines;
use crate::failure::Failure;
use crate::output::say;
use crate::use_cases;

/// Does what the command line says.
pub async fn user(config: &Config, command: &UserCommand) -> Result<(), Failure> {
    let engines = Engines::open(config)
        .await
        .map_err(|failure| in_use(failure, "manage users over its API"))?;
    let done = match use_cases::open(config, &engines, None, People::default()).await {
        Ok(service) => Users { service, operator: Caller::operator() }.run(command).await,
        Err(failure) => Err(failure),
    };
    engines.table.close().await;
    done
}

/// What to do instead, if a server has the embedded table.
pub(super) fn in_use(failure: Failure, instead: &str) -> Failure {
    match failure {
        Failure::EmbeddedTable(error @ table_embedded::OpenError::Locked { .. }) => {
            Failure::Unsuitable(format!(
                "{error}\nthe embedded table belongs to one process: stop the server first, or \
                 {instead}"
            ))
        }
        other => other,
    }
}

struct Users {
    service: Service,
    operator: Caller,
}

impl Users {
    async fn run(&self, command: &UserCommand) -> Result<(), Failure> {
        match command {
            UserCommand::Add { email, name, role, password } => {
                let name = name.as_deref().unwrap_or(email);
                let new = NewUser { email: parse(email)?, name: parse(name)? };
                let chosen = Chosen::from(password)?;
                let password = chosen.as_ref().map(|chosen| &chosen.password);
                let user = self.service.create_user(&self.operator, &new, *role, password).await?;
                say!("added {} ({}) as {role}", user.email, user.id);
                Chosen::tell(chosen.as_ref());
            }
            UserCommand::List => self.list().await?,
            UserCommand::Show { user } => {
                let user = self.find(user).await?;
                let quota = self.service.find_quota(&self.operator, user.id).await?;
                show(&user, quota);
            }
            UserCommand::Role { user, role } => {
                let user = self.find(user).await?;
                let edit = UserEdit { role: Some(*role), ..UserEdit::default() };
                let user = self.service.edit_user(&self.operator, user.id, None, edit).await?;
                say!("{} is {role} now", user.email);
            }
            UserCommand::Limit { user, images, bytes } => {
                let user = self.find(user).await?;
                let quota = self.service.find_quota(&self.operator, user.id).await?;
                let images = images.unwrap_or(quota.images_max);
                let bytes = bytes.unwrap_or(quota.bytes_max);
                let set = self.service.set_quota(&self.operator, user.id, images, bytes).await?;
                show(&user, set);
            }
            UserCommand::Password { user, password } => {
                let user = self.find(user).await?;
                let Some(chosen) = Chosen::from(password)? else {
                    let message = "--without-password is for `user add`";
                    return Err(Failure::Unsuitable(message.to_owned()));
                };
                let new = &chosen.password;
                self.service.reset_password(&self.operator, user.id, new).await?;
                say!("{} has a new password, and is signed out everywhere", user.email);
                Chosen::tell(Some(&chosen));
            }
            UserCommand::Remove { user, yes } => {
                let user = self.find(user).await?;
                if !yes {
                    return Err(Failure::Unsuitable(format!(
                        "this erases {} ({}) with all images, for good; add --yes if that is meant",
                        user.email, user.id
                    )));
                }
                self.service.erase_user(&self.operator, user.id).await?;
                say!("{} is shut out; a running server erases the rest", user.email);
            }
        }
        Ok(())
    }

    /// A user by id or by address.
    async fn find(&self, text: &str) -> Result<User, Failure> {
        let found = match text.parse::<UserId>() {
            Ok(id) => self.service.find_user(&self.operator, id).await,
            Err(_) => {
                let email: Email = parse(text)?;
                self.service.find_user_by_email(&self.operator, &email).await
            }
        };
        found.map_err(|error| match error {
            Error::NotFound { .. } => Failure::Users(format!("there is no user {text:?}")),
            error => error.into(),
        })
    }

    async fn list(&self) -> Result<(), Failure> {
        let mut page = PageRequest::first(100);
        loop {
            let listed = self.service.list_users(&self.operator, &page).await?;
            for user in listed.entries {
                let erasing = if user.erasing_since.is_some() { " (being erased)" } else { "" };
                say!("{}\t{}\t{}\t{}{erasing}", user.id, user.role, user.email, user.name);
            }
            match listed.next {
                Some(next) => page = PageRequest::after(100, Some(next)),
                None => return Ok(()),
            }
        }
    }
}

fn show(user: &User, quota: Quota) {
    say!("id:      {}", user.id);
    say!("email:   {}", user.email);
    say!("name:    {}", user.name);
    say!("role:    {}", user.role);
    say!("created: {}", user.created_at);
    say!("images:  {} of {} left", quota.images_left, quota.images_max);
    say!("bytes:   {} of {} left", quota.bytes_left, quota.bytes_max);
    if let Some(since) = user.erasing_since {
        say!("being erased since {since}");
    }
}

/// A password that was given, or made up here and told once.
struct Chosen {
    password: Password,
    made_up: Option<String>,
}

impl Chosen {
    fn from(options: &PasswordFrom) -> Result<Option<Self>, Failure> {
        if options.without_password {
            return Ok(None);
        }
        let (text, made_up) = match options.password_stdin {
            true => (first_line()?, None),
            false => {
                let text = format!("{:032x}", rand::random::<u128>());
                (text.clone(), Some(text))
            }
        };
        Ok(Some(Self { password: parse(&text)?, made_up }))
    }

    fn tell(chosen: Option<&Self>) {
        if let Some(text) = chosen.and_then(|chosen| chosen.made_up.as_ref()) {
            say!("password: {text}");
        }
    }
}

fn first_line() -> Result<String, Failure> {
    let mut text = String::new();
    let read = io::stdin().take(1 << 16).read_to_string(&mut text);
    read.map_err(|error| Failure::Unsuitable(format!("cannot read the password: {error}")))?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, Failure> {
    text.parse().map_err(|error| Failure::Unsuitable(format!("{error}")))
}
