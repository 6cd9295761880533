//! What all rounds together have shown.

use std::collections::BTreeMap;

use crate::contender::Contender;
use crate::measure::{Round, Scenario};
use crate::photos::Kind;
use crate::shared::spread::Spread;

/// Everything that was measured.
#[derive(Debug, Default)]
pub struct Results {
    rounds: BTreeMap<(Scenario, Contender), Vec<Round>>,
    /// By kind of photo, contender and name of the rendition; one for each photo.
    scores: BTreeMap<(Kind, Contender, String), Vec<f64>>,
    /// Lengths of those renditions.
    lengths: BTreeMap<(Kind, Contender, String), Vec<u64>>,
    pub versions: BTreeMap<Contender, String>,
}

/// A rendition that was looked at.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    pub score: f64,
    pub bytes: u64,
}

impl Results {
    pub fn add_round(&mut self, scenario: Scenario, contender: Contender, round: Round) {
        self.rounds.entry((scenario, contender)).or_default().push(round);
    }

    pub fn add_rendition(&mut self, kind: Kind, contender: Contender, size: &str, made: Judged) {
        let key = (kind, contender, size.to_owned());
        self.scores.entry(key.clone()).or_default().push(made.score);
        self.lengths.entry(key).or_default().push(made.bytes);
    }

    /// Bytes of a rendition, the mean over all photos.
    pub fn mean_bytes(&self, kind: Kind, contender: Contender, size: &str) -> Option<u64> {
        let lengths = self.lengths.get(&(kind, contender, size.to_owned()))?;
        Some(lengths.iter().sum::<u64>() / lengths.len().max(1) as u64)
    }

    pub fn spread(
        &self,
        scenario: Scenario,
        contender: Contender,
        value: fn(&Round) -> f64,
    ) -> Option<Spread<f64>> {
        Spread::of(self.rounds.get(&(scenario, contender))?.iter().map(value))
    }

    pub fn median(
        &self,
        scenario: Scenario,
        contender: Contender,
        value: fn(&Round) -> f64,
    ) -> Option<f64> {
        self.spread(scenario, contender, value).map(|spread| spread.median)
    }

    /// Ferrotype's median as a part of another's.
    pub fn ratio(
        &self,
        scenario: Scenario,
        other: Contender,
        value: fn(&Round) -> f64,
    ) -> Option<f64> {
        let ours = self.median(scenario, Contender::Ferrotype, value)?;
        Some(ours / self.median(scenario, other, value)?)
    }

    /// Ferrotype's score less another's: the mean over all photos, and its standard error.
    pub fn difference(&self, kind: Kind, other: Contender, size: &str) -> Option<(f64, f64)> {
        let scores = |contender| self.scores.get(&(kind, contender, size.to_owned()));
        let pairs = scores(Contender::Ferrotype)?.iter().zip(scores(other)?);
        let differences: Vec<f64> = pairs.map(|(ours, theirs)| ours - theirs).collect();
        let count = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / count;
        let squares: f64 = differences.iter().map(|one| (one - mean) * (one - mean)).sum();
        Some((mean, (squares / (count - 1.0).max(1.0) / count).sqrt()))
    }

    /// The mean over all photos.
    pub fn score(&self, kind: Kind, contender: Contender, size: &str) -> Option<f64> {
        let scores = self.scores.get(&(kind, contender, size.to_owned()))?;
        Some(scores.iter().sum::<f64>() / scores.len() as f64)
    }
}
