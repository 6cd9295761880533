//! What single values mean.

use std::net::SocketAddr;
use std::str::FromStr;
use std::time::Duration;

use model::ByteRule;

/// Parses one kind of value, or says what would have been right.
pub type Parse<T> = fn(&str) -> Result<T, String>;

pub fn listen_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        "an IP address and a port, such as 127.0.0.1:8080, 0.0.0.0:8080 or [::1]:8080".to_owned()
    })
}

pub fn boolean(text: &str) -> Result<bool, String> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("true or false".to_owned()),
    }
}

/// A whole number from 1 on.
pub fn count<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    let count = text.parse().ok().filter(|count| *count >= T::from(1));
    count.ok_or_else(|| "a whole number from 1 on".to_owned())
}

pub fn url(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let plain = |rest: &str| !rest.is_empty() && !rest.contains(|c: char| c.is_whitespace());
    match rest {
        // A password in a URL would end up in messages.
        Some(rest) if plain(rest) && !rest.contains('@') => Ok(text.to_owned()),
        _ => Err("a URL such as http://127.0.0.1:8000, without a user name".to_owned()),
    }
}

pub fn nonempty(text: &str) -> Result<String, String> {
    if text.is_empty() { Err("not empty".to_owned()) } else { Ok(text.to_owned()) }
}

/// A length of time up to a day: a whole number with a unit.
pub fn duration(text: &str) -> Result<Duration, String> {
    const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let parsed = text.split_at_checked(digits).and_then(|(number, unit)| {
        let number: u64 = number.parse().ok()?;
        match unit.trim() {
            "ms" => Some(Duration::from_millis(number)),
            "s" => Some(Duration::from_secs(number)),
            "m" => Some(Duration::from_secs(number.checked_mul(60)?)),
            "h" => Some(Duration::from_secs(number.checked_mul(60 * 60)?)),
            _ => None,
        }
    });
    parsed
        .filter(|duration| *duration <= LONGEST)
        .ok_or_else(|| "a length of time up to 24h, such as 500ms, 30s, 5m or 1h".to_owned())
}

/// A length of time up to ten years, and not zero.
pub fn long_time(text: &str) -> Result<Duration, String> {
    const DAY: u64 = 24 * 60 * 60;
    let days = text.strip_suffix('d').and_then(|days| days.trim().parse::<u64>().ok());
    let parsed = match days {
        Some(days) if (1..=3650).contains(&days) => Some(Duration::from_secs(days * DAY)),
        Some(_) => None,
        None => interval(text).ok(),
    };
    parsed.ok_or_else(|| "a length of time such as 30m, 12h or 30d".to_owned())
}

/// A number of bytes, with or without a unit.
pub fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let parsed = text.split_at_checked(digits).and_then(|(number, unit)| {
        let number: u64 = number.parse().ok()?;
        let unit: u64 = match unit.trim() {
            "" | "B" => 1,
            "KB" => 1 << 10,
            "MB" => 1 << 20,
            "GB" => 1 << 30,
            "TB" => 1 << 40,
            _ => return None,
        };
        number.checked_mul(unit).filter(|bytes| *bytes > 0)
    });
    parsed.ok_or_else(|| "a number of bytes such as 512MB, 20GB or 1000000".to_owned())
}

/// The same, or 0.
pub fn bytes_or_none(text: &str) -> Result<u64, String> {
    if text == "0" { Ok(0) } else { bytes(text) }
}

/// A number of images that somebody may keep; none without a limit.
pub fn image_limit(text: &str) -> Result<Option<i64>, String> {
    if text == "unlimited" {
        return Ok(None);
    }
    let images = text.parse().ok().filter(|images| *images >= 0);
    images.map(Some).ok_or_else(|| "a number of images such as 5000, or unlimited".to_owned())
}

/// Bytes that somebody may keep.
pub fn byte_limit(text: &str) -> Result<ByteRule, String> {
    let rule = match text {
        "unlimited" => Some(ByteRule::Unlimited),
        "0" => Some(ByteRule::Bytes(0)),
        text if text.ends_with('%') => text.parse().ok(),
        text => bytes(text).ok().and_then(|bytes| i64::try_from(bytes).ok()).map(ByteRule::Bytes),
    };
    rule.ok_or_else(|| {
        "a number of bytes such as 20GB, a share such as 10%, or unlimited".to_owned()
    })
}

/// A length of time that is not zero.
pub fn interval(text: &str) -> Result<Duration, String> {
    duration(text).and_then(|duration| {
        if duration.is_zero() { Err("longer than zero".to_owned()) } else { Ok(duration) }
    })
}

/// Directives for the log: a level, or several for parts of the program.
pub fn log_filter(text: &str) -> Result<String, String> {
    const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
    // A bare word that is no level would silently be taken for the name of a part.
    let sensible = |part: &str| {
        let level = part.rsplit_once('=').map_or(part, |(_, level)| level);
        LEVELS.contains(&level.trim())
    };
    let parses = tracing_subscriber::EnvFilter::builder().parse(text).is_ok();
    if parses && text.split(',').all(sensible) {
        return Ok(text.to_owned());
    }
    Err("off, error, warn, info, debug, trace, or a list such as info,table_dynamodb=debug"
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_have_a_unit() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("0s"), Ok(Duration::ZERO));
        assert_eq!(duration("5 m"), Ok(Duration::from_secs(300)));
        assert_eq!(duration("24h"), Ok(Duration::from_secs(86_400)));
        for wrong in ["", "5", "s", "-1s", "1.5s", "25h", "99999999999999999999s", "5 minutes"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        assert!(interval("0ms").is_err());
    }

    #[test]
    fn long_times_may_be_days_and_bytes_have_units() {
        assert_eq!(long_time("30d"), Ok(Duration::from_secs(30 * 86_400)));
        assert_eq!(long_time("12h"), Ok(Duration::from_secs(12 * 3600)));
        assert_eq!(bytes("20GB"), Ok(20 << 30));
        assert_eq!(bytes("1000"), Ok(1000));
        for wrong in ["", "d", "0d", "9999d", "0s", "-1d"] {
            assert!(long_time(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "MB", "0", "1.5GB", "9999999999TB", "5 apples"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        assert!(count::<u64>("0").is_err() && count::<u64>("many").is_err());
        assert_eq!(count("7"), Ok(7_u64));
    }

    #[test]
    fn limits_are_numbers_shares_of_the_disk_or_none() {
        assert_eq!(image_limit("0"), Ok(Some(0)));
        assert_eq!(image_limit("unlimited"), Ok(None));
        assert_eq!(byte_limit("unlimited"), Ok(ByteRule::Unlimited));
        assert_eq!(byte_limit("20GB"), Ok(ByteRule::Bytes(20 << 30)));
        assert_eq!(byte_limit("10%"), Ok(ByteRule::DiskPercent(10)));
        for wrong in ["", "-1", "none", "0%", "101%", "10 %%", "9999999TB9"] {
            assert!(image_limit(wrong).is_err() && byte_limit(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn addresses_need_an_ip_and_a_port() {
        assert!(listen_address("[::]:0").is_ok());
        for wrong in ["8080", "localhost:80", "127.0.0.1", "127.0.0.1:65536", ""] {
            assert!(listen_address(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn urls_have_a_scheme_and_no_password() {
        assert!(url("https://s3.example.org").is_ok());
        for wrong in ["s3.example.org", "ftp://a", "http://", "http://me:secret@host", "http://a b"]
        {
            assert!(url(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn log_levels_are_levels() {
        for right in ["info", "off", "warn,api=debug", "table_dynamodb=trace"] {
            assert!(log_filter(right).is_ok(), "{right}");
        }
        for wrong in ["", "verbose", "info,", "api=loud", "info,api"] {
            assert!(log_filter(wrong).is_err(), "{wrong}");
        }
    }
}
