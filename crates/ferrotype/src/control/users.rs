//! Accounts, by whoever can run commands on the server itself. They may do everything, also when
//! nobody remembers a password.

use std::fmt::Write;

use model::{ByteRule, Email, Quota, User, UserId};
use service::{
    Caller, DefaultQuota, Error, NewUser, PageRequest, Password, QuotaSource, Service, UserEdit,
};

use super::order::UserOrder;
use crate::cli::Maximum;
use crate::failure::Failure;

pub(super) struct Users<'a> {
    service: &'a Service,
    operator: Caller,
}

impl<'a> Users<'a> {
    pub(super) fn of(service: &'a Service) -> Self {
        Self { service, operator: Caller::operator() }
    }

    /// Does it, and writes what is to be printed; that never fails.
    pub(super) async fn run(&self, order: UserOrder, said: &mut String) -> Result<(), Failure> {
        match order {
            UserOrder::Add { email, name, role, password } => {
                let new = NewUser { email: parse(&email)?, name: parse(&name)? };
                let password = password.as_deref().map(parse::<Password>).transpose()?;
                let made = self.service.create_user(&self.operator, &new, role, password.as_ref());
                let user = made.await?;
                let _ = writeln!(said, "added {} ({}) as {role}", user.email, user.id);
            }
            UserOrder::List => self.list(said).await?,
            UserOrder::Show { user } => {
                let user = self.find(&user).await?;
                let quota = self.service.find_quota(&self.operator, user.id).await?;
                show(&user, quota, said);
            }
            UserOrder::Role { user, role } => {
                let user = self.find(&user).await?;
                let edit = UserEdit { role: Some(role), ..UserEdit::default() };
                let user = self.service.edit_user(&self.operator, user.id, None, edit).await?;
                let _ = writeln!(said, "{} is {role} now", user.email);
            }
            UserOrder::Limit { user, images, bytes } => {
                let user = self.find(&user).await?;
                let quota = self.service.find_quota(&self.operator, user.id).await?;
                let images = images.map_or(quota.images_max, Maximum::number);
                let bytes = bytes.map_or(quota.bytes_max, Maximum::number);
                let set = self.service.set_quota(&self.operator, user.id, images, bytes).await?;
                show(&user, set, said);
            }
            UserOrder::DefaultLimit { images, bytes } => {
                self.default_limit(images, bytes, said).await?;
            }
            UserOrder::Password { user, password } => {
                let user = self.find(&user).await?;
                let password: Password = parse(&password)?;
                self.service.reset_password(&self.operator, user.id, &password).await?;
                let email = user.email;
                let _ = writeln!(said, "{email} has a new password, and is signed out everywhere");
            }
            UserOrder::Remove { user, yes } => {
                let user = self.find(&user).await?;
                if !yes {
                    return Err(Failure::Unsuitable(format!(
                        "this erases {} ({}) with all images, for good; add --yes if that is meant",
                        user.email, user.id
                    )));
                }
                self.service.erase_user(&self.operator, user.id).await?;
                let email = user.email;
                let _ = writeln!(said, "{email} is shut out; a running server erases the rest");
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

    async fn list(&self, said: &mut String) -> Result<(), Failure> {
        let mut page = PageRequest::first(100);
        loop {
            let listed = self.service.list_users(&self.operator, &page).await?;
            for user in listed.entries {
                let erasing = if user.erasing_since.is_some() { " (being erased)" } else { "" };
                let User { id, role, email, name, .. } = user;
                let _ = writeln!(said, "{id}\t{role}\t{email}\t{name}{erasing}");
            }
            match listed.next {
                Some(next) => page = PageRequest::after(100, Some(next)),
                None => return Ok(()),
            }
        }
    }

    async fn default_limit(
        &self,
        images: Option<Maximum>,
        bytes: Option<String>,
        said: &mut String,
    ) -> Result<(), Failure> {
        let mut found = self.service.default_quota(&self.operator).await?;
        if images.is_some() || bytes.is_some() {
            let mut rule = found.rule;
            rule.images = images.map_or(rule.images, Maximum::limit);
            if let Some(bytes) = bytes {
                rule.bytes = parse(&bytes)?;
            }
            found = self.service.set_default_quota(&self.operator, rule).await?;
        }
        show_default(found, said);
        Ok(())
    }
}

fn show(user: &User, quota: Quota, said: &mut String) {
    let left = |limit: Option<i64>, left: i64, used: i64| match limit {
        Some(max) => format!("{left} of {max} left"),
        None => format!("{used} in use, no limit"),
    };
    let _ = writeln!(said, "id:      {}", user.id);
    let _ = writeln!(said, "email:   {}", user.email);
    let _ = writeln!(said, "name:    {}", user.name);
    let _ = writeln!(said, "role:    {}", user.role);
    let _ = writeln!(said, "created: {}", user.created_at);
    let images = left(quota.images_limit(), quota.images_left, quota.images_used());
    let _ = writeln!(said, "images:  {images}");
    let bytes = left(quota.bytes_limit(), quota.bytes_left, quota.bytes_used());
    let _ = writeln!(said, "bytes:   {bytes}");
    if let Some(since) = user.erasing_since {
        let _ = writeln!(said, "being erased since {since}");
    }
}

fn show_default(found: DefaultQuota, said: &mut String) {
    let DefaultQuota { rule, source, disk_bytes } = found;
    let images = rule.images.map_or("no limit".to_owned(), |images| images.to_string());
    let bytes = match (rule.bytes, rule.quota(disk_bytes).bytes_limit()) {
        (ByteRule::DiskPercent(percent), Some(bytes)) => {
            format!("{percent}% of the disk, {bytes} now")
        }
        (_, Some(bytes)) => bytes.to_string(),
        (_, None) => "no limit".to_owned(),
    };
    let by = match source {
        QuotaSource::Configuration => "the configuration: quota.images and quota.bytes",
        QuotaSource::Administrator => "an administrator",
        QuotaSource::BuiltIn => "nobody, so it is as usual",
    };
    let _ = writeln!(said, "images:  {images}");
    let _ = writeln!(said, "bytes:   {bytes}");
    let _ = writeln!(said, "decided by {by}");
}

fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, Failure> {
    text.parse().map_err(|error| Failure::Unsuitable(format!("{error}")))
}
