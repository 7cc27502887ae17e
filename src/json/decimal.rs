//! A number's exact value in a normal form: equal numbers have equal forms, whatever their size and spelling.

use std::cmp::Ordering;
use std::fmt;

/// An exact decimal number of any size: `±digits × 10^exponent`, the digits without outer zeros.
///
/// Made for equality, order and sets: `1500`, `1500.0` and `15e2` are one value, `1e1000000000` is never expanded.
/// Arithmetic is elsewhere (the expressions' evaluator), where running out of range is an outcome of its own.
///
/// ```
/// use dryguard::json::Decimal;
///
/// assert_eq!(Decimal::from_json("1250.50"), Decimal::from_json("125050e-2"));
/// assert_ne!(Decimal::from_json("9007199254740993"), Decimal::from_json("9007199254740992"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Decimal {
    negative: bool,
    coefficient: Coefficient,
    exponent: i64,
}

/// The digits as a number; `Large` only for what doesn't fit into `Small`, so that equal digits have one form.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Coefficient {
    Small(u64),
    Large(Box<str>),
}

impl Default for Coefficient {
    fn default() -> Self {
        Coefficient::Small(0)
    }
}

impl Decimal {
    /// The value of a JSON number's spelling; nothing when it's none (leading zeros and a bare point are accepted).
    pub fn from_json(text: &str) -> Option<Decimal> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (rest.get(..at)?, exponent(rest.get(at + 1..)?)?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() && fraction.is_empty() || !(whole.bytes().chain(fraction.bytes())).all(|b| b.is_ascii_digit()) {
            return None;
        }
        Some(Decimal::from_digits(negative, whole.bytes(), fraction.bytes(), exponent))
    }

    /// `±whole.fraction × 10^exponent` from ASCII digits; other bytes (separators of thousands) are passed over.
    pub fn from_digits(
        negative: bool,
        whole: impl Iterator<Item = u8> + Clone,
        fraction: impl Iterator<Item = u8> + Clone,
        exponent: i64,
    ) -> Decimal {
        let whole = whole.filter(u8::is_ascii_digit);
        let fraction = fraction.filter(u8::is_ascii_digit);
        let places = i64::try_from(fraction.clone().count()).unwrap_or(i64::MAX);
        let digits = whole.chain(fraction);
        let mut small: Option<u64> = Some(0);
        for digit in digits.clone() {
            small = small.and_then(|n| n.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
        }
        let exponent = exponent.saturating_sub(places);
        match small {
            Some(n) => Decimal::small(negative, n, exponent),
            None => {
                let text: String = digits.map(char::from).collect();
                Decimal::large(negative, &text, exponent)
            }
        }
    }

    fn small(negative: bool, mut n: u64, mut exponent: i64) -> Decimal {
        if n == 0 {
            return Decimal::default();
        }
        while n.is_multiple_of(10) {
            n /= 10;
            exponent = exponent.saturating_add(1);
        }
        Decimal { negative, coefficient: Coefficient::Small(n), exponent }
    }

    fn large(negative: bool, digits: &str, exponent: i64) -> Decimal {
        let digits = digits.trim_start_matches('0');
        let core = digits.trim_end_matches('0');
        let dropped = i64::try_from(digits.len() - core.len()).unwrap_or(i64::MAX);
        match core.parse::<u64>() {
            Ok(n) => Decimal::small(negative, n, exponent.saturating_add(dropped)),
            Err(_) => Decimal {
                negative,
                coefficient: Coefficient::Large(core.into()),
                exponent: exponent.saturating_add(dropped),
            },
        }
    }

    /// Whether it's zero.
    pub fn is_zero(&self) -> bool {
        self.coefficient == Coefficient::Small(0)
    }

    /// Whether it's below zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether it has no fraction.
    pub fn is_whole(&self) -> bool {
        self.exponent >= 0
    }

    /// The significant digits, without outer zeros (`0` for zero).
    pub fn digits(&self) -> String {
        match &self.coefficient {
            Coefficient::Small(n) => n.to_string(),
            Coefficient::Large(digits) => digits.to_string(),
        }
    }

    /// The power of ten that the digits are multiplied by.
    pub fn exponent(&self) -> i64 {
        self.exponent
    }

    /// The value as an integer of 64 bits, if it is one.
    pub fn to_i64(&self) -> Option<i64> {
        let Coefficient::Small(n) = self.coefficient else { return None };
        let power = 10_i128.checked_pow(u32::try_from(self.exponent).ok()?)?;
        let magnitude = i128::from(n).checked_mul(power)?;
        i64::try_from(if self.negative { -magnitude } else { magnitude }).ok()
    }

    /// The power of ten of the leading digit; meaningless for zero.
    fn magnitude(&self) -> i64 {
        let length = match &self.coefficient {
            Coefficient::Small(n) => n.checked_ilog10().map_or(0, i64::from),
            Coefficient::Large(digits) => i64::try_from(digits.len()).unwrap_or(i64::MAX) - 1,
        };
        self.exponent.saturating_add(length)
    }

    fn cmp_magnitude(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => return Ordering::Equal,
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {}
        }
        // With the same leading power, digits compare as texts: the shorter one is followed by zeros.
        self.magnitude().cmp(&other.magnitude()).then_with(|| self.digits().cmp(&other.digits()))
    }
}

fn exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // Beyond 18 digits the size no longer matters: such numbers are equal to nothing that is written out.
    let size = digits.trim_start_matches('0');
    let size = if size.len() > 18 { i64::MAX / 4 } else { size.parse().unwrap_or(0) };
    Some(if text.starts_with('-') { -size } else { size })
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.cmp_magnitude(other),
            (true, true) => other.cmp_magnitude(self),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The canonical spelling: written out from 10⁻⁶ and below 10²¹ as ECMAScript (and so RFC 8785) does, with an exponent
/// outside; unlike there, no digit is ever rounded away, and integers of up to 40 digits are written out too.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negative {
            f.write_str("-")?;
        }
        let digits = self.digits();
        let magnitude = self.magnitude();
        let written_out = if self.is_whole() { magnitude < 40 } else { magnitude >= -6 };
        if self.is_whole() && (magnitude < 21 || written_out && digits.len() > 17) {
            let zeros = usize::try_from(self.exponent).unwrap_or(0);
            return write!(f, "{digits}{}", "0".repeat(zeros));
        }
        if !self.is_whole() && written_out {
            let places = usize::try_from(-self.exponent).unwrap_or(0);
            return match digits.len().checked_sub(places) {
                Some(whole) if whole > 0 => {
                    let (whole, fraction) = digits.split_at(whole);
                    write!(f, "{whole}.{fraction}")
                }
                _ => write!(f, "0.{}{digits}", "0".repeat(places - digits.len())),
            };
        }
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        let sign = if magnitude < 0 { "-" } else { "+" };
        write!(f, "{first}{point}{rest}e{sign}{}", magnitude.unsigned_abs())
    }
}

impl From<i64> for Decimal {
    fn from(n: i64) -> Self {
        Decimal::small(n < 0, n.unsigned_abs(), 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(text: &str) -> Decimal {
        Decimal::from_json(text).unwrap()
    }

    #[test]
    fn spellings_of_one_number_are_equal() {
        for (a, b) in [
            ("1500", "1500.0"),
            ("1500", "15e2"),
            ("1250.50", "125050e-2"),
            ("0", "-0.000"),
            ("1e22", "10000000000000000000000"),
            ("100000000000000000000000", "1e23"),
            ("12345678901234567890123.0", "12345678901234567890123"),
        ] {
            assert_eq!(number(a), number(b), "{a} {b}");
        }
        assert_ne!(number("9007199254740993"), number("9007199254740992"));
        assert_ne!(number("1"), number("-1"));
    }

    #[test]
    fn texts_that_are_no_numbers_are_none() {
        for bad in ["", "-", ".", "1e", "e5", "1x", "1e5.0", "+1", "1 000"] {
            assert_eq!(Decimal::from_json(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn the_canonical_spelling_rounds_nothing() {
        for (text, canonical) in [
            ("1500.0", "1500"),
            ("-0", "0"),
            ("0.10", "0.1"),
            ("1e-7", "1e-7"),
            ("1.5e-6", "0.0000015"),
            ("0.000001", "0.000001"),
            ("123e18", "123000000000000000000"),
            ("1e21", "1e+21"),
            ("1.25e30", "1.25e+30"),
            ("9007199254740993", "9007199254740993"),
            ("12345678901234567890123", "12345678901234567890123"),
            ("-12.75", "-12.75"),
        ] {
            let decimal = number(text);
            assert_eq!(decimal.to_string(), canonical);
            assert_eq!(number(&decimal.to_string()), decimal, "{text}");
        }
    }

    #[test]
    fn huge_exponents_cost_nothing() {
        assert!(number("1e1000000000") > number("9e999999999"));
        assert_eq!(number("1e99999999999999999999"), number("1e999999999999999999999"));
        assert_eq!(number("1e1000000000").to_i64(), None);
    }

    #[test]
    fn order_is_by_value() {
        let sorted = ["-1e3", "-2", "-1.5", "0", "0.001", "1", "1.05", "1.5", "10", "12345678901234567890123"];
        for pair in sorted.windows(2) {
            assert!(number(pair[0]) < number(pair[1]), "{pair:?}");
        }
    }

    proptest! {
        #[test]
        fn integers_agree_with_the_machine(a in any::<i64>(), b in any::<i64>()) {
            let (x, y) = (number(&a.to_string()), number(&b.to_string()));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x.to_i64(), Some(a));
            prop_assert_eq!(x, Decimal::from(a));
        }

        #[test]
        fn shifting_the_point_changes_nothing(digits in "[0-9]{1,40}", shift in 0usize..20) {
            let plain = number(&digits);
            let at = digits.len().saturating_sub(shift);
            let (whole, fraction) = digits.split_at(at);
            prop_assert_eq!(number(&format!("{whole}.{fraction}e{}", digits.len() - at)), plain);
        }

        #[test]
        fn the_canonical_spelling_reads_back(text in "-?[0-9]{1,30}(\\.[0-9]{1,30})?(e-?[0-9]{1,3})?") {
            let decimal = number(&text);
            prop_assert_eq!(number(&decimal.to_string()), decimal);
        }
    }
}
