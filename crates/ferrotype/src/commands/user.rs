//! `ferrotype user …`: what was typed, with the passwords that belong to it.

use std::io::{self, Read};

use service::{Password, People};

use super::beside::beside;
use crate::cli::{Maximum, PasswordFrom, UserCommand};
use crate::config::Config;
use crate::control::{Order, UserOrder};
use crate::failure::Failure;
use crate::output::say;

/// Does what the command line says, by the running server where that has the table.
pub async fn user(config: &Config, command: &UserCommand) -> Result<(), Failure> {
    let (order, made_up) = order(command)?;
    beside(config, Order::User(order), async || Ok(People::default())).await?;
    if let Some(password) = made_up {
        say!("password: {password}");
    }
    Ok(())
}

/// What is to be done, and the password that was made up for it.
fn order(command: &UserCommand) -> Result<(UserOrder, Option<String>), Failure> {
    Ok(match command {
        UserCommand::Add { email, name, role, password } => {
            let name = name.as_ref().unwrap_or(email).clone();
            let chosen = Chosen::from(password)?;
            let (password, made_up) =
                chosen.map_or((None, None), |chosen| (Some(chosen.password), chosen.made_up));
            (UserOrder::Add { email: email.clone(), name, role: *role, password }, made_up)
        }
        UserCommand::List => (UserOrder::List, None),
        UserCommand::Show { user } => (UserOrder::Show { user: user.clone() }, None),
        UserCommand::Role { user, role } => {
            (UserOrder::Role { user: user.clone(), role: *role }, None)
        }
        UserCommand::Limit { user, images, bytes, unlimited } => {
            let all = unlimited.then_some(Maximum::Unlimited);
            let user = user.clone();
            (UserOrder::Limit { user, images: all.or(*images), bytes: all.or(*bytes) }, None)
        }
        UserCommand::DefaultLimit { images, bytes, unlimited } => {
            let all = unlimited.then_some(Maximum::Unlimited);
            let bytes = bytes.as_ref().map(ToString::to_string);
            let bytes = unlimited.then(|| "unlimited".to_owned()).or(bytes);
            (UserOrder::DefaultLimit { images: all.or(*images), bytes }, None)
        }
        UserCommand::Password { user, password } => {
            let Some(Chosen { password, made_up }) = Chosen::from(password)? else {
                let message = "--without-password is for `user add`";
                return Err(Failure::Unsuitable(message.to_owned()));
            };
            (UserOrder::Password { user: user.clone(), password }, made_up)
        }
        UserCommand::Remove { user, yes } => {
            (UserOrder::Remove { user: user.clone(), yes: *yes }, None)
        }
    })
}

/// A password that was given, or made up here and told once.
struct Chosen {
    password: String,
    made_up: Option<String>,
}

impl Chosen {
    fn from(options: &PasswordFrom) -> Result<Option<Self>, Failure> {
        if options.without_password {
            return Ok(None);
        }
        if !options.password_stdin {
            let password = format!("{:032x}", rand::random::<u128>());
            return Ok(Some(Self { made_up: Some(password.clone()), password }));
        }
        let password = first_line()?;
        // Said here, where it was typed, and not after a way through a server.
        let checked: Result<Password, _> = password.parse();
        checked.map_err(|error| Failure::Unsuitable(format!("{error}")))?;
        Ok(Some(Self { password, made_up: None }))
    }
}

fn first_line() -> Result<String, Failure> {
    let mut text = String::new();
    let read = io::stdin().take(1 << 16).read_to_string(&mut text);
    read.map_err(|error| Failure::Unsuitable(format!("cannot read the password: {error}")))?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}
