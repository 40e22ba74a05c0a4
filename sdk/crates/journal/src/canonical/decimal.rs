//! Decimal numbers as they are written, without rounding.

/// A decimal number: digits without zeros at the ends, and the power of ten of the last one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Reads a number of JSON (RFC 8259 §6). `None` if its exponent is beyond 64 bits.
    pub(super) fn parse(number: &str) -> Option<Self> {
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [whole.trim_start_matches('-'), fraction].concat();
        let digits = all.trim_end_matches('0');
        let dropped = i64::try_from(all.len() - digits.len()).ok()?;
        let shift = dropped.checked_sub_unsigned(u64::try_from(fraction.len()).ok()?)?;
        let digits = digits.trim_start_matches('0');
        let is_zero = digits.is_empty();
        Some(Self {
            negative: number.starts_with('-') && !is_zero,
            digits: digits.to_owned(),
            exponent: if is_zero {
                0
            } else {
                exponent.parse::<i64>().ok()?.checked_add(shift)?
            },
        })
    }

    /// The most digits that a whole number is written with, the zeros at its end included.
    const PLAIN: usize = 64;

    pub(super) fn is_whole(&self) -> bool {
        self.exponent >= 0
    }

    /// Writes the number as JSON: equal numbers have one text, and different ones different texts.
    pub(super) fn to_text(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        let digits = if self.digits.is_empty() {
            "0"
        } else {
            &self.digits
        };
        match usize::try_from(self.exponent) {
            Ok(zeros) if zeros <= Self::PLAIN && digits.len() + zeros <= Self::PLAIN => {
                format!("{sign}{digits}{}", "0".repeat(zeros))
            }
            _ => format!("{sign}{digits}e{}", self.exponent),
        }
    }
}
