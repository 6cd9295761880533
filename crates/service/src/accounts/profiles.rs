//! What users see of each other, of many at once.

use catalog::PageRequest;
use model::{Email, User, UserId};

use super::Profile;
use crate::{Caller, Error, Result, Scope, Service};

/// Users asked for at once.
const AT_ONCE_MAX: usize = 100;
/// Characters of a beginning that is looked for: one would find nearly everybody.
const BEGINNING_CHARS_MIN: usize = 2;
/// Users that are looked at for one beginning. An installation with more finds the rest by their
/// addresses.
const LOOKED_AT_MAX: usize = 5_000;

impl Service {
    /// Users by their ids, without those that are no more.
    ///
    /// # Errors
    /// When there are too many.
    pub async fn find_profiles(&self, caller: &Caller, users: &[UserId]) -> Result<Vec<Profile>> {
        caller.require(Scope::Read)?;
        if users.len() > AT_ONCE_MAX {
            let message = format!("at most {AT_ONCE_MAX} at once, not {}", users.len());
            return Err(Error::invalid("ids", message));
        }
        let found = self.catalog().find_users(users).await?;
        Ok(found.into_iter().filter(is_there).map(Profile::of).collect())
    }

    /// Who has this e-mail address, or a word in their name that begins so.
    ///
    /// # Errors
    /// When the text is too short.
    pub async fn search_profiles(
        &self,
        caller: &Caller,
        text: &str,
        limit: usize,
    ) -> Result<Vec<Profile>> {
        caller.require(Scope::Read)?;
        if let Ok(email) = text.trim().parse::<Email>() {
            let found = self.catalog().find_user_by_email(&email).await?;
            return Ok(found.into_iter().filter(is_there).map(Profile::of).collect());
        }
        let beginning = text.trim().to_lowercase();
        if beginning.chars().count() < BEGINNING_CHARS_MIN {
            let message = format!("at least {BEGINNING_CHARS_MIN} characters, or an address");
            return Err(Error::invalid("q", message));
        }
        self.profiles_named(&beginning, limit).await
    }

    async fn profiles_named(&self, beginning: &str, limit: usize) -> Result<Vec<Profile>> {
        let (mut found, mut looked_at) = (Vec::new(), 0);
        let mut page = PageRequest::first(AT_ONCE_MAX);
        loop {
            let users = self.catalog().list_users(&page).await?;
            looked_at += users.entries.len();
            let named = users.entries.into_iter().filter(|user| is_named(user, beginning));
            found.extend(named.filter(is_there).map(Profile::of));
            page.cursor = users.next;
            if page.cursor.is_none() || found.len() >= limit || looked_at >= LOOKED_AT_MAX {
                found.truncate(limit);
                return Ok(found);
            }
        }
    }

    /// Whether the caller can sign in with a password.
    ///
    /// # Errors
    /// When the table cannot be used.
    pub async fn has_password(&self, caller: &Caller) -> Result<bool> {
        Ok(self.catalog().find_password(caller.user).await?.is_some())
    }
}

fn is_there(user: &User) -> bool {
    user.erasing_since.is_none()
}

fn is_named(user: &User, beginning: &str) -> bool {
    let name = user.name.as_str().to_lowercase();
    // Behind each beginning of a word, so that two words are found as well.
    name.starts_with(beginning)
        || name
            .match_indices(' ')
            .any(|(at, _)| name.get(at + 1..).is_some_and(|rest| rest.starts_with(beginning)))
}

impl Profile {
    fn of(user: User) -> Self {
        let User { id, name, picture, person, .. } = user;
        Self { id, name, picture, person }
    }
}
