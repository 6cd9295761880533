/// How much one search looks at. What is found in the end is the same with any limits; they decide
/// by which way, and with how many requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// A condition that no more images meet than this is known with one look, and all of them are
    /// looked at. It is tried with more and more, so that what is rare costs little beside what is
    /// frequent.
    pub closed: [usize; 5],
    /// Words with one beginning that are gone through together.
    pub words: usize,
    /// Albums or persons named by one word that are gone through together.
    pub named: usize,
    /// What a request may cost before it hands out what it has found, with a cursor to go on. A
    /// unit is about ten microseconds on the embedded engine.
    pub units: usize,
    /// Steps that are made whatever they cost, so that every request gets on.
    pub steps: usize,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self { closed: [64, 128, 256, 512, 1024], words: 64, named: 100, units: 2500, steps: 32 }
    }
}
