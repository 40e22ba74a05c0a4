-- Keys of any text are hashes of it, and texts are bytes: PostgreSQL's text has no NUL, and its indexes no long keys.

create table tickets (
    id bytea primary key,
    session bytea not null,
    turn bigint not null,
    -- Milliseconds since 1970, by the clock of the replica that made the ticket.
    created bigint not null,
    expires bigint not null,
    stored bytea not null,
    -- One place for each request.
    answers bytea[] not null,
    answered boolean not null default false,
    closed text,
    -- The replica that closed it as used, and a number of its own of that closing.
    replica bytea,
    closing bytea,
    finished boolean not null default false
);
create index tickets_open on tickets (created, id) where closed is null;
create index tickets_open_of_session on tickets (session, created, id) where closed is null;
create index tickets_answered on tickets (created, id) where closed is null and answered;
create index tickets_of_session on tickets (session);
create index tickets_expired on tickets (expires);
create index tickets_claimed on tickets (replica, created, id) where replica is not null and not finished;

create table grants (
    session bytea not null,
    id bytea not null,
    number bigint generated always as identity,
    stored bytea not null,
    primary key (session, id)
);

create table results (
    session bytea not null,
    call bytea not null,
    text bytea not null,
    stored_at timestamptz not null default now(),
    primary key (session, call)
);
-- Uncompressed, so that a part of a text is read without the rest.
alter table results alter column text set storage external;
create index results_stored_at on results (stored_at);

create table states (
    session bytea primary key,
    version bigint not null,
    stored bytea not null
);

create table contents (
    hash bytea primary key,
    bytes bytea not null
);

create table logs (
    id bigint generated always as identity primary key,
    name bytea not null unique
);

create table log_lines (
    log bigint not null,
    number bigint not null,
    line bytea not null,
    hash bytea not null,
    primary key (log, number)
);
