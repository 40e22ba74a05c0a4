//! The tools of the golden texts: those of `examples/three_tools.rs`, and some with all that
//! arguments can be.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;
use toolwright::arguments::{ArgumentProblem, ProblemKind};
use toolwright::permission::AllowAll;
use toolwright::{
    Executor, FileAccess, ToolContext, ToolError, ToolRegistry, ToolSpec, tool, tool_fn, tool_type,
};

/// The order of the hits.
#[tool_type]
#[derive(Debug, Default)]
#[serde(rename_all = "snake_case")]
enum Sort {
    /// Best match first.
    #[default]
    Relevance,
    /// Newest first.
    Date,
}

/// Search the documents.
#[tool(name = "docs.search", read_only, register = false)]
fn search_docs(
    /// Words to look for.
    #[arg(length = 1..=200)]
    query: String,
    /// Number of hits to return.
    #[arg(default = 10, range = 1..=50)]
    limit: u32,
    /// Order of the hits.
    #[arg(default)]
    sort: Sort,
) -> Vec<String> {
    vec![format!("{limit} hits for {query} by {sort:?}")]
}

struct Workspace {
    root: PathBuf,
}

/// Write a text file, over what is there.
#[tool(
    name = "fs.write",
    destructive,
    blocking,
    register = false,
    permission = FileAccess::write(path).within(&workspace.root)
)]
fn write_file(
    /// Path of the file, relative to the workspace.
    path: PathBuf,
    /// The whole new text.
    content: String,
    workspace: &Workspace,
) -> Result<usize, std::io::Error> {
    let _ = workspace.root.join(path);
    let _ = content;
    Err(std::io::ErrorKind::NotFound.into())
}

/// Somebody who travels.
#[tool_type]
struct Passenger {
    /// As in the passport.
    #[arg(length = 1..)]
    name: String,
    /// In years.
    #[arg(range = 0..=120)]
    age: u8,
}

/// Book a flight.
#[tool(name = "flight.book", pure, register = false)]
fn book_flight(
    /// The day of departure.
    #[arg(format = "date")]
    day: String,
    /// The passengers.
    #[arg(length = 1..=9)]
    passengers: Vec<Passenger>,
) -> String {
    let first = &passengers[0];
    format!("{day}: {} ({})", first.name, first.age)
}

/// A seat.
#[tool_type]
#[serde(rename_all = "lowercase")]
enum Seat {
    Window,
    Aisle,
    Row(u8),
}

/// A place on the way.
#[tool_type]
struct Stop {
    #[arg(aliases("town"))]
    city: String,
    #[arg(range = 1..=30)]
    nights: u8,
    seat: Option<Seat>,
}

/// A booking of several people.
#[tool_type]
struct Booking {
    passengers: Vec<Passenger>,
    #[serde(default)]
    stops: Vec<Stop>,
}

/// Plan a trip.
#[tool(name = "trip.plan", pure, register = false)]
fn plan_trip(
    /// The passengers and their places.
    booking: Booking,
    /// Rooms by floor.
    rooms: Option<Vec<Vec<u16>>>,
    /// Prices by what they are for.
    prices: Option<BTreeMap<String, f64>>,
) -> String {
    let (people, stops) = (booking.passengers, booking.stops);
    let named = people.iter().map(|p| format!("{} {}", p.name, p.age));
    let stopped = stops.iter().map(|stop| {
        let seat = stop.seat.as_ref().map_or(0, |seat| match seat {
            Seat::Window => 1,
            Seat::Aisle => 2,
            Seat::Row(row) => *row,
        });
        format!("{} {} {seat}", stop.city, stop.nights)
    });
    let all: Vec<String> = named.chain(stopped).collect();
    format!("{all:?} {rooms:?} {prices:?}")
}

/// A way to pay.
#[tool_type]
#[derive(Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Payment {
    Card {
        #[arg(pattern = "^[0-9]{4}$")]
        last_four: String,
    },
    Transfer {
        iban: String,
    },
}

/// The person or company that is paid.
#[tool_type]
#[derive(Debug)]
#[serde(untagged)]
enum Payee {
    Person { first: String, last: String },
    Company { company: String },
}

/// Pay.
#[tool(name = "bank.pay", pure, register = false)]
fn pay(
    /// In cents.
    amount: u64,
    /// The largest deviation.
    #[arg(default)]
    offset: i64,
    way: Payment,
    to: Option<Payee>,
    /// The one of the card.
    #[arg(secret, length = 4..=6)]
    pin: Option<String>,
) -> String {
    let pin = pin.map_or(0, |pin| pin.len());
    format!("{amount} {offset} {way:?} {to:?} {pin}")
}

/// A step in the work on a text.
#[tool_type]
#[derive(Debug)]
#[serde(tag = "do", rename_all = "snake_case")]
enum Step {
    Trim,
    Repeat {
        #[arg(range = 1..=9)]
        times: u8,
    },
}

/// Change a text.
#[tool(name = "text.step", pure, register = false)]
fn change_text(#[arg(flatten)] step: Step) -> String {
    format!("{step:?}")
}

fn in_order(from: &String, until: &String) -> Result<(), ArgumentProblem> {
    if from <= until {
        return Ok(());
    }
    Err(
        ArgumentProblem::new(ProblemKind::Constraint, "/until", "is before `from`")
            .with_expected(format!("a day not before {from}"))
            .with_found(until.as_str()),
    )
}

/// List what happens.
#[tool(name = "calendar.list", pure, validate = in_order, register = false)]
fn list_days(#[arg(format = "date")] from: String, #[arg(format = "date")] until: String) -> Value {
    Value::from(vec![from, until])
}

/// Book a meeting.
#[tool(name = "meeting.book", pure, register = false)]
fn book_meeting(
    /// The subject.
    title: String,
    /// The people who come.
    #[arg(unique_items, length = 1..=20)]
    attendees: Vec<String>,
    /// In steps of a quarter of an hour.
    #[arg(range = 15..=480, multiple_of = 15, default = 30)]
    minutes: u32,
    /// True if a call is set up.
    #[arg(default)]
    online: bool,
    /// The person who asked for it.
    #[arg(format = "email")]
    organizer_email: Option<String>,
    /// The most it may cost.
    budget: Option<f64>,
) -> String {
    format!("{title} {attendees:?} {minutes} {online} {organizer_email:?} {budget:?}")
}

/// The tools as `#[tool]` makes them.
pub(super) fn typed() -> Executor {
    let registry = ToolRegistry::new()
        .with(SearchDocs)
        .with(WriteFile)
        .with(BookFlight)
        .with(PlanTrip)
        .with(Pay)
        .with(ChangeText)
        .with(BookMeeting)
        .with(ListDays);
    Executor::builder(registry)
        .resource(Workspace { root: ".".into() })
        .permission_checker(AllowAll)
        .build()
        .unwrap()
}

/// The same tools by their schemas alone.
pub(super) fn run_time(typed: &Executor) -> Executor {
    let mut registry = ToolRegistry::new();
    for of_types in typed.tools().specs() {
        let schema = of_types.input_schema().clone();
        let spec = ToolSpec::new(of_types.name().clone(), of_types.description().into_owned());
        let spec = spec.with_input_schema(schema);
        let secrets = of_types.secrets().iter().cloned();
        let spec = secrets.fold(spec, ToolSpec::with_secret);
        registry = registry.with(tool_fn(spec, async |_: Value, _: ToolContext| {
            Ok::<_, ToolError>(())
        }));
    }
    let builder = Executor::builder(registry);
    builder.permission_checker(AllowAll).build().unwrap()
}
