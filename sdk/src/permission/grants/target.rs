//! The target of a request for a connection.

use crate::permission::PermissionRequest;
use crate::permission::host::{Host, NETWORK_CONNECT};

/// A host, and perhaps a port.
pub(super) struct Target {
    pub(super) host: String,
    pub(super) port: Option<u16>,
    /// True if it was spelled as requests spell it.
    pub(super) is_canonical: bool,
}

impl Target {
    pub(super) fn of(request: &PermissionRequest) -> Option<Self> {
        (request.kind() == NETWORK_CONNECT)
            .then(|| Self::parse(request.target()))
            .flatten()
    }

    pub(super) fn parse(target: &str) -> Option<Self> {
        let (host, port) = match target.rsplit_once(':') {
            // The last part of an IPv6 address is in the brackets.
            Some((host, port)) if !port.ends_with(']') => (host, Some(port.parse().ok()?)),
            _ => (target, None),
        };
        let host = Host::parse(host).ok()?.to_string();
        let spelled = match port {
            Some(port) => format!("{host}:{port}"),
            None => host.clone(),
        };
        Some(Self {
            is_canonical: spelled == target,
            host,
            port,
        })
    }
}

/// Splits the target of a request for a connection into its host and port.
pub(in crate::permission) fn host_and_port(
    request: &PermissionRequest,
) -> Option<(String, Option<u16>)> {
    Target::of(request)
        .filter(|target| target.is_canonical)
        .map(|target| (target.host, target.port))
}
