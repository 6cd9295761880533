//! What a face looks like, in 128 small numbers.

/// The direction in which a face lies, near to that of other pictures of the same person.
///
/// The numbers are bytes, so that how similar two are is exact arithmetic and comes out the same
/// on every machine, in any order of computing. Never compare vectors of different models: see
/// [`crate::Faces::model`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vector([i8; Vector::LENGTH]);

/// How similar two faces are: the cosine between their vectors as an exact number, which
/// [`Similarity::cosine`] turns into the usual −1 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Similarity(pub i32);

impl Vector {
    /// How many numbers there are, and bytes.
    pub const LENGTH: usize = 128;
    /// What the length of the model's vector becomes: the largest number is at most this.
    const UNIT: f32 = 127.0;

    /// Of what a model has said, whatever its length; `None` if it has none or is no number.
    #[must_use]
    pub fn quantised(embedding: &[f32; Self::LENGTH]) -> Option<Self> {
        let length = embedding.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
        if !length.is_finite() || length < 1e-12 {
            return None;
        }
        let scale = f64::from(Self::UNIT) / length;
        Some(Self(embedding.map(|x| (f64::from(x) * scale).round() as i8)))
    }

    /// From the bytes that [`Vector::to_bytes`] gave.
    #[must_use]
    pub fn from_bytes(bytes: [u8; Self::LENGTH]) -> Self {
        Self(bytes.map(u8::cast_signed))
    }

    /// As bytes to store.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::LENGTH] {
        self.0.map(i8::cast_unsigned)
    }

    /// How similar two faces are.
    #[must_use]
    pub fn similarity(&self, other: &Self) -> Similarity {
        Similarity(dot(&self.0, &other.0))
    }

    pub(crate) fn numbers(&self) -> &[i8; Self::LENGTH] {
        &self.0
    }
}

impl std::fmt::Debug for Vector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Vector({} …)",
            self.0.iter().take(4).map(|x| format!("{x} ")).collect::<String>()
        )
    }
}

impl Similarity {
    /// What a face has with itself, but for rounding.
    const ONE: f32 = Vector::UNIT * Vector::UNIT;

    /// From the usual scale.
    #[must_use]
    pub const fn of_cosine(cosine: f32) -> Self {
        Self((cosine * Self::ONE) as i32)
    }

    /// On the usual scale: 1 is the same, 0 is unrelated.
    #[must_use]
    pub fn cosine(self) -> f32 {
        (self.0 as f32 / Self::ONE).clamp(-1.0, 1.0)
    }
}

/// Sum of products. Written so that compilers make vector instructions of it; 128 products of bytes
/// are far from any overflow.
#[inline(always)]
pub(crate) fn dot(a: &[i8; Vector::LENGTH], b: &[i8; Vector::LENGTH]) -> i32 {
    a.iter().zip(b).fold(0, |sum: i32, (a, b)| {
        sum.wrapping_add(i32::from(i16::from(*a)).wrapping_mul(i32::from(i16::from(*b))))
    })
}
