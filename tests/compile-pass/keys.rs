//! Every key at once, tools of the same arguments, and as many arguments as there can be.

#![deny(warnings)]

use std::time::Duration;
use toolwright::spec::Effect;
use toolwright::{PermissionRequest, Tool, ToolRegistry, tool};

const LOWEST: u32 = 1;
const HIGHEST: u32 = 9;

#[derive(Debug, Default, PartialEq, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
enum Order {
    #[default]
    Up,
    Down,
}

/// Read a text file.
///
/// # Errors
///
/// Never.
#[tool(
    name = "fs.read",
    title = "Read a file",
    version = "1.2.0",
    aliases("read", "cat"),
    category = "files",
    idempotent,
    destructive,
    open_world = true,
    needs_approval = false,
    streaming,
    durable,
    pool = "disk.eu-1",
    timeout = "1m30s",
    permission = PermissionRequest::new("read", path, format!("Read {path} from {from}")),
    metadata(team = "files", "tier of it" = 2, weight = -0.5, beta = true),
    register = false,
    struct_name = Reader,
    crate = ::toolwright,
)]
async fn read_file(
    /// The path.
    #[arg(name = "file", aliases("path", "name"), length = 1..=64, pattern = "^[a-z]+$", format = "hostname")]
    path: String,
    #[arg(default = LOWEST, range = LOWEST..=HIGHEST, multiple_of = 1)] from: u32,
    #[arg(default, one_of("up", "down"))] text: String,
    #[arg(default)] order: Order,
    #[arg(default = Order::Down)] then: Order,
    #[arg(default = vec![1, 2], length = ..4, unique_items)] list: Vec<u8>,
    #[arg(one_of(0.5, -1.5), range = -2.0..)] number: f64,
) -> String {
    format!("{path}{from}{text}{order:?}{then:?}{list:?}{number}")
}

/// Add up.
#[tool(pure)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Multiply.
#[tool(pure)]
fn multiply(a: i64, b: i64) -> i64 {
    a * b
}

/// Add up.
#[tool(pure)]
#[allow(clippy::too_many_arguments)]
fn sum(
    a: i64,
    b: i64,
    c: i64,
    d: i64,
    e: i64,
    f: i64,
    g: i64,
    h: i64,
    i: i64,
    j: i64,
    k: i64,
    l: i64,
    m: i64,
    n: i64,
    o: i64,
    p: i64,
) -> i64 {
    a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p
}

#[test]
fn program_runs() {
    let spec = Reader.spec();
    assert_eq!(spec.name().as_str(), "fs.read");
    assert_eq!(spec.title(), Some("Read a file"));
    assert_eq!(spec.description(), "Read a text file.");
    assert_eq!(spec.version(), Some("1.2.0"));
    assert_eq!(spec.aliases().len(), 2);
    assert_eq!(spec.category(), Some("files"));
    assert_eq!(spec.effect(), Effect::Idempotent);
    assert_eq!(spec.timeout(), Some(Duration::from_secs(90)));
    assert_eq!(spec.metadata().len(), 4);
    let properties = &spec.input_schema()["properties"];
    assert_eq!(properties["list"]["default"], serde_json::json!([1, 2]));
    assert_eq!(properties["list"]["maxItems"], 3);
    assert_eq!(properties["then"]["default"], "Down");

    let found = toolwright::discover!().unwrap();
    // The others are those of `forms_nested`, in the same binary; `fs.read` is not to be found.
    let found: Vec<&str> = found.names().map(|name| name.as_str()).collect();
    let all = [
        "add", "free", "give", "multiply", "private", "public", "sum",
    ];
    assert_eq!(found, all);
    let tools = ToolRegistry::new()
        .with(Reader)
        .with(Add)
        .with(Multiply)
        .with(Sum);
    tools.check().unwrap();
}
