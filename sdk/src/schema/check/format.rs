//! The text formats that `#[arg(format = "..")]` knows, as JSON Schema 2020-12 (validation, §7.3)
//! names them.

use std::net::{Ipv4Addr, Ipv6Addr};

/// A format of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// `full-date` of RFC 3339: `2026-02-28`.
    Date,
    /// `date-time` of RFC 3339: `2026-02-28T12:30:00Z`.
    DateTime,
    /// `full-time` of RFC 3339: `12:30:00+01:00`.
    Time,
    /// A mailbox of RFC 5321 whose local part is not quoted.
    Email,
    /// A host name of RFC 1123.
    Hostname,
    /// A dotted IPv4 address.
    Ipv4,
    /// An IPv6 address of RFC 4291.
    Ipv6,
    /// An absolute URI of RFC 3986.
    Uri,
    /// A UUID of RFC 9562 in its usual form.
    Uuid,
}

impl Format {
    /// All of them.
    pub(crate) const ALL: [Self; 9] = [
        Self::Date,
        Self::DateTime,
        Self::Time,
        Self::Email,
        Self::Hostname,
        Self::Ipv4,
        Self::Ipv6,
        Self::Uri,
        Self::Uuid,
    ];

    /// The format's name in JSON Schema.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Date => "date",
            Self::DateTime => "date-time",
            Self::Time => "time",
            Self::Email => "email",
            Self::Hostname => "hostname",
            Self::Ipv4 => "ipv4",
            Self::Ipv6 => "ipv6",
            Self::Uri => "uri",
            Self::Uuid => "uuid",
        }
    }

    /// The fewest and the most characters that a text of the format has, as far as there is an end.
    pub(super) fn lengths(self) -> (u64, Option<u64>) {
        match self {
            Self::Date => (10, Some(10)),
            Self::DateTime => (20, None),
            Self::Time => (9, None),
            Self::Email => (3, None),
            Self::Hostname => (1, Some(253)),
            Self::Ipv4 => (7, Some(15)),
            Self::Ipv6 => (2, Some(45)),
            Self::Uri => (2, None),
            Self::Uuid => (36, Some(36)),
        }
    }

    /// The format of a name in JSON Schema.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// Returns true if a text is of the format.
    pub fn is_valid(self, text: &str) -> bool {
        match self {
            Self::Date => date(text).is_some(),
            Self::DateTime => date_time(text).is_some(),
            Self::Time => time(text).is_some(),
            Self::Email => email(text),
            Self::Hostname => hostname(text),
            Self::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
            Self::Uri => uri(text),
            Self::Uuid => uuid(text),
        }
    }
}

/// Exactly `digits` digits as a number.
fn number(text: &str, digits: usize) -> Option<u32> {
    let plain = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

fn date(text: &str) -> Option<()> {
    let mut fields = text.splitn(3, '-');
    let year = number(fields.next()?, 4)?;
    let month = number(fields.next()?, 2)?;
    let day = number(fields.next()?, 2)?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    (1..=days).contains(&day).then_some(())
}

fn time(text: &str) -> Option<()> {
    let start = text.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = text.split_at(start);
    let (whole, fraction) = match clock.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (clock, None),
    };
    if fraction.is_some_and(|f| f.is_empty() || !f.bytes().all(|b| b.is_ascii_digit())) {
        return None;
    }
    let mut fields = whole.splitn(3, ':');
    let hour = number(fields.next()?, 2)?;
    let minute = number(fields.next()?, 2)?;
    let second = number(fields.next()?, 2)?;
    // Minutes east of UTC.
    let offset = match zone {
        "Z" | "z" => 0,
        _ => {
            let (hours, minutes) = zone[1..].split_once(':')?;
            let (hours, minutes) = (number(hours, 2)?, number(minutes, 2)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let offset = i64::from(hours * 60 + minutes);
            if zone.starts_with('-') {
                -offset
            } else {
                offset
            }
        }
    };
    if hour > 23 || minute > 59 {
        return None;
    }
    // A leap second comes at the end of a UTC day only.
    let utc = (i64::from(hour * 60 + minute) - offset).rem_euclid(24 * 60);
    let most = if utc == 24 * 60 - 1 { 60 } else { 59 };
    (second <= most).then_some(())
}

fn date_time(text: &str) -> Option<()> {
    let (day, clock) = text.split_once(['T', 't'])?;
    date(day).and_then(|()| time(clock))
}

fn email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let atom = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b))
    };
    local.len() <= 64 && local.split('.').all(atom) && hostname(domain)
}

fn hostname(text: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= 253 && text.split('.').all(label)
}

fn uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    let scheme_ok = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    let bytes = rest.as_bytes();
    let rest_ok = bytes.iter().enumerate().all(|(at, byte)| match byte {
        b'%' => bytes
            .get(at + 1..at + 3)
            .is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
        _ => byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=".contains(byte),
    });
    scheme_ok && rest_ok && rest.matches('#').count() <= 1
}

fn uuid(text: &str) -> bool {
    let mut groups = text.split('-');
    let fits = [8, 4, 4, 4, 12].iter().all(|length| {
        groups
            .next()
            .is_some_and(|g| g.len() == *length && g.bytes().all(|b| b.is_ascii_hexdigit()))
    });
    fits && groups.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_takes_what_its_standard_takes() {
        let cases: [(Format, &[&str], &[&str]); 9] = [
            (
                Format::Date,
                &["2026-02-28", "2024-02-29", "2000-02-29"],
                &[
                    "2026-02-29",
                    "1900-02-29",
                    "2026-2-01",
                    "2026-13-01",
                    "26-01-01",
                    "2026-01-01x",
                    "",
                ],
            ),
            (
                Format::Time,
                &[
                    "12:30:00Z",
                    "23:59:60Z",
                    "00:00:00.5+01:00",
                    "00:59:60+01:00",
                    "12:00:00z",
                ],
                &[
                    "12:30:00",
                    "24:00:00Z",
                    "12:30:60Z",
                    "12:30Z",
                    "12:00:00.Z",
                    "12:00:00+1:00",
                    "é2:00:00Z",
                ],
            ),
            (
                Format::DateTime,
                &["2026-02-28T12:30:00Z", "2026-02-28t12:30:00-23:59"],
                &[
                    "2026-02-28 12:30:00Z",
                    "2026-02-28",
                    "T",
                    "2026-02-30T00:00:00Z",
                ],
            ),
            (
                Format::Email,
                &["a.b+c@example.org", "x@localhost"],
                &["a", "@b", "a@", "a..b@c", "a b@c", "a@b@c"],
            ),
            (
                Format::Hostname,
                &["example.org", "a-b.c", "localhost"],
                &["", "-a", "a-", "a..b", "a_b", "é"],
            ),
            (
                Format::Ipv4,
                &["127.0.0.1"],
                &["127.0.0", "256.0.0.1", "::1"],
            ),
            (
                Format::Ipv6,
                &["::1", "fe80::1"],
                &["127.0.0.1", ":::", "fe80::1%eth0"],
            ),
            (
                Format::Uri,
                &[
                    "https://example.org/a?b=c#d",
                    "mailto:a@b",
                    "urn:x:y",
                    "a:%20",
                ],
                &[
                    "example.org",
                    "//a",
                    "1a:b",
                    "a: b",
                    "a:%2",
                    "a:b#c#d",
                    "a:é",
                ],
            ),
            (
                Format::Uuid,
                &["2EB8AA08-aa98-11ea-b4aa-73b441d16380"],
                &[
                    "2eb8aa08aa9811eab4aa73b441d16380",
                    "x",
                    "2eb8aa08-aa98-11ea-b4aa-73b441d16380-1",
                ],
            ),
        ];
        for (format, good, bad) in cases {
            for text in good {
                assert!(format.is_valid(text), "{format:?} {text}");
            }
            for text in bad {
                assert!(!format.is_valid(text), "{format:?} {text}");
            }
        }
    }
}
