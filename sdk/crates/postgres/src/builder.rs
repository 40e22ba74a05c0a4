//! The settings of a store, and its opening.

use std::fmt;
use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions, PgSslMode};

use crate::database::Database;
use crate::error::{PostgresError, Target};

const PARAMETERS: &[&str] = &[
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
];
const PARAMETER_LIST: &str = "sslmode, sslrootcert, sslcert, sslkey, host, hostaddr, port, dbname, user, password, \
                              application_name and options";

/// The settings of a [`PostgresStore`](crate::PostgresStore).
#[derive(Clone)]
pub struct PostgresBuilder {
    url: String,
    schema: String,
    max_connections: u32,
    pub(crate) limit: Duration,
    pub(crate) name_wait: Duration,
    pub(crate) patience: Duration,
    requires_tls: bool,
}

impl fmt::Debug for PostgresBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresBuilder")
            .field("schema", &self.schema)
            .field("max_connections", &self.max_connections)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

impl PostgresBuilder {
    pub(crate) fn new(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            schema: "toolwright".to_owned(),
            max_connections: 10,
            limit: Duration::from_secs(5),
            name_wait: Duration::from_secs(2),
            patience: Duration::from_secs(30),
            requires_tls: false,
        }
    }

    /// Sets the schema of the tables, which is made if it is not there. Default: `toolwright`. Each schema is a store of
    /// its own.
    pub fn schema(mut self, name: impl Into<String>) -> Self {
        self.schema = name.into();
        self
    }

    /// Sets the most connections of the pool. Default: 10. Beside them there is one for each log and each replica that is
    /// open, and one that listens once somebody waits for an answer.
    pub fn max_connections(mut self, connections: u32) -> Self {
        self.max_connections = connections.max(1);
        self
    }

    /// Sets the most time that a call may take, tries included: a call fails when it is over. Default: 5 s. A
    /// server that comes back in this time is not noticed by callers.
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit.max(Duration::from_millis(10));
        self
    }

    /// Sets how long the opening of a log or a replica waits for its name while another process has it.
    /// Default: 2 s.
    pub fn name_wait(mut self, wait: Duration) -> Self {
        self.name_wait = wait;
        self
    }

    /// Sets how long a server may be away without ending what waits for it. Default: 30 s. A wait for an answer goes on
    /// when the server is back, and a log reads whether lines were written whose confirmation was lost; after this
    /// time the wait fails, and the log takes no more until it is opened anew.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Requires TLS with a certificate that is verified for the host's name, whatever the URL says. Default: as the
    /// URL's `sslmode` says, which is `prefer` if it is missing.
    pub fn require_tls(mut self) -> Self {
        self.requires_tls = true;
        self
    }

    /// The pool, which opens its connections when they are needed.
    pub(crate) fn database(&self) -> Result<Database, PostgresError> {
        let (options, target) = self.options()?;
        let pool = PgPoolOptions::new()
            .max_connections(self.max_connections)
            .acquire_timeout(self.limit)
            // A broken connection shows when it is used, and another is tried.
            .test_before_acquire(false)
            .connect_lazy_with(options.clone());
        Ok(Database {
            pool,
            options,
            target,
            max_connections: self.max_connections,
            limit: self.limit,
        })
    }

    fn options(&self) -> Result<(PgConnectOptions, Target), PostgresError> {
        let schema = &self.schema;
        let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
        let begins = schema
            .bytes()
            .next()
            .is_some_and(|first| !first.is_ascii_digit());
        if !begins || schema.len() > 40 || !schema.bytes().all(is_plain) {
            return Err(PostgresError::SchemaName(schema.clone()));
        }
        // The client would write the value of a parameter that it does not know into the log.
        let known = |pair: &str| {
            let name = pair.split('=').next().unwrap_or_default();
            PARAMETERS.contains(&name) || (name.starts_with("options[") && name.ends_with(']'))
        };
        let query = self.url.split_once('?').map_or("", |(_, query)| query);
        let query = query.split('#').next().unwrap_or_default();
        if !query.split('&').filter(|pair| !pair.is_empty()).all(known) {
            return Err(PostgresError::UnknownParameter {
                known: PARAMETER_LIST,
            });
        }
        if !["postgres://", "postgresql://"]
            .iter()
            .any(|scheme| self.url.starts_with(scheme))
        {
            return Err(PostgresError::Url(
                "it does not begin with postgres://".into(),
            ));
        }
        let options: Result<PgConnectOptions, _> = self.url.parse();
        let mut options = options.map_err(|error: sqlx::Error| PostgresError::Url(error.into()))?;
        if self.requires_tls {
            options = options.ssl_mode(PgSslMode::VerifyFull);
        }
        let encrypts = matches!(
            options.get_ssl_mode(),
            PgSslMode::Require | PgSslMode::VerifyCa | PgSslMode::VerifyFull
        );
        if encrypts && cfg!(not(feature = "tls")) {
            return Err(PostgresError::NoTls);
        }
        let server = match options.get_socket() {
            Some(socket) => socket.display().to_string(),
            None => format!("{}:{}", options.get_host(), options.get_port()),
        };
        let database = options.get_database().unwrap_or(options.get_username());
        let target = Target {
            server,
            database: database.to_owned(),
            schema: schema.clone(),
        };
        let limit = self.limit.as_millis().to_string();
        // A server that cannot reach a client any more ends its session, and with it the names that it has.
        let settings = [
            ("search_path", schema.as_str()),
            ("statement_timeout", &limit),
            ("idle_session_timeout", "0"),
            ("tcp_keepalives_idle", "5"),
            ("tcp_keepalives_interval", "2"),
            ("tcp_keepalives_count", "3"),
        ];
        Ok((
            options.options(settings).disable_statement_logging(),
            target,
        ))
    }
}
