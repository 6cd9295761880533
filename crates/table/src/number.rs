use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::{Error, Limit, Result};

/// A number every engine stores and orders alike: a 64-bit integer or a finite float.
///
/// DynamoDB keeps decimals of 38 digits; integers and the shortest decimal form of a float
/// both fit, so a number reads back as exactly the number that was written. A float with an
/// integral value that fits is kept as an integer, so equal numbers are equal values.
#[derive(Clone, Copy, Debug)]
pub struct Number(Repr);

#[derive(Clone, Copy, Debug)]
enum Repr {
    Int(i64),
    /// Finite, and not an integer that fits into `i64`.
    Float(f64),
}

/// 2^63 as a float: the first integral float that no longer fits into `i64`.
const INT_END: f64 = 9_223_372_036_854_775_808.0;
/// DynamoDB's smallest and largest magnitudes.
const MAGNITUDE_MIN: f64 = 1e-130;
const MAGNITUDE_MAX: f64 = 9.99e125;

impl Number {
    /// A float as a number.
    ///
    /// # Errors
    /// [`Limit::NumberMagnitude`] if it is not finite or outside DynamoDB's range.
    pub fn from_f64(float: f64) -> Result<Self> {
        if float.fract() == 0.0 && (-INT_END..INT_END).contains(&float) {
            // Exact: integral and in range, both just checked.
            #[allow(clippy::cast_possible_truncation)]
            return Ok(Self(Repr::Int(float as i64)));
        }
        if !(MAGNITUDE_MIN..=MAGNITUDE_MAX).contains(&float.abs()) {
            return Err(Error::limit(Limit::NumberMagnitude, format_args!("the number {float:e}")));
        }
        Ok(Self(Repr::Float(float)))
    }

    /// The integer, if this is one.
    pub fn as_i64(self) -> Option<i64> {
        match self.0 {
            Repr::Int(int) => Some(int),
            Repr::Float(_) => None,
        }
    }

    /// The nearest float.
    pub fn as_f64(self) -> f64 {
        match self.0 {
            #[allow(clippy::cast_precision_loss)]
            Repr::Int(int) => int as f64,
            Repr::Float(float) => float,
        }
    }

    /// Bytes this number counts for in an item, by DynamoDB's rule: one byte for two
    /// significant digits, one more, and one for a minus sign.
    pub fn size_bytes(self) -> usize {
        let (significant, is_negative) = match self.0 {
            Repr::Int(int) => (significant_digits(int.unsigned_abs()), int < 0),
            Repr::Float(float) => {
                let text = format!("{float:e}");
                let mantissa = text.split('e').next().unwrap_or_default();
                let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
                (digits.trim_matches('0').len(), float < 0.0)
            }
        };
        significant.div_ceil(2) + 1 + usize::from(is_negative)
    }
}

/// Digits without the zeros at the end. Every write counts its numbers, so this allocates
/// nothing.
fn significant_digits(mut int: u64) -> usize {
    if int == 0 {
        return 0;
    }
    while int.is_multiple_of(10) {
        int /= 10;
    }
    int.ilog10() as usize + 1
}

impl From<i64> for Number {
    fn from(int: i64) -> Self {
        Self(Repr::Int(int))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.0, other.0) {
            (Repr::Int(a), Repr::Int(b)) => a.cmp(&b),
            // Never NaN, so the total order is the usual one.
            (Repr::Float(a), Repr::Float(b)) => a.total_cmp(&b),
            (Repr::Int(a), Repr::Float(b)) => int_to_float(a, b),
            (Repr::Float(a), Repr::Int(b)) => int_to_float(b, a).reverse(),
        }
    }
}

/// Compares without rounding the integer to a float. The float is never equal to an
/// integer, because such floats are stored as integers.
fn int_to_float(int: i64, float: f64) -> Ordering {
    if float >= INT_END {
        Ordering::Less
    } else if float < -INT_END {
        Ordering::Greater
    } else {
        #[allow(clippy::cast_possible_truncation)]
        let floor = float.floor() as i64;
        if int <= floor { Ordering::Less } else { Ordering::Greater }
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0 {
            Repr::Int(int) => int.hash(state),
            Repr::Float(float) => float.to_bits().hash(state),
        }
    }
}

/// The decimal form that DynamoDB takes and that parses back to the same number.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::Int(int) => write!(f, "{int}"),
            Repr::Float(float) => write!(f, "{float:e}"),
        }
    }
}

impl FromStr for Number {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if let Ok(int) = text.parse::<i64>() {
            return Ok(int.into());
        }
        let float: f64 =
            text.parse().map_err(|_| Error::invalid(format_args!("{text:?} is not a number")))?;
        Self::from_f64(float)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(value: f64) -> Number {
        Number::from_f64(value).unwrap()
    }

    #[test]
    fn integral_floats_are_integers() {
        assert_eq!(float(3.0), Number::from(3));
        assert_eq!(float(-0.0), Number::from(0));
        assert_eq!(float(-INT_END).as_i64(), Some(i64::MIN));
        assert_eq!(float(INT_END).as_i64(), None);
    }

    #[test]
    fn order_is_exact_across_integers_and_floats() {
        let ascending = [
            float(-1e125),
            Number::from(i64::MIN),
            float(-1.5),
            Number::from(-1),
            float(-0.5),
            Number::from(0),
            float(1e-130),
            float(0.5),
            Number::from(1),
            float(9.5),
            Number::from(10),
            Number::from((1 << 53) + 1),
            Number::from(i64::MAX),
            float(INT_END),
            float(1e125),
        ];
        assert!(ascending.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn text_form_reads_back_exactly() {
        for number in [Number::from(i64::MIN), Number::from(0), float(0.1), float(1.0 / 3.0)] {
            assert_eq!(number.to_string().parse::<Number>().unwrap(), number);
        }
        assert_eq!("1E+2".parse::<Number>().unwrap(), Number::from(100));
    }

    #[test]
    fn out_of_range_is_refused_by_name() {
        for bad in [f64::NAN, f64::INFINITY, 1e126, 1e-131] {
            assert!(matches!(
                Number::from_f64(bad),
                Err(Error::Limit { limit: Limit::NumberMagnitude, .. })
            ));
        }
        assert!("ten".parse::<Number>().is_err());
    }

    #[test]
    fn size_follows_significant_digits() {
        assert_eq!(Number::from(0).size_bytes(), 1);
        assert_eq!(Number::from(7).size_bytes(), 2);
        assert_eq!(Number::from(-7).size_bytes(), 3);
        assert_eq!(Number::from(1_000_000).size_bytes(), 2);
        assert_eq!(Number::from(12345).size_bytes(), 4);
    }
}
