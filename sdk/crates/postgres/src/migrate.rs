//! The tables, made and updated when a store is opened.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Row};
use tokio::time::{Instant, timeout_at};

use crate::database::Database;
use crate::error::PostgresError;
use crate::key;

/// Each takes the tables from the version before to its own: 1, 2 and so on.
const STEPS: &[&str] = &[include_str!("migrations/1.sql")];
/// Processes wait for the one that makes the tables.
const PATIENCE: Duration = Duration::from_mins(1);

const DOING: &str = "make the tables";

pub(crate) async fn run(database: &Database) -> Result<(), PostgresError> {
    let mut connection = database.connect(Instant::now() + database.limit).await?;
    let migrated = timeout_at(Instant::now() + PATIENCE, steps(database, &mut connection)).await;
    let migrated = migrated.unwrap_or_else(|_| Err(database.timed_out(DOING)));
    // The tables are made, or the error is the one that counts.
    let _ = connection.close().await;
    migrated
}

async fn steps(database: &Database, connection: &mut PgConnection) -> Result<(), PostgresError> {
    let failed = |error| database.refused(DOING, error);
    let known = i32::try_from(STEPS.len()).unwrap_or(i32::MAX);
    // Most openings find the tables as they should be, and need neither a lock nor the right to make any.
    let found = version(&database.target.schema, connection)
        .await
        .map_err(failed)?;
    let is_current = |found: i32| match found {
        found if found > known => Err(PostgresError::TooNew {
            target: database.target.clone(),
            found,
            known,
        }),
        found => Ok(found == known),
    };
    if is_current(found)? {
        return Ok(());
    }
    let mut transaction = connection.begin().await.map_err(failed)?;
    // The others wait here, as long as it takes.
    transaction
        .execute("set local statement_timeout = 0")
        .await
        .map_err(failed)?;
    let lock = key::lock(&database.target.schema, "migration", "");
    sqlx::query("select pg_advisory_xact_lock($1)")
        .bind(lock)
        .execute(&mut *transaction)
        .await
        .map_err(failed)?;
    let found = version(&database.target.schema, &mut transaction)
        .await
        .map_err(failed)?;
    if is_current(found)? {
        return Ok(());
    }
    if found == 0 {
        // The name has been checked: it needs no quotes.
        let schema = format!("create schema if not exists {}", database.target.schema);
        transaction
            .execute(AssertSqlSafe(schema))
            .await
            .map_err(failed)?;
        let versions = "create table migrations (version integer primary key, made_at timestamptz not null default now())";
        transaction.execute(versions).await.map_err(failed)?;
    }
    for (number, step) in (1..).zip(STEPS).skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute(*step).await.map_err(failed)?;
        sqlx::query("insert into migrations (version) values ($1)")
            .bind::<i32>(number)
            .execute(&mut *transaction)
            .await
            .map_err(failed)?;
    }
    transaction.commit().await.map_err(failed)
}

/// The version of the tables; 0 of none.
async fn version(schema: &str, connection: &mut PgConnection) -> Result<i32, sqlx::Error> {
    // Not `to_regclass`, which may answer from before another process made the tables.
    let is_there =
        "select from pg_catalog.pg_tables where schemaname = $1 and tablename = 'migrations'";
    let is_there = sqlx::query(is_there)
        .bind(schema)
        .fetch_optional(&mut *connection)
        .await?;
    if is_there.is_none() {
        return Ok(0);
    }
    let version = sqlx::query("select coalesce(max(version), 0) from migrations")
        .fetch_one(connection)
        .await?;
    version.try_get(0)
}
