-- Times are milliseconds since 1970, ids 32 hexadecimal digits, `stored`, `answer` and `sealed` JSON.

CREATE TABLE tickets (
    id       TEXT PRIMARY KEY,
    session  TEXT NOT NULL,
    turn     INTEGER NOT NULL,
    created  INTEGER NOT NULL,
    expires  INTEGER NOT NULL,
    -- The number of requests, each of which takes one answer.
    requests INTEGER NOT NULL,
    -- The number of those that have it.
    answered INTEGER NOT NULL DEFAULT 0,
    -- The way in which it was closed; NULL while it is open.
    closed   TEXT,
    -- The replica that has claimed the call and not finished it.
    replica  TEXT,
    stored   TEXT NOT NULL
) STRICT;
CREATE INDEX tickets_open ON tickets (created, id) WHERE closed IS NULL;
CREATE INDEX tickets_answered ON tickets (created, id) WHERE closed IS NULL AND answered > 0;
CREATE INDEX tickets_of_session ON tickets (session, closed, created, id);
CREATE INDEX tickets_claimed ON tickets (replica, created, id) WHERE replica IS NOT NULL;
CREATE INDEX tickets_expiry ON tickets (expires) WHERE replica IS NULL;

CREATE TABLE answers (
    ticket  TEXT NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
    request INTEGER NOT NULL,
    answer  TEXT NOT NULL,
    PRIMARY KEY (ticket, request)
) STRICT, WITHOUT ROWID;

CREATE TABLE grants (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    id      TEXT NOT NULL,
    sealed  TEXT NOT NULL,
    UNIQUE (session, id)
) STRICT;

CREATE TABLE states (
    session TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    state   TEXT NOT NULL
) STRICT;

CREATE TABLE results (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    call    TEXT NOT NULL,
    bytes   INTEGER NOT NULL,
    text    BLOB NOT NULL,
    UNIQUE (session, call)
) STRICT;
CREATE INDEX results_age ON results (session, number, bytes);

CREATE TABLE logs (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- The position is the log's id and the number of the line, so that lines lie together and are only ever added at the
-- end of their log.
CREATE TABLE log_lines (
    position INTEGER PRIMARY KEY,
    hash     BLOB NOT NULL,
    line     BLOB NOT NULL
) STRICT;

CREATE TABLE contents (
    hash  BLOB PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;
