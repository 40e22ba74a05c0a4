//! Decimal numbers as they are written, without rounding.

/// A decimal number: digits without zeros at the ends, and the power of ten of the last one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// A number in JSON's syntax (RFC 8259 §6).
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
                is_digits(digits).then_some(())?;
                (mantissa, exponent.parse::<i64>().ok()?)
            }
            None => (rest, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) => (whole, is_digits(fraction).then_some(fraction)?),
            None => (mantissa, ""),
        };
        if !is_digits(whole) || (whole.len() > 1 && whole.starts_with('0')) {
            return None;
        }
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0').trim_end_matches('0');
        if digits.is_empty() {
            return Some(Self {
                negative: false,
                digits: String::new(),
                exponent: 0,
            });
        }
        let dropped = all.len() - all.trim_end_matches('0').len();
        let exponent = exponent
            .checked_sub(i64::try_from(fraction.len()).ok()?)?
            .checked_add(i64::try_from(dropped).ok()?)?;
        Some(Self {
            negative,
            digits: digits.to_owned(),
            exponent,
        })
    }

    /// The most digits that a whole number is written with, the zeros at its end included.
    const PLAIN: i64 = 64;

    pub(super) fn is_whole(&self) -> bool {
        self.digits.is_empty() || self.exponent >= 0
    }

    /// The number as JSON: equal numbers have one text, and different ones different texts.
    pub(super) fn to_text(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        let (digits, exponent) = (self.digits.as_str(), self.exponent);
        if digits.is_empty() {
            return "0".to_owned();
        }
        let length = i64::try_from(digits.len()).unwrap_or(i64::MAX);
        match usize::try_from(exponent) {
            Ok(zeros) if length.saturating_add(exponent) <= Self::PLAIN => {
                format!("{sign}{digits}{}", "0".repeat(zeros))
            }
            _ => format!("{sign}{digits}e{exponent}"),
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
