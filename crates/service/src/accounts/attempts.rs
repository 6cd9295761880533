//! How often a password may be tried, by all servers together.

use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use catalog::Attempted;
use model::{Email, LinkId, Sha256Hex};

use super::token;
use crate::secret::Purpose;
use crate::{Error, Result, Service};

/// What attempts are counted for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Counted<'a> {
    /// Passwords of one account, whether there is such an account or not.
    Email(&'a Email),
    /// Passwords from one place.
    Address(IpAddr),
    /// New accounts from one place.
    SignUp(IpAddr),
    /// Passwords of one link.
    Link(LinkId),
}

impl Service {
    /// Counts an attempt, or refuses it.
    pub(crate) async fn take_attempt(&self, counted: Counted<'_>) -> Result<()> {
        let limits = self.settings().accounts.attempts;
        let max = match counted {
            Counted::Email(_) | Counted::Link(_) => limits.per_email,
            Counted::Address(_) | Counted::SignUp(_) => limits.per_address,
        };
        let (of, now) = (self.key_of(counted)?, self.now());
        match self.catalog().take_attempt(&of, max, limits.window, now).await? {
            Attempted::Allowed => Ok(()),
            Attempted::Exhausted { until } => {
                let millis = until.as_millis().saturating_sub(now.as_millis());
                let retry_after = Duration::from_millis(u64::try_from(millis).unwrap_or(0));
                Err(Error::TooManyAttempts { retry_after })
            }
        }
    }

    /// An attempt was a good one: only bad ones count.
    pub(crate) async fn forgive_attempt(&self, counted: Counted<'_>) -> Result<()> {
        let of = self.key_of(counted)?;
        match counted {
            Counted::Email(_) => self.catalog().delete_attempts(&of).await?,
            // Guests who know the password must not give those more attempts who do not.
            Counted::Address(_) | Counted::SignUp(_) | Counted::Link(_) => {
                self.catalog().give_back_attempt(&of).await?;
            }
        }
        Ok(())
    }

    /// Not to be turned back into an address by whoever reads the table.
    fn key_of(&self, counted: Counted<'_>) -> Result<Sha256Hex> {
        let (label, text) = match counted {
            Counted::Email(email) => ("email", email.to_string()),
            Counted::Address(address) => ("address", network_of(address).to_string()),
            Counted::SignUp(address) => ("sign-up", network_of(address).to_string()),
            Counted::Link(link) => ("link", link.to_string()),
        };
        token::hex(&self.secret().sign(Purpose::Attempts, &[label.as_bytes(), text.as_bytes()]))
    }
}

/// One customer has all of a /64, and so counts as one.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64))),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_customer_are_one() {
        let network = |text: &str| network_of(text.parse().unwrap()).to_string();
        assert_eq!(network("192.0.2.1"), "192.0.2.1");
        assert_eq!(network("::ffff:192.0.2.1"), "192.0.2.1");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    }
}
