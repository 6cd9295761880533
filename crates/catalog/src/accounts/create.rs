//! New accounts, by whichever way somebody came in.

use model::{ChangeKind, Identity, PasswordHash, Quota, QuotaRule, Role, Sha256Hex, User};
use table::{Action, Condition, Transacted};

use super::administrators::{admit_administrator, count_administrator};
use super::{credentials, identities, invitations, quota_rule, set_up};
use crate::users::{email_row, quota_row, record, user_row};
use crate::{Catalog, Result};

/// How creating a user ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum CreatedUser {
    /// They have an account now.
    Created,
    /// The e-mail address belongs to somebody.
    EmailTaken,
    /// There is a user of this id.
    IdTaken,
    /// The provider's identity belongs to somebody.
    IdentityTaken,
    /// The way in is closed: the invitation was used or has ended, set-up is over.
    EntryClosed,
}

/// What a new account starts with.
#[derive(Clone, Copy, Debug)]
pub struct NewAccount<'a> {
    /// Who.
    pub user: &'a User,
    /// What they may keep.
    pub quota: Quota,
    /// The password they sign in with.
    pub password: Option<&'a PasswordHash>,
    /// Who they are for an identity provider.
    pub identity: Option<&'a Identity>,
    /// What entitles them.
    pub entry: Entry<'a>,
}

/// What entitles somebody to an account; used up with it.
#[derive(Clone, Copy, Debug)]
pub enum Entry<'a> {
    /// The caller has decided.
    Granted,
    /// The set-up token with this hash. What accounts made later may keep is decided with it, if it
    /// is.
    SetUp(&'a Sha256Hex, Option<QuotaRule>),
    /// The invitation with this hash.
    Invitation(&'a Sha256Hex),
}

/// What a refused action means.
type Step = (Action, CreatedUser);

impl Catalog {
    /// Creates a user with a quota, and without any way to sign in yet.
    pub async fn create_user(&self, user: &User, quota: Quota) -> Result<CreatedUser> {
        let entry = Entry::Granted;
        self.create_account(NewAccount { user, quota, password: None, identity: None, entry }).await
    }

    /// Creates a user with everything they start with, and uses up what entitles them, in one
    /// step.
    pub async fn create_account(&self, account: NewAccount<'_>) -> Result<CreatedUser> {
        let steps = steps(&account)?;
        let (actions, outcomes): (Vec<Action>, Vec<CreatedUser>) = steps.into_iter().unzip();
        Ok(match self.table.transact(actions).await? {
            Transacted::Done => CreatedUser::Created,
            Transacted::Refused(refusals) => {
                let first = refusals.first().and_then(|refusal| outcomes.get(refusal.action));
                first.copied().unwrap_or(CreatedUser::IdTaken)
            }
        })
    }
}

/// In the order in which refusals count: whoever may not come in learns nothing else.
fn steps(account: &NewAccount<'_>) -> Result<Vec<Step>> {
    let user = account.user;
    let now = user.created_at;
    let mut steps = Vec::new();
    let is_administrator = user.role == Role::Administrator;
    match account.entry {
        Entry::Granted => {}
        Entry::SetUp(hash, rule) => {
            steps.push((set_up::finish(hash, now), CreatedUser::EntryClosed));
            let put_rule = rule.map(|rule| Action::put(quota_rule::row(rule)));
            steps.extend(put_rule.map(|put| (put, CreatedUser::EntryClosed)));
        }
        Entry::Invitation(hash) => {
            steps.push((invitations::use_up(hash), CreatedUser::EntryClosed));
        }
    }
    let put_user = Action::put(user_row(user)?).when(Condition::Absent);
    steps.push((put_user, CreatedUser::IdTaken));
    let put_email = Action::put(email_row(user)).when(Condition::Absent);
    steps.push((put_email, CreatedUser::EmailTaken));
    if let Some(identity) = account.identity {
        let [put_identity, put_name] = identities::put(identity)?;
        steps.push((put_identity, CreatedUser::IdentityTaken));
        steps.push((put_name, CreatedUser::IdTaken));
    }
    if let Some(password) = account.password {
        steps.push((credentials::put_password(user.id, password)?, CreatedUser::IdTaken));
    }
    let counted = match (is_administrator, account.entry) {
        (false, _) => Vec::new(),
        (true, Entry::SetUp(..)) => vec![count_administrator()],
        (true, _) => admit_administrator(now),
    };
    let mut rest = vec![Action::put(quota_row(user.id, account.quota)?)];
    rest.push(record(user, ChangeKind::Created, now)?);
    rest.extend(counted);
    steps.extend(rest.into_iter().map(|action| (action, CreatedUser::IdTaken)));
    Ok(steps)
}
