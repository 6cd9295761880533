//! A benchmark as a test.

use crate::Outcome;

/// Runs the one test there is, unless the arguments of the test run name other tests only.
pub fn run(name: &str, arguments: &[String], test: fn() -> Outcome) -> Outcome {
    let filters: Vec<_> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    if arguments.iter().any(|argument| argument == "--list") {
        println!("{name}: test");
        return Ok(());
    }
    if !filters.is_empty() && !filters.iter().any(|filter| name.contains(filter.as_str())) {
        return Ok(());
    }
    test()?;
    println!("test {name} ... ok");
    Ok(())
}
