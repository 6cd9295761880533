use serde::{Deserialize, Deserializer, Serialize, de};

/// How much its owner likes an image: one to five stars, or rejected (-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Rating(i8);

impl Rating {
    /// All of them, from the worst to the best.
    pub const ALL: [Self; 6] = [Self(-1), Self(1), Self(2), Self(3), Self(4), Self(5)];

    /// The rating of so many stars; 0 stars are no rating.
    pub fn new(stars: i8) -> Option<Self> {
        Self::ALL.into_iter().find(|rating| rating.0 == stars)
    }

    /// The stars, or -1.
    pub fn stars(self) -> i8 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Rating {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stars = i8::deserialize(deserializer)?;
        Self::new(stars).ok_or_else(|| de::Error::custom(format_args!("{stars} is no rating")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_five_stars_and_rejected() {
        let known: Vec<i8> = (-3..8).filter(|stars| Rating::new(*stars).is_some()).collect();
        assert_eq!(known, [-1, 1, 2, 3, 4, 5]);
        assert_eq!(serde_json::to_string(&Rating(4)).unwrap(), "4");
        assert!(serde_json::from_str::<Rating>("0").is_err());
    }
}
