use std::fmt;

use crate::Rating;

/// From one rating to another, both included; open where none is given, but not on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RatingRange {
    /// The worst.
    pub from: Option<Rating>,
    /// The best.
    pub to: Option<Rating>,
}

impl RatingRange {
    /// Whether a rating lies in it.
    pub fn contains(&self, rating: Rating) -> bool {
        self.from.is_none_or(|from| from <= rating) && self.to.is_none_or(|to| rating <= to)
    }

    /// The ratings in it.
    pub fn ratings(&self) -> impl Iterator<Item = Rating> {
        Rating::ALL.into_iter().filter(|rating| self.contains(*rating))
    }

    /// Some stars, or two of these with `..` between, of which one may be missing; or compared.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let stars = |text: &str| text.parse().ok().and_then(Rating::new);
        let (from, to) = if let Some(least) = text.strip_prefix(">=") {
            (Some(stars(least)?), None)
        } else if let Some(most) = text.strip_prefix("<=") {
            (None, Some(stars(most)?))
        } else if let Some((from, to)) = text.split_once("..") {
            let bound =
                |text: &str| if text.is_empty() { Some(None) } else { stars(text).map(Some) };
            (bound(from)?, bound(to)?)
        } else {
            let only = stars(text)?;
            (Some(only), Some(only))
        };
        let is_ordered = !matches!((from, to), (Some(from), Some(to)) if from > to);
        (is_ordered && (from, to) != (None, None)).then_some(Self { from, to })
    }
}

impl fmt::Display for RatingRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |rating: Option<Rating>| {
            rating.map(|rating| rating.stars().to_string()).unwrap_or_default()
        };
        match (self.from, self.to) {
            (from, to) if from == to => f.write_str(&text(from)),
            (from, to) => write!(f, "{}..{}", text(from), text(to)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_ranges_are_understood() {
        for (text, shown, stars) in [
            ("5", "5", vec![5]),
            ("-1", "-1", vec![-1]),
            ("4..", "4..", vec![4, 5]),
            (">=4", "4..", vec![4, 5]),
            ("..2", "..2", vec![-1, 1, 2]),
            ("<=1", "..1", vec![-1, 1]),
            ("2..3", "2..3", vec![2, 3]),
        ] {
            let range = RatingRange::parse(text).unwrap();
            assert_eq!(range.to_string(), shown);
            assert_eq!(RatingRange::parse(shown), Some(range));
            let found: Vec<i8> = range.ratings().map(Rating::stars).collect();
            assert_eq!(found, stars, "{text}");
        }
        for bad in ["", "..", "0", "6", "5..4", ">4", "x", "1..2..3", ">=", "0..3"] {
            assert_eq!(RatingRange::parse(bad), None, "{bad}");
        }
    }
}
