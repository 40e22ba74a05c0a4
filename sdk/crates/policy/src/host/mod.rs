//! Patterns of hosts.

mod net;

use std::net::IpAddr;

use ipnet::IpNet;

use super::matching::{Closeness, Match, PatternError, Side};
use toolwright::permission::Host;

/// The hosts that a rule is about.
///
/// | pattern | speaks of |
/// |---|---|
/// | `example.com` | that host, and none below it |
/// | `*.example.com` | all below it, and not itself |
/// | `bücher.example` | the same as `xn--bcher-kva.example` |
/// | `10.0.0.0/8`, `fd00::/8` | these addresses |
/// | `127.0.0.1`, `::1`, `[::1]` | this address |
/// | `*` | every host |
/// | `example.com:443`, `[::1]:80`, `*:22`, `10.0.0.0/8:80` | at that port |
///
/// Patterns of names judge names, and patterns of addresses judge addresses: a name may lead to any
/// address, and nobody looks it up here. So a rule that denies `10.0.0.0/8` keeps no name from
/// leading there, unless the tool asks for the address too.
///
/// A rule that asks or denies takes for one what leads to one place: `localhost`, names below it and
/// every address of this host (`127.0.0.0/8`, `::1`, `0.0.0.0`, `::`), and an IPv4 address within an
/// IPv6 address (`::ffff:0:0/96` of RFC 4291, `64:ff9b::/96` of RFC 6052). Where it names a port and
/// the request does not, it asks.
#[derive(Debug, Clone)]
pub(super) struct HostPattern {
    text: String,
    hosts: Hosts,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Hosts {
    Any,
    One(String),
    /// All below a name.
    Below(String),
    Net(IpNet),
}

impl HostPattern {
    /// A pattern of a rule.
    pub(super) fn new(text: &str) -> Result<Self, PatternError> {
        let (host, port) = split_port(text);
        let wrong = |why: &str| PatternError::new(format!("`{text}` is not a host: {why}"));
        if text.contains("://") {
            return Err(wrong(
                "a host is the part of a URL between `//` and the next `/`, without a user",
            ));
        }
        let is_number = |port: &str| port.bytes().all(|c| c.is_ascii_digit());
        let port = match port.map(|port| port.parse().ok().filter(|_| is_number(port))) {
            None => None,
            Some(Some(port)) if port > 0 => Some(port),
            Some(_) => return Err(wrong("after `:` stands a port, a number from 1 to 65535")),
        };
        let hosts = if host == "*" {
            Hosts::Any
        } else if let Some((address, length)) = host.split_once('/') {
            Hosts::Net(net::parse(address, length).map_err(|why| wrong(&why))?)
        } else {
            let (name, is_below) = match host.strip_prefix("*.") {
                Some(name) => (name, true),
                None => (host, false),
            };
            if name.contains('*') {
                return Err(wrong(
                    "`*` stands for all hosts, or with a dot at the beginning for all below a name, as in `*.example.com`",
                ));
            }
            match parse(name).map_err(wrong)? {
                Host::Name(name) if is_below => Hosts::Below(name),
                Host::Name(name) => Hosts::One(name),
                Host::Address(_) if is_below => {
                    return Err(wrong(
                        "there is nothing below an address; a range of them is written `10.0.0.0/8`",
                    ));
                }
                Host::Address(address) => Hosts::Net(address.into()),
            }
        };
        Ok(Self {
            text: text.to_owned(),
            hosts,
            port,
        })
    }

    /// Compares it with the target of a request: a host, or a host and a port.
    pub(super) fn matches(&self, side: Side, target: &str) -> Match {
        let (host, port) = split_port(target);
        let (Ok(host), Ok(port)) = (Host::parse(host), port.map(str::parse::<u16>).transpose())
        else {
            // A request made by hand may say anything.
            return self.unknown(side);
        };
        let found = self.matches_read(side, target, &host, port);
        if found == Match::No && side == Side::Restrict && self.may_mean_a_port(target) {
            return Match::Maybe;
        }
        found
    }

    /// Returns true if it speaks of a target that was put together without brackets, if what looks like the
    /// end of an IPv6 address (`::1:80`) is a port.
    fn may_mean_a_port(&self, target: &str) -> bool {
        let Some((host, port)) = target.rsplit_once(':') else {
            return false;
        };
        match (host.parse().map(IpAddr::V6), port.parse()) {
            (Ok(host), Ok(port)) => {
                let host = Host::Address(host);
                self.matches_read(Side::Restrict, target, &host, Some(port)) != Match::No
            }
            _ => false,
        }
    }

    /// Compares it with a target that was read.
    fn matches_read(&self, side: Side, target: &str, host: &Host, port: Option<u16>) -> Match {
        let is_canonical = match port {
            Some(port) => format!("{host}:{port}") == target,
            None => host.to_string() == target,
        };
        if side == Side::Allow && !is_canonical {
            return self.unknown(side);
        }
        let found = match side {
            Side::Allow => self.names(host),
            Side::Restrict => self.names(host).or_else(|| self.means(host)),
        };
        let Some(found) = found else {
            return Match::No;
        };
        match (self.port, port) {
            (Some(mine), Some(port)) if mine != port => Match::No,
            (Some(_), None) if side == Side::Allow => Match::No,
            (Some(_), None) => Match::Maybe,
            _ => Match::Yes(Closeness {
                exact: found.exact && (self.port.is_some() || port.is_none()),
                // A pattern with the port is closer than one that names the host alike.
                literal: found
                    .literal
                    .saturating_mul(2)
                    .saturating_add(usize::from(self.port.is_some())),
            }),
        }
    }

    /// Returns the match with a target that is no host.
    fn unknown(&self, side: Side) -> Match {
        match (side, &self.hosts, self.port) {
            (Side::Restrict, Hosts::Any, None) => Match::Yes(Closeness::LEAST),
            (Side::Restrict, ..) => Match::Maybe,
            (Side::Allow, ..) => Match::No,
        }
    }

    /// Returns how closely it names a host, to the letter.
    fn names(&self, host: &Host) -> Option<Closeness> {
        let labels = |name: &str| name.split('.').count();
        let (exact, literal) = match (&self.hosts, host) {
            (Hosts::Any, _) => (false, 0),
            (Hosts::One(mine), Host::Name(name)) if mine == name => (true, labels(name)),
            (Hosts::Below(mine), Host::Name(name)) if is_below(name, mine) => (false, labels(mine)),
            (Hosts::Net(net), Host::Address(address)) if net.contains(address) => {
                let is_one = net.prefix_len() == net.max_prefix_len();
                (is_one, net.prefix_len().into())
            }
            _ => return None,
        };
        Some(Closeness { exact, literal })
    }

    /// Returns the closeness if it names a host that leads to the same place. That is not to be compared with
    /// a pattern that names this host.
    fn means(&self, host: &Host) -> Option<Closeness> {
        let embedded = match host {
            Host::Address(IpAddr::V6(address)) => net::embedded(*address),
            _ => None,
        };
        let embedded = embedded.map(|address| Host::Address(address.into()));
        let is_here = |host: &Host| match host {
            Host::Name(name) => is_local(name),
            Host::Address(address) => net::meets_here((*address).into()),
        };
        let speaks_of_here = || match &self.hosts {
            Hosts::Any => true,
            Hosts::One(name) | Hosts::Below(name) => is_local(name),
            Hosts::Net(mine) => {
                net::meets_here(*mine) || net::unmapped(*mine).is_some_and(net::meets_here)
            }
        };
        let by_embedded = embedded
            .as_ref()
            .is_some_and(|host| self.names(host).is_some());
        let by_mapped = match (&self.hosts, host) {
            (Hosts::Net(mine), Host::Address(address)) => {
                net::unmapped(*mine).is_some_and(|net| net.contains(address))
            }
            _ => false,
        };
        let is_meant = by_embedded
            || by_mapped
            || (is_here(host) || embedded.as_ref().is_some_and(is_here)) && speaks_of_here();
        is_meant.then_some(Closeness {
            exact: true,
            literal: usize::MAX,
        })
    }

    /// Returns true if it surely speaks of all that the other speaks of.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let hosts = match (&self.hosts, &other.hosts) {
            (Hosts::Any, _) => true,
            (Hosts::Below(mine), Hosts::One(name)) => is_below(name, mine),
            (Hosts::Below(mine), Hosts::Below(name)) => mine == name || is_below(name, mine),
            (Hosts::Net(mine), Hosts::Net(net)) => mine.contains(net),
            (mine, other) => mine == other,
        };
        hosts && (self.port.is_none() || self.port == other.port)
    }

    /// As it was written.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }
}

/// The host of a pattern, which may be written in letters beyond ASCII.
fn parse(name: &str) -> Result<Host, &'static str> {
    if name.is_ascii() {
        return Host::parse(name);
    }
    match url::Host::parse(name) {
        Ok(url::Host::Domain(name)) => Host::parse(&name),
        Ok(_) => Err("an address is written in ASCII"),
        Err(_) => Err("its letters make no name of a host"),
    }
}

/// A host and its port; of an address of IPv6 without brackets no colon is before a port.
fn split_port(text: &str) -> (&str, Option<&str>) {
    let end = text.rfind(']').map_or(0, |at| at + 1);
    match text.get(end..).unwrap_or_default().split_once(':') {
        Some((_, port)) if !port.contains(':') => {
            let host = text.len() - port.len() - 1;
            (text.get(..host).unwrap_or(text), Some(port))
        }
        _ => (text, None),
    }
}

fn is_below(name: &str, parent: &str) -> bool {
    let above = name.strip_suffix(parent);
    above.is_some_and(|above| above.ends_with('.'))
}

/// By RFC 6761 §6.3 names below `localhost` are this host too.
fn is_local(name: &str) -> bool {
    name == "localhost" || is_below(name, "localhost")
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy does not see that these are tests"
)]
mod tests;
