//! Ranks of an order by hand: fractions in hexadecimal digits, compared as text, so that there is
//! always one between two others and nobody else has to move.

use model::Timestamp;

/// Digits that count whole steps; what follows them lies between two steps.
const STEP_DIGITS: usize = 13;
/// A longer rank would come near the longest key there may be.
const DIGITS_MAX: usize = 800;

/// The rank of something added now, as the `index`th of several: behind all that was added before.
pub(super) fn added(now: Timestamp, index: usize) -> String {
    let millis = u64::try_from(now.as_millis()).unwrap_or(0);
    format!("8{millis:012x}{index:04x}{}", random())
}

/// `count` ranks between two others, in order. `None` on a side is the end of the order; `None`
/// as an answer means that there is no room.
pub(super) fn between(low: Option<&str>, high: Option<&str>, count: usize) -> Option<Vec<String>> {
    let ranks = match (low, high) {
        (Some(low), Some(high)) => {
            let mut ranks = Vec::with_capacity(count);
            fill(&digits(low)?, &digits(high)?, count, &mut ranks)?;
            ranks
        }
        (None, Some(high)) => {
            let first = step_of(high)?.checked_sub(u64::try_from(count).ok()?)?;
            (first..).take(count).map(on_step).collect()
        }
        (low, None) => {
            let last = low.map_or(Some(1 << 51), step_of)?;
            (last + 1..).take(count).map(on_step).collect()
        }
    };
    ranks.iter().all(|rank| rank.len() <= DIGITS_MAX).then_some(ranks)
}

fn step_of(rank: &str) -> Option<u64> {
    let digits: String = rank.chars().chain(std::iter::repeat('0')).take(STEP_DIGITS).collect();
    u64::from_str_radix(&digits, 16).ok()
}

fn on_step(step: u64) -> String {
    format!("{step:013x}{}", random())
}

/// So that two who put something into the same place at once do not choose the same rank.
fn random() -> String {
    format!("{:08x}", rand::random::<u32>())
}

fn digits(rank: &str) -> Option<Vec<u8>> {
    rank.chars().map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect()
}

/// Halves the gap as often as needed, so that all ranks stay as short as can be.
fn fill(low: &[u8], high: &[u8], count: usize, ranks: &mut Vec<String>) -> Option<()> {
    if count == 0 {
        return Some(());
    }
    let middle = middle(low, high)?;
    let before = count / 2;
    fill(low, &middle, before, ranks)?;
    let text = middle.iter().filter_map(|digit| char::from_digit(u32::from(*digit), 16));
    ranks.push(text.collect());
    fill(&middle, high, count - before - 1, ranks)
}

/// Digits of a fraction between two others; `None` if these are equal.
fn middle(low: &[u8], high: &[u8]) -> Option<Vec<u8>> {
    let mut found = Vec::new();
    let mut is_below = false;
    for at in 0..=low.len().max(high.len()) + 1 {
        let from = low.get(at).copied().unwrap_or(0);
        let to = if is_below { 16 } else { high.get(at).copied().unwrap_or(0) };
        if to >= from + 2 {
            found.push(from + (to - from) / 2);
            return Some(found);
        }
        if to < from {
            return None;
        }
        is_below |= to == from + 1;
        found.push(from);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_comes_last() {
        let at = Timestamp::from_millis;
        assert!(added(at(1), 0) < added(at(1), 1));
        assert!(added(at(1), 99) < added(at(2), 0));
        assert!(added(at(253_402_207_200_999), 0).len() < 30);
    }

    #[test]
    fn there_is_always_one_between_two_others() {
        let (mut low, mut high) = ("8aaa".to_owned(), "8aab".to_owned());
        for n in 0..1000 {
            let rank = between(Some(&low), Some(&high), 1).unwrap().remove(0);
            assert!(low < rank && rank < high, "{low} {rank} {high}");
            if n % 3 == 0 { low = rank } else { high = rank }
        }
        assert!(low.len() < 300, "{}", low.len());
    }

    #[test]
    fn many_at_once_keep_their_order_and_stay_short() {
        for (low, high) in [(Some("8a"), Some("8b")), (None, Some("8a")), (Some("8b"), None)] {
            let ranks = between(low, high, 100).unwrap();
            assert!(ranks.is_sorted() && ranks.len() == 100);
            assert!(low.is_none_or(|low| low < ranks[0].as_str()));
            assert!(high.is_none_or(|high| ranks[99].as_str() < high));
            assert!(ranks.iter().all(|rank| rank.len() < 25));
        }
    }

    #[test]
    fn the_ends_never_run_out_of_room() {
        let mut first = added(Timestamp::from_millis(1_790_000_000_000), 0);
        for _ in 0..10_000 {
            let before = between(None, Some(&first), 1).unwrap().remove(0);
            assert!(before < first && before.len() <= first.len());
            first = before;
        }
    }

    #[test]
    fn there_is_none_between_equal_ones() {
        assert_eq!(between(Some("8a"), Some("8a"), 1), None);
        assert_eq!(between(Some("8a"), Some("8a0"), 1), None);
        assert_eq!(between(Some("8b"), Some("8a"), 1), None);
    }
}
