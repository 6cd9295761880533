//! Seeds of random tests: printed always, repeatable by `FERROTYPE_SEED`.

/// The environment variable that repeats a run.
pub const SEED_VARIABLE: &str = "FERROTYPE_SEED";

/// The seed in `FERROTYPE_SEED`, or a random one; prints it with the name of the test, so that a
/// failure can be repeated.
pub fn seed_from_env_or_random(name: &str) -> u64 {
    let seed = match std::env::var(SEED_VARIABLE) {
        Ok(text) => parse_seed(&text),
        Err(_) => rand::random(),
    };
    println!("{name}: repeat with {SEED_VARIABLE}={seed}");
    seed
}

fn parse_seed(text: &str) -> u64 {
    text.trim()
        .parse()
        .unwrap_or_else(|_| panic!("{SEED_VARIABLE} is {text:?}; it must be a whole number"))
}

#[cfg(test)]
mod tests {
    use super::parse_seed;

    #[test]
    fn a_printed_seed_can_be_read_back() {
        assert_eq!(parse_seed(&u64::MAX.to_string()), u64::MAX);
    }

    #[test]
    #[should_panic(expected = "it must be a whole number")]
    fn a_seed_that_is_no_number_is_refused() {
        parse_seed("x");
    }
}
