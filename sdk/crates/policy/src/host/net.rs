//! Ranges of addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The addresses that begin with the same bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Net {
    first: IpAddr,
    /// How many bits are the same.
    length: u8,
}

impl Net {
    /// One address.
    pub(super) fn of(address: IpAddr) -> Self {
        Self {
            first: address,
            length: width(address),
        }
    }

    /// A range as it is written: `10.0.0.0` and `8`. An IPv6 address may be in brackets.
    pub(super) fn parse(address: &str, length: &str) -> Result<Self, String> {
        let bare = address
            .strip_prefix('[')
            .and_then(|address| address.strip_suffix(']'))
            .unwrap_or(address);
        let address: IpAddr = bare.parse().map_err(|_| {
            "before `/` stands an address, as in `10.0.0.0/8`; a path is no part of a host"
                .to_owned()
        })?;
        let most = width(address);
        let is_number = length.bytes().all(|c| c.is_ascii_digit());
        let length = length
            .parse()
            .ok()
            .filter(|length| is_number && *length <= most)
            .ok_or_else(|| format!("after `/` stands a number of bits, from 0 to {most}"))?;
        let first = masked(address, length);
        if first == address {
            Ok(Self { first, length })
        } else {
            Err(format!(
                "the address has bits beyond the first {length}; write `{first}/{length}` for the range, or `{address}` for the address"
            ))
        }
    }

    /// The addresses by which a host reaches itself: those of loopback, and the unspecified ones,
    /// to which Linux connects as to these.
    pub(super) fn here() -> [Self; 4] {
        let of = |first: IpAddr, length| Self { first, length };
        [
            of(Ipv4Addr::new(127, 0, 0, 0).into(), 8),
            of(Ipv6Addr::LOCALHOST.into(), 128),
            of(Ipv4Addr::UNSPECIFIED.into(), 32),
            of(Ipv6Addr::UNSPECIFIED.into(), 128),
        ]
    }

    pub(super) fn contains(&self, address: IpAddr) -> bool {
        self.covers(&Self::of(address))
    }

    /// Returns true if the other lies in it.
    pub(super) fn covers(&self, other: &Self) -> bool {
        width(self.first) == width(other.first)
            && self.length <= other.length
            && masked(other.first, self.length) == self.first
    }

    /// Returns true if the two have an address in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.covers(other) || other.covers(self)
    }

    /// Of IPv4 addresses within IPv6 addresses: these.
    pub(super) fn unmapped(&self) -> Option<Self> {
        let IpAddr::V6(first) = self.first else {
            return None;
        };
        let length = self.length.checked_sub(96)?;
        embedded(first).map(|first| Self {
            first: first.into(),
            length,
        })
    }

    pub(super) fn length(&self) -> usize {
        self.length.into()
    }

    pub(super) fn is_one(&self) -> bool {
        self.length == width(self.first)
    }
}

/// The IPv4 address to which packets for an IPv6 address go.
pub(super) fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let by_nat64 = || match address.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => {
            let [.., a, b, c, d] = address.octets();
            Some(Ipv4Addr::new(a, b, c, d))
        }
        _ => None,
    };
    address.to_ipv4_mapped().or_else(by_nat64)
}

fn width(address: IpAddr) -> u8 {
    match address {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

/// The address with all bits but the first off.
fn masked(address: IpAddr, length: u8) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(length)).unwrap_or(0);
            Ipv4Addr::from_bits(address.to_bits() & mask).into()
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(length)).unwrap_or(0);
            Ipv6Addr::from_bits(address.to_bits() & mask).into()
        }
    }
}
