//! Exact numbers and their arithmetic: nothing is ever rounded; what can't be exact is a failure that says so.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use super::error::Failure;
use crate::json::{self, Decimal};

/// How many decimal places a small number may have; with them two of any size still align within 128 bits.
const MAX_PLACES: u8 = 18;

/// An exact decimal number.
///
/// Comparing works for numbers of any size. Arithmetic works within 38 significant digits and fails beyond, it never
/// rounds: `0.1 + 0.2 == 0.3`, and `1 / 3` has no value.
#[derive(Debug, Clone)]
pub struct Exact(Form);

/// Most recorded numbers are small and cost no allocation.
#[derive(Debug, Clone)]
enum Form {
    /// `coefficient × 10^-places`, trailing zeros allowed.
    Small { coefficient: i64, places: u8 },
    /// Anything that isn't small.
    Large(Arc<Decimal>),
}

impl Exact {
    /// The number of a JSON spelling; nothing when it's none.
    pub fn from_spelling(text: &str) -> Option<Exact> {
        small(text).or_else(|| Decimal::from_json(text).map(|decimal| Exact::from_decimal(&decimal)))
    }

    pub(super) fn from_json(number: &json::Number<'_>) -> Exact {
        small(number.as_str()).unwrap_or_else(|| Exact::from_decimal(&number.exact()))
    }

    fn from_decimal(decimal: &Decimal) -> Exact {
        let small = match (decimal.to_i64(), i32::try_from(decimal.exponent())) {
            (Some(whole), _) => Some((whole, 0)),
            (None, Ok(exponent @ -18..0)) => {
                let sign = if decimal.is_negative() { "-" } else { "" };
                let coefficient = format!("{sign}{}", decimal.digits()).parse::<i64>().ok();
                coefficient.zip(u8::try_from(-exponent).ok())
            }
            _ => None,
        };
        Exact(match small {
            Some((coefficient, places)) => Form::Small { coefficient, places },
            None => Form::Large(Arc::new(decimal.clone())),
        })
    }

    /// The number in the form that compares at any size.
    pub fn to_decimal(&self) -> Decimal {
        match &self.0 {
            Form::Small { coefficient, places: 0 } => Decimal::from(*coefficient),
            Form::Small { coefficient, places } => {
                Decimal::from_json(&format!("{coefficient}e-{places}")).unwrap_or_default()
            }
            Form::Large(decimal) => decimal.as_ref().clone(),
        }
    }

    /// The whole number of 64 bits that this is, if it is one (`3.0` is).
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Form::Small { coefficient, places: 0 } => Some(*coefficient),
            Form::Small { coefficient, places } => {
                let power = 10_i64.checked_pow(u32::from(*places))?;
                (coefficient % power == 0).then_some(coefficient / power)
            }
            Form::Large(decimal) => decimal.to_i64(),
        }
    }

    /// Coefficient and power of ten, where the coefficient fits.
    fn wide(&self) -> Result<(i128, i64), Failure> {
        match &self.0 {
            Form::Small { coefficient, places } => Ok((i128::from(*coefficient), -i64::from(*places))),
            Form::Large(decimal) => {
                let magnitude: i128 = decimal.digits().parse().map_err(|_| Failure::Overflow)?;
                Ok((if decimal.is_negative() { -magnitude } else { magnitude }, decimal.exponent()))
            }
        }
    }

    fn from_wide(coefficient: i128, exponent: i64) -> Exact {
        if let Ok(coefficient) = i64::try_from(coefficient)
            && let Some(places) = exponent.checked_neg().and_then(|n| u8::try_from(n).ok())
            && places <= MAX_PLACES
        {
            return Exact(Form::Small { coefficient, places });
        }
        Exact::from_decimal(&Decimal::from_json(&format!("{coefficient}e{exponent}")).unwrap_or_default())
    }

    pub(super) fn add(&self, other: &Exact) -> Result<Exact, Failure> {
        if let (Form::Small { coefficient: a, places: p }, Form::Small { coefficient: b, places: q }) = (&self.0, &other.0)
            && p == q
            && let Some(coefficient) = a.checked_add(*b)
        {
            return Ok(Exact(Form::Small { coefficient, places: *p }));
        }
        let (a, b, exponent) = aligned(self.wide()?, other.wide()?)?;
        Ok(Exact::from_wide(a.checked_add(b).ok_or(Failure::Overflow)?, exponent))
    }

    pub(super) fn subtract(&self, other: &Exact) -> Result<Exact, Failure> {
        self.add(&other.negate())
    }

    pub(super) fn multiply(&self, other: &Exact) -> Result<Exact, Failure> {
        let ((a, p), (b, q)) = (self.wide()?, other.wide()?);
        let product = a.checked_mul(b).ok_or(Failure::Overflow)?;
        Ok(Exact::from_wide(product, p.checked_add(q).ok_or(Failure::Overflow)?))
    }

    /// The exact quotient (`5 / 2` is `2.5`); a failure where decimals can't write it (`1 / 3`).
    pub(super) fn divide(&self, other: &Exact) -> Result<Exact, Failure> {
        let ((a, p), (b, q)) = (self.wide()?, other.wide()?);
        if b == 0 {
            return Err(Failure::DivisionByZero);
        }
        let common = gcd(a.unsigned_abs(), b.unsigned_abs());
        let common = i128::try_from(common).map_err(|_| Failure::Overflow)?;
        let (mut numerator, denominator) = (a / common, b / common);
        let mut rest = denominator.unsigned_abs();
        for factor in [2, 5] {
            while rest.is_multiple_of(factor) {
                rest /= factor;
            }
        }
        if rest != 1 {
            return Err(Failure::Inexact);
        }
        let mut exponent = p.checked_sub(q).ok_or(Failure::Overflow)?;
        while numerator % denominator != 0 {
            numerator = numerator.checked_mul(10).ok_or(Failure::Overflow)?;
            exponent -= 1;
        }
        Ok(Exact::from_wide(numerator / denominator, exponent))
    }

    /// The rest of the division of whole numbers, with the sign of the first.
    pub(super) fn remainder(&self, other: &Exact) -> Result<Exact, Failure> {
        let (a, b) = (self.whole()?, other.whole()?);
        if b == 0 {
            return Err(Failure::DivisionByZero);
        }
        Ok(Exact::from_wide(a.checked_rem(b).unwrap_or(0), 0))
    }

    fn whole(&self) -> Result<i128, Failure> {
        let (coefficient, exponent) = self.wide()?;
        if exponent >= 0 {
            return power(exponent).and_then(|ten| coefficient.checked_mul(ten)).ok_or(Failure::Overflow);
        }
        match power(-exponent) {
            Some(ten) if coefficient % ten == 0 => Ok(coefficient / ten),
            None if coefficient == 0 => Ok(0),
            _ => Err(Failure::NotWhole),
        }
    }

    pub(super) fn negate(&self) -> Exact {
        match &self.0 {
            Form::Small { coefficient, places } => match coefficient.checked_neg() {
                Some(coefficient) => Exact(Form::Small { coefficient, places: *places }),
                None => Exact::from_wide(-i128::from(*coefficient), -i64::from(*places)),
            },
            Form::Large(decimal) => {
                let spelling = decimal.to_string();
                let negated = spelling.strip_prefix('-').map_or_else(|| format!("-{spelling}"), str::to_owned);
                Exact::from_decimal(&Decimal::from_json(&negated).unwrap_or_default())
            }
        }
    }

    /// What working with it costs, in bytes of text: nothing for the usual numbers, several times its digits for others.
    #[inline]
    pub(super) fn weight(&self) -> usize {
        match &self.0 {
            Form::Small { .. } => 0,
            Form::Large(decimal) => decimal.digits().len().saturating_mul(8),
        }
    }

    pub(super) fn is_negative(&self) -> bool {
        match &self.0 {
            Form::Small { coefficient, .. } => *coefficient < 0,
            Form::Large(decimal) => decimal.is_negative(),
        }
    }

    /// Without its fraction, towards zero.
    pub(super) fn truncate(&self) -> Result<Exact, Failure> {
        let (coefficient, exponent) = match &self.0 {
            Form::Large(decimal) if decimal.is_whole() => return Ok(self.clone()),
            _ => self.wide()?,
        };
        if exponent >= 0 {
            return Ok(self.clone());
        }
        Ok(Exact::from_wide(power(-exponent).map_or(0, |ten| coefficient / ten), 0))
    }
}

/// The usual case, read in one pass: digits with at most one point.
fn small(text: &str) -> Option<Exact> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let mut coefficient: i64 = 0;
    let mut places: u8 = 0;
    let mut fraction = false;
    let mut any = false;
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' => {
                any = true;
                coefficient = coefficient.checked_mul(10)?.checked_add(i64::from(byte - b'0'))?;
                places = places.checked_add(u8::from(fraction))?;
            }
            b'.' if !fraction => fraction = true,
            _ => return None,
        }
    }
    if !any || places > MAX_PLACES {
        return None;
    }
    Some(Exact(Form::Small { coefficient: if negative { -coefficient } else { coefficient }, places }))
}

fn power(exponent: i64) -> Option<i128> {
    10_i128.checked_pow(u32::try_from(exponent).ok()?)
}

/// Both coefficients over the same power of ten.
fn aligned((a, p): (i128, i64), (b, q): (i128, i64)) -> Result<(i128, i128, i64), Failure> {
    if a == 0 || b == 0 {
        // Zero has no size, so `1e30 + 0` is no matter of alignment.
        return Ok((a, b, if a == 0 { q } else { p }));
    }
    let exponent = p.min(q);
    let lift = |n: i128, from: i64| -> Option<i128> { n.checked_mul(power(from.checked_sub(exponent)?)?) };
    lift(a, p).zip(lift(b, q)).map(|(a, b)| (a, b, exponent)).ok_or(Failure::Overflow)
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        let (Form::Small { coefficient: a, places: p }, Form::Small { coefficient: b, places: q }) = (&self.0, &other.0)
        else {
            return self.to_decimal().cmp(&other.to_decimal());
        };
        if p == q {
            return a.cmp(b);
        }
        let places = i64::from(*p.max(q));
        // INVARIANT: 19 digits and at most 18 places fit into 128 bits.
        let lift = |n: i64, by: u8| i128::from(n) * power(places - i64::from(by)).unwrap_or(1);
        lift(*a, *p).cmp(&lift(*b, *q))
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Exact {}

impl From<i64> for Exact {
    fn from(n: i64) -> Self {
        Exact(Form::Small { coefficient: n, places: 0 })
    }
}

impl From<usize> for Exact {
    fn from(n: usize) -> Self {
        i64::try_from(n).unwrap_or(i64::MAX).into()
    }
}

/// The canonical spelling, which is JSON.
impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Small { coefficient, places: 0 } => write!(f, "{coefficient}"),
            _ => write!(f, "{}", self.to_decimal()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn n(text: &str) -> Exact {
        Exact::from_spelling(text).unwrap()
    }

    #[test]
    fn arithmetic_is_exact() {
        for (result, expected) in [
            (n("0.1").add(&n("0.2")), "0.3"),
            (n("9007199254740993").add(&n("0.5")), "9007199254740993.5"),
            (n("9223372036854775807").add(&n("1")), "9223372036854775808"),
            (n("-9223372036854775808").subtract(&n("1")), "-9223372036854775809"),
            (n("1e30").add(&n("1")), "1000000000000000000000000000001"),
            (n("1e400").add(&n("0")), "1e+400"),
            (n("19.99").multiply(&n("3")), "59.97"),
            (n("1e200").multiply(&n("1e-200")), "1"),
            (n("5").divide(&n("2")), "2.5"),
            (n("6").divide(&n("3")), "2"),
            (n("1").divide(&n("0.004")), "250"),
            (n("-7").remainder(&n("3")), "-1"),
            (n("7.0").remainder(&n("2")), "1"),
            (n("-3.7").truncate(), "-3"),
            (n("1e400").truncate(), "1e+400"),
        ] {
            assert_eq!(result.unwrap().to_string(), expected);
        }
    }

    #[test]
    fn what_cannot_be_exact_fails() {
        assert!(matches!(n("1").divide(&n("3")), Err(Failure::Inexact)));
        assert!(matches!(n("1").divide(&n("0.0")), Err(Failure::DivisionByZero)));
        assert!(matches!(n("1").remainder(&n("0")), Err(Failure::DivisionByZero)));
        assert!(matches!(n("1.5").remainder(&n("1")), Err(Failure::NotWhole)));
        assert!(matches!(n("1e400").add(&n("1")), Err(Failure::Overflow)));
        assert!(matches!(n(&"9".repeat(38)).multiply(&n(&"9".repeat(38))), Err(Failure::Overflow)));
        assert!(n("1e1000000000").multiply(&n("7e1000000000")).is_ok());
    }

    #[test]
    fn numbers_of_any_size_compare() {
        let rising = ["-1e999", "-1.50", "-1.05", "0.000000000000000000001", "1", "1.000000000000000001", "12", "1e999"];
        for pair in rising.windows(2) {
            assert!(n(pair[0]) < n(pair[1]), "{pair:?}");
        }
        assert_eq!(n("1500"), n("1.5e3"));
        assert_eq!(n("2.50"), n("2.5"));
        assert_ne!(n("9007199254740993"), n("9007199254740992"));
    }

    proptest! {
        #[test]
        fn agrees_with_128_bit_integers(a in -1_000_000_000_000_i64..1_000_000_000_000, b in any::<i64>()) {
            let (x, y) = (n(&a.to_string()), n(&b.to_string()));
            let (a, b) = (i128::from(a), i128::from(b));
            prop_assert_eq!(x.add(&y).unwrap(), n(&(a + b).to_string()));
            prop_assert_eq!(x.subtract(&y).unwrap(), n(&(a - b).to_string()));
            prop_assert_eq!(x.multiply(&y).unwrap(), n(&(a * b).to_string()));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            if b != 0 {
                prop_assert_eq!(x.remainder(&y).unwrap(), n(&(a % b).to_string()));
                if let Ok(quotient) = x.divide(&y) {
                    prop_assert_eq!(quotient.multiply(&y).unwrap(), x);
                }
            }
        }

        #[test]
        fn never_panics(a in "-?[0-9]{1,45}(\\.[0-9]{1,30})?(e-?[0-9]{1,12})?", b in "-?[0-9]{1,20}(\\.[0-9]{1,20})?(e-?[0-9]{1,3})?") {
            let (x, y) = (n(&a), n(&b));
            prop_assert_eq!(x.cmp(&y), x.to_decimal().cmp(&y.to_decimal()));
            let results = [x.add(&y), x.subtract(&y), x.multiply(&y), x.divide(&y), x.remainder(&y), x.truncate()];
            for number in results.into_iter().flatten() {
                prop_assert_eq!(n(&number.to_string()), number);
            }
            let _ = x.negate();
        }
    }
}
