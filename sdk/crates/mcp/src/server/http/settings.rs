//! Settings of a server that concern HTTP alone.

use std::sync::Arc;

use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;

use super::auth::Authenticate;

/// The hosts that a request may name by default.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Settings of a server that concern HTTP alone.
#[derive(Clone, Default)]
pub(crate) struct HttpSettings {
    pub(crate) authenticate: Option<Arc<dyn Authenticate>>,
    /// The URL of the server's OAuth metadata (RFC 9728).
    pub(crate) resource_metadata: Option<Arc<str>>,
    /// Hosts beside those of the loopback interface.
    pub(crate) allowed_hosts: Vec<String>,
    /// Origins beside those of the loopback interface.
    pub(crate) allowed_origins: Vec<String>,
}

impl HttpSettings {
    /// Returns the settings of the transport for requests without the header `Origin`.
    pub(super) fn config(&self) -> StreamableHttpServerConfig {
        let hosts = LOOPBACK.map(str::to_owned);
        StreamableHttpServerConfig::default()
            // A response without other messages is sent as it is, not as a stream of one event.
            .with_json_response(true)
            .with_allowed_hosts(hosts.into_iter().chain(self.allowed_hosts.iter().cloned()))
            .enforce_origin_validation()
    }

    /// Returns the settings of the transport for requests with the header `Origin`.
    pub(super) fn page_config(&self) -> StreamableHttpServerConfig {
        let loopback = LOOPBACK
            .iter()
            .flat_map(|host| ["http", "https"].map(|scheme| format!("{scheme}://{host}:*")));
        let set = self.allowed_origins.iter().map(|origin| with_port(origin));
        self.config().with_allowed_origins(loopback.chain(set))
    }
}

/// An origin with the port that it stands for: `rmcp` takes one without a port for any port.
fn with_port(origin: &str) -> String {
    let origin = origin.trim().trim_end_matches('/');
    let Some((scheme, authority)) = origin.split_once("://") else {
        return origin.to_owned();
    };
    // The colons of an IPv6 address stand in brackets.
    let name_end = authority.rfind(']').unwrap_or(0);
    let has_port = authority
        .get(name_end..)
        .is_some_and(|rest| rest.contains(':'));
    match scheme.to_ascii_lowercase().as_str() {
        "https" if !has_port => format!("{origin}:443"),
        "http" if !has_port => format!("{origin}:80"),
        _ => origin.to_owned(),
    }
}

impl std::fmt::Debug for HttpSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpSettings")
            .field("authenticates", &self.authenticate.is_some())
            .field("resource_metadata", &self.resource_metadata)
            .field("allowed_hosts", &self.allowed_hosts)
            .field("allowed_origins", &self.allowed_origins)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::with_port;

    #[test]
    fn an_origin_without_a_port_is_of_its_schemes_port() {
        for (origin, whole) in [
            ("https://app.example", "https://app.example:443"),
            ("HTTP://app.example/", "HTTP://app.example:80"),
            ("https://[2001:db8::1]", "https://[2001:db8::1]:443"),
            ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443"),
            ("http://app.example:*", "http://app.example:*"),
            ("null", "null"),
            ("app://page", "app://page"),
        ] {
            assert_eq!(with_port(origin), whole);
        }
    }
}
