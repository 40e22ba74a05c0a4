//! Requests for hosts.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::additions::{Additions, takes_additions};
use super::request::SUMMARY;
use super::{IntoRequests, PermissionRequest};
use crate::content::ToolError;
use crate::util::character::one_line;

/// The kind of the requests.
pub(super) const NETWORK_CONNECT: &str = HostAccess::CONNECT;

/// A request to connect to a host, for `permission = HostAccess::connect(host).port(443)`.
///
/// The target of the request is `host` or `host:port`, in one spelling: small letters, no dot at the
/// end, an IPv4 address as four decimal numbers, an IPv6 address in brackets and as short as RFC 5952
/// has it. What a resolver would take for an address in another spelling (`127.1`, `0x7f000001`)
/// is refused, and so is what is not ASCII: `HostAccess::url` of the feature `url` knows what these
/// mean.
///
/// ```
/// use toolwright::permission::{HostAccess, IntoRequests};
///
/// let requests = HostAccess::connect("API.Example.com.").port(443).into_requests()?;
/// assert_eq!(requests[0].kind(), "network.connect");
/// assert_eq!(requests[0].target(), "api.example.com:443");
/// assert!(HostAccess::connect("0x7f.1").into_requests().is_err());
/// # Ok::<(), toolwright::ToolError>(())
/// ```
///
/// A request names a host, and not where that name leads: a name may have any address, and another
/// one at the next look. A tool that must not reach some addresses looks the name up once, asks for
/// the address too (`HostAccess::connect(address.to_string())`), and connects to that address. A
/// redirect leads to another host: it is a request of its own.
#[derive(Debug, Clone)]
pub struct HostAccess {
    named: HostTarget,
    port: Option<u16>,
    additions: Additions,
}

takes_additions!(HostAccess);

#[derive(Debug, Clone)]
enum HostTarget {
    Host(String),
    #[cfg(feature = "url")]
    Url(String),
}

impl HostAccess {
    /// The kind of the requests.
    pub const CONNECT: &'static str = "network.connect";

    /// To connect to a host: a name, or an address. An IPv6 address may be in brackets.
    pub fn connect(host: impl Into<String>) -> Self {
        Self {
            named: HostTarget::Host(host.into()),
            port: None,
            additions: Additions::default(),
        }
    }

    /// To connect to the host of a URL, at its port, or else at the one that its scheme is known for.
    ///
    /// The URL is read by the [URL standard](https://url.spec.whatwg.org/#host-parsing), as browsers
    /// and `reqwest` read it: so `http://0x7f.1/` goes to `127.0.0.1:80`, and `https://bücher.example`
    /// to `xn--bcher-kva.example:443`. The rest of it is not in the request, since it may hold secrets.
    ///
    /// ```
    /// use toolwright::permission::{HostAccess, IntoRequests};
    ///
    /// let requests = HostAccess::url("https://user:secret@EXAMPLE.com/a?b").into_requests()?;
    /// assert_eq!(requests[0].target(), "example.com:443");
    /// # Ok::<(), toolwright::ToolError>(())
    /// ```
    #[cfg(feature = "url")]
    pub fn url(url: impl Into<String>) -> Self {
        Self {
            named: HostTarget::Url(url.into()),
            port: None,
            additions: Additions::default(),
        }
    }

    /// Sets the TCP port. Default: that of the URL, or any port.
    pub fn port(mut self, port: u16) -> Self {
        self.port = Some(port);
        self
    }

    fn resolve(&self) -> Result<(Host, Option<u16>), String> {
        match &self.named {
            HostTarget::Host(text) => {
                let host = Host::parse(text).map_err(|fault| {
                    format!("`{}` is not a host: {fault}", one_line(text, SUMMARY))
                })?;
                Ok((host, self.port))
            }
            #[cfg(feature = "url")]
            HostTarget::Url(text) => {
                // The text may hold a password, so that it is not shown.
                let url = url::Url::parse(text)
                    .map_err(|fault| format!("the URL cannot be read: {fault}"))?;
                let host = match url.host() {
                    None => return Err("the URL names no host".to_owned()),
                    Some(url::Host::Ipv4(address)) => Host::Address(address.into()),
                    Some(url::Host::Ipv6(address)) => Host::Address(address.into()),
                    Some(url::Host::Domain(name)) => Host::parse(name)
                        .map_err(|fault| format!("the host of the URL is none: {fault}"))?,
                };
                Ok((host, self.port.or_else(|| url.port_or_known_default())))
            }
        }
    }
}

#[diagnostic::do_not_recommend]
impl IntoRequests for HostAccess {
    fn into_requests(self) -> Result<Vec<PermissionRequest>, ToolError> {
        let (host, port) = self
            .resolve()
            .map_err(|why| ToolError::denied(format!("the call was denied: {why}")))?;
        let target = match port {
            Some(port) => format!("{host}:{port}"),
            None => host.to_string(),
        };
        let summary = format!("Connect to `{target}`");
        let request = PermissionRequest::new(NETWORK_CONNECT, target, summary);
        Ok(vec![self.additions.add_to(request)])
    }
}

/// A host in its one spelling, which is what it shows as: that of the target of a request for a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Host {
    /// A name: ASCII in small letters, with no dot at the end.
    Name(String),
    /// An address.
    Address(IpAddr),
}

impl Host {
    /// Reads a host: a name, an IPv4 address as four decimal numbers, or an IPv6 address, perhaps in brackets.
    ///
    /// # Errors
    ///
    /// Describes the mistake in the text, and what would be right: a clause that may follow a colon.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let bare = text
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'));
        if let Some(address) = bare {
            return match address.parse::<Ipv6Addr>() {
                Ok(address) => Ok(Self::Address(address.into())),
                Err(_) => Err("only an IPv6 address is written in brackets"),
            };
        }
        if let Ok(address) = text.parse() {
            return Ok(Self::Address(address));
        }
        let name = text.strip_suffix('.').unwrap_or(text);
        if let Ok(address) = name.parse() {
            return Ok(Self::Address(address));
        }
        check_name(name)?;
        Ok(Self::Name(name.to_ascii_lowercase()))
    }

    /// Returns true if two hosts in different spellings may be one: both are this machine, or an IPv6
    /// address holds the IPv4 address.
    pub(super) fn may_lead_where(&self, other: &Self) -> bool {
        let (one, other) = (self.unmapped(), other.unmapped());
        one == other || (one.is_this_machine() && other.is_this_machine())
    }

    /// The IPv4 address within an IPv6 address (RFC 4291 and RFC 6052); any other host as it is.
    fn unmapped(&self) -> Self {
        let Self::Address(IpAddr::V6(address)) = self else {
            return self.clone();
        };
        let embedded = match (address.segments(), address.octets()) {
            ([0x64, 0xff9b, 0, 0, 0, 0, ..], [.., a, b, c, d]) => Some(Ipv4Addr::new(a, b, c, d)),
            _ => address.to_ipv4_mapped(),
        };
        embedded.map_or_else(|| self.clone(), |address| Self::Address(address.into()))
    }

    /// Returns true for `localhost`, names below it (RFC 6761), loopback and unspecified addresses.
    fn is_this_machine(&self) -> bool {
        match self {
            Self::Name(name) => name == "localhost" || name.ends_with(".localhost"),
            Self::Address(address) => address.is_loopback() || address.is_unspecified(),
        }
    }
}

/// By RFC 1123, and with the `_` that names of services have.
fn check_name(name: &str) -> Result<(), &'static str> {
    if name.is_empty() {
        return Err("it is empty");
    }
    if !name.is_ascii() {
        return Err("it is not ASCII; a name of other letters is written in Punycode (`xn--..`)");
    }
    if name.contains(['/', '@', '?', '#']) {
        return Err("a host is the part of a URL between `//` and the next `/`, without a user");
    }
    if name.contains(':') {
        return Err("a port is no part of it, and an address of IPv6 has no `%` in it");
    }
    let is_part = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
    if !name.bytes().all(|c| is_part(c) || c == b'.') {
        return Err("a name consists of letters, digits, `-`, `_` and `.`");
    }
    if name.len() > 253 || name.split('.').any(|label| label.len() > 63) {
        return Err("a name has at most 253 characters, and 63 between two dots");
    }
    if name.split('.').any(str::is_empty) {
        return Err("there is nothing between two of its dots");
    }
    // By the URL standard and inet_aton, what ends in a number is an address.
    let last = name.rsplit('.').next().unwrap_or(name);
    let hex = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
    let is_number = last.bytes().all(|c| c.is_ascii_digit())
        || hex.is_some_and(|hex| hex.bytes().all(|c| c.is_ascii_hexdigit()));
    if is_number {
        return Err("an address is written as four decimal numbers, as in `127.0.0.1`");
    }
    Ok(())
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V4(address)) => address.fmt(f),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
        }
    }
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]
mod tests {
    use super::*;
    use crate::content::ErrorKind;

    fn target(access: HostAccess) -> String {
        access.into_requests().unwrap()[0].target().to_owned()
    }

    #[test]
    fn a_host_has_one_spelling() {
        for (text, expected) in [
            ("Example.COM", "example.com"),
            ("example.com.", "example.com"),
            ("_sip.example.com", "_sip.example.com"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"),
            ("localhost", "localhost"),
            ("127.0.0.1", "127.0.0.1"),
            ("127.0.0.1.", "127.0.0.1"),
            ("::1", "[::1]"),
            ("[0:0:0:0:0:0:0:1]", "[::1]"),
            ("[2001:DB8::0:1]", "[2001:db8::1]"),
            ("::ffff:7f00:1", "[::ffff:127.0.0.1]"),
        ] {
            assert_eq!(target(HostAccess::connect(text)), expected, "{text}");
            let with_port = format!("{expected}:8080");
            assert_eq!(target(HostAccess::connect(text).port(8080)), with_port);
        }
    }

    #[test]
    fn what_is_no_host_is_denied() {
        let long = "a".repeat(64);
        for (text, why) in [
            ("", "empty"),
            (".", "empty"),
            ("bücher.example", "Punycode"),
            ("example。com", "Punycode"),
            ("a..b", "between two"),
            (".a", "between two"),
            ("a b", "letters"),
            ("a\nb", "letters"),
            ("a%2eb", "letters"),
            ("127.1", "four decimal"),
            ("0x7f.1", "four decimal"),
            ("0X7F000001", "four decimal"),
            ("2130706433", "four decimal"),
            ("0177.0.0.1", "four decimal"),
            ("1.2.3.4.5", "four decimal"),
            ("a.0x", "four decimal"),
            ("example.com:443", "port"),
            ("fe80::1%eth0", "`%`"),
            ("[127.0.0.1]", "brackets"),
            ("[::1", "port"),
            ("http://example.com", "URL"),
            ("user@example.com", "URL"),
            (&long, "63"),
        ] {
            let error = HostAccess::connect(text).into_requests().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Denied);
            assert!(error.to_string().contains(why), "{text}: {error}");
        }
    }

    #[cfg(feature = "url")]
    #[test]
    fn the_host_of_a_url_is_what_a_browser_would_go_to() {
        for (url, expected) in [
            ("https://Example.com/x", "example.com:443"),
            ("http://0x7f.1/", "127.0.0.1:80"),
            ("http://2130706433:8080", "127.0.0.1:8080"),
            ("http://017700000001", "127.0.0.1:80"),
            ("https://bücher.example", "xn--bcher-kva.example:443"),
            ("https://example。com", "example.com:443"),
            ("https://example%2ecom", "example.com:443"),
            ("http:\\\\good.example\\@evil.example", "good.example:80"),
            ("https://good.example@evil.example", "evil.example:443"),
            ("http://[::FFFF:127.0.0.1]/", "[::ffff:127.0.0.1]:80"),
            ("redis://Cache.local/0", "cache.local"),
        ] {
            assert_eq!(target(HostAccess::url(url)), expected, "{url}");
        }
        for url in [
            "",
            "example.com",
            "mailto:a@b",
            "data:,x",
            "file:///etc/passwd",
            "http://",
        ] {
            let error = HostAccess::url(url).into_requests().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Denied, "{url}");
        }
        let error = HostAccess::url("https://u:secret@exa mple.com").into_requests();
        assert!(!error.unwrap_err().to_string().contains("secret"));
    }
}
