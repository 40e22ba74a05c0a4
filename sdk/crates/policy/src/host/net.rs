//! Ranges of addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// The addresses by which a host reaches itself: those of loopback, and the unspecified ones,
/// to which Linux connects as to these.
const HERE: [IpNet; 4] = [
    IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::new(127, 0, 0, 0), 8)),
    IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128)),
    IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::UNSPECIFIED, 32)),
    IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::UNSPECIFIED, 128)),
];

/// Reads a range as it is written: `10.0.0.0` and `8`. An IPv6 address may be in brackets.
pub(super) fn parse(address: &str, length: &str) -> Result<IpNet, String> {
    let bare = address
        .strip_prefix('[')
        .and_then(|address| address.strip_suffix(']'))
        .unwrap_or(address);
    let address: IpAddr = bare.parse().map_err(|_| {
        "before `/` stands an address, as in `10.0.0.0/8`; a path is no part of a host".to_owned()
    })?;
    let digits = Some(length).filter(|length| length.bytes().all(|c| c.is_ascii_digit()));
    let net = digits
        .and_then(|length| IpNet::new(address, length.parse().ok()?).ok())
        .ok_or_else(|| {
            let most = IpNet::from(address).prefix_len();
            format!("after `/` stands a number of bits, from 0 to {most}")
        })?;
    if net.trunc() == net {
        return Ok(net);
    }
    Err(format!(
        "the address has bits beyond the first {length}; write `{first}` for the range, or `{address}` for the address",
        length = net.prefix_len(),
        first = net.trunc(),
    ))
}

/// Returns true if a host reaches itself by some address of a range.
pub(super) fn meets_here(net: IpNet) -> bool {
    HERE.iter()
        .any(|here| here.contains(&net) || net.contains(here))
}

/// Returns the IPv4 addresses that a range of IPv6 addresses stands for.
pub(super) fn unmapped(net: IpNet) -> Option<IpNet> {
    let IpNet::V6(net) = net else {
        return None;
    };
    let length = net.prefix_len().checked_sub(96)?;
    IpNet::new(embedded(net.addr())?.into(), length).ok()
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
