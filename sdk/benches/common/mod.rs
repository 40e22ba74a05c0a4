//! The three tools that the benchmarks call, each three times: by hand as the base, as a tool, and as an async tool.
//! The bodies are shared, so that what differs is the way to them.
//!
//! a adds two integers, b takes 12 fields, c gives ten records back.

#![allow(dead_code, reason = "each benchmark uses its part")]
#![allow(missing_docs, unreachable_pub, reason = "no interface")]
#![allow(clippy::expect_used, reason = "a benchmark stops at the first fault")]
#![allow(
    clippy::cast_precision_loss,
    reason = "counts and nanoseconds are small"
)]

pub mod turns;

use std::hint::black_box;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolwright::permission::AllowAll;
use toolwright::{Executor, ToolRegistry, tool};

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Urgency {
    Low,
    Normal,
    High,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Destination {
    street: String,
    city: String,
    postcode: String,
    country: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Receipt {
    parcel: String,
    price: f64,
    city: String,
    labels: usize,
    urgency: Urgency,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Record {
    id: u64,
    title: String,
    score: f64,
    open: bool,
    kind: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Records {
    records: Vec<Record>,
}

fn records_of(query: &str, limit: u32) -> Records {
    black_box(query);
    let record = |n: u32| Record {
        id: 5_000 + u64::from(n),
        title: String::from("A record like many others"),
        score: f64::from(n) * 0.75 + 0.25,
        open: n % 2 == 1,
        kind: String::from("issue"),
    };
    Records {
        records: (0..limit.min(10)).map(record).collect(),
    }
}

/// Add two integers.
#[tool(pure)]
fn add(a: i64, b: i64) -> i64 {
    a.wrapping_add(b)
}

/// Send a parcel.
#[tool(pure)]
#[allow(clippy::too_many_arguments, reason = "twelve fields are the point")]
pub fn send(
    parcel: String,
    sender: String,
    pieces: u32,
    price_each: f64,
    insured: bool,
    urgency: Urgency,
    destination: Destination,
    labels: Vec<String>,
    remark: Option<String>,
    voucher: Option<String>,
    weight_grams: u64,
    attempts: Option<u32>,
) -> Receipt {
    black_box((sender, remark, voucher, weight_grams, attempts));
    Receipt {
        parcel,
        price: price_each * f64::from(pieces) + if insured { 4.5 } else { 0.0 },
        city: destination.city,
        labels: labels.len(),
        urgency,
    }
}

/// Search records.
#[tool(pure)]
fn search(query: String, limit: u32) -> Records {
    records_of(&query, limit)
}

/// The three tools as async functions that are ready at once, which most are.
#[allow(clippy::unused_async, reason = "what async costs is the point")]
mod later {
    use toolwright::tool;

    use super::{Destination, Receipt, Records, Urgency};

    /// Add two integers.
    #[tool(name = "add_later", pure)]
    pub async fn add(a: i64, b: i64) -> i64 {
        super::add(a, b)
    }

    /// Send a parcel.
    #[tool(name = "send_later", pure)]
    #[allow(clippy::too_many_arguments, reason = "twelve fields are the point")]
    pub async fn send(
        parcel: String,
        sender: String,
        pieces: u32,
        price_each: f64,
        insured: bool,
        urgency: Urgency,
        destination: Destination,
        labels: Vec<String>,
        remark: Option<String>,
        voucher: Option<String>,
        weight_grams: u64,
        attempts: Option<u32>,
    ) -> Receipt {
        super::send(
            parcel,
            sender,
            pieces,
            price_each,
            insured,
            urgency,
            destination,
            labels,
            remark,
            voucher,
            weight_grams,
            attempts,
        )
    }

    /// Search records.
    #[tool(name = "search_later", pure)]
    pub async fn search(query: String, limit: u32) -> Records {
        super::search(query, limit)
    }
}

/// The three tools, and each as an async function.
pub fn registry() -> ToolRegistry {
    let tools = ToolRegistry::new().with(Add).with(Send).with(Search);
    let tools = tools.with(later::Add).with(later::Send);
    tools.with(later::Search)
}

/// An executor with the three tools and an allowing policy.
pub fn executor() -> Executor {
    Executor::builder(registry())
        .permission_checker(AllowAll)
        .build()
        .expect("three tools of different names")
}

#[derive(Deserialize)]
struct AddArguments {
    a: i64,
    b: i64,
}

#[derive(Deserialize)]
struct SendArguments {
    parcel: String,
    sender: String,
    pieces: u32,
    price_each: f64,
    insured: bool,
    urgency: Urgency,
    destination: Destination,
    labels: Vec<String>,
    remark: Option<String>,
    voucher: Option<String>,
    weight_grams: u64,
    attempts: Option<u32>,
}

#[derive(Deserialize)]
struct SearchArguments {
    query: String,
    limit: u32,
}

fn send_by_hand(it: SendArguments) -> Receipt {
    send(
        it.parcel,
        it.sender,
        it.pieces,
        it.price_each,
        it.insured,
        it.urgency,
        it.destination,
        it.labels,
        it.remark,
        it.voucher,
        it.weight_grams,
        it.attempts,
    )
}

/// The base: a `match` on the name, `from_str` into a struct, the call, `to_string`.
pub fn by_hand_text(name: &str, arguments: &str) -> Result<String, serde_json::Error> {
    match name {
        "add" => {
            let it: AddArguments = serde_json::from_str(arguments)?;
            serde_json::to_string(&add(it.a, it.b))
        }
        "send" => serde_json::to_string(&send_by_hand(serde_json::from_str(arguments)?)),
        "search" => {
            let it: SearchArguments = serde_json::from_str(arguments)?;
            serde_json::to_string(&search(it.query, it.limit))
        }
        _ => Ok(String::new()),
    }
}

/// The base on a tree: `deserialize` from the borrowed tree.
pub fn by_hand_tree(name: &str, tree: &serde_json::Value) -> Result<String, serde_json::Error> {
    match name {
        "add" => {
            let it = AddArguments::deserialize(tree)?;
            serde_json::to_string(&add(it.a, it.b))
        }
        "send" => serde_json::to_string(&send_by_hand(SendArguments::deserialize(tree)?)),
        "search" => {
            let it = SearchArguments::deserialize(tree)?;
            serde_json::to_string(&search(it.query, it.limit))
        }
        _ => Ok(String::new()),
    }
}

/// A case: its letter, the tool, the arguments as a model writes them.
pub const CASES: [(&str, &str, &str); 3] = [
    ("a", "add", r#"{"a": 17, "b": 25}"#),
    (
        "b",
        "send",
        r#"{"parcel": "pcl-2026-004711", "sender": "Grace Hopper", "pieces": 3, "price_each": 19.99, "insured": true, "urgency": "high", "destination": {"street": "7 Compiler Lane", "city": "Arlington", "postcode": "22201", "country": "US"}, "labels": ["fragile", "books", "return-receipt"], "remark": "Ring at the \"side\" door", "voucher": null, "weight_grams": 1850, "attempts": 2}"#,
    ),
    (
        "c",
        "search",
        r#"{"query": "ordinary records", "limit": 10}"#,
    ),
];

macro_rules! hundred_tools {
    ($($name:ident $tool:ident),* $(,)?) => {
        $(
            /// Do something with the parcels of a city.
            #[tool(read_only)]
            fn $name(
                /// City name.
                city: String,
                /// Number of items.
                count: u32,
                /// Say more.
                verbose: Option<bool>,
                /// Labels.
                labels: Vec<String>,
            ) -> String {
                let _ = (count, verbose, labels);
                city
            }
        )*

        /// A registry of a hundred tools with four arguments each.
        pub fn hundred_tools() -> ToolRegistry {
            ToolRegistry::new()$(.with($tool))*
        }
    };
}

hundred_tools! {
    t00 T00, t01 T01, t02 T02, t03 T03, t04 T04,
    t05 T05, t06 T06, t07 T07, t08 T08, t09 T09,
    t10 T10, t11 T11, t12 T12, t13 T13, t14 T14,
    t15 T15, t16 T16, t17 T17, t18 T18, t19 T19,
    t20 T20, t21 T21, t22 T22, t23 T23, t24 T24,
    t25 T25, t26 T26, t27 T27, t28 T28, t29 T29,
    t30 T30, t31 T31, t32 T32, t33 T33, t34 T34,
    t35 T35, t36 T36, t37 T37, t38 T38, t39 T39,
    t40 T40, t41 T41, t42 T42, t43 T43, t44 T44,
    t45 T45, t46 T46, t47 T47, t48 T48, t49 T49,
    t50 T50, t51 T51, t52 T52, t53 T53, t54 T54,
    t55 T55, t56 T56, t57 T57, t58 T58, t59 T59,
    t60 T60, t61 T61, t62 T62, t63 T63, t64 T64,
    t65 T65, t66 T66, t67 T67, t68 T68, t69 T69,
    t70 T70, t71 T71, t72 T72, t73 T73, t74 T74,
    t75 T75, t76 T76, t77 T77, t78 T78, t79 T79,
    t80 T80, t81 T81, t82 T82, t83 T83, t84 T84,
    t85 T85, t86 T86, t87 T87, t88 T88, t89 T89,
    t90 T90, t91 T91, t92 T92, t93 T93, t94 T94,
    t95 T95, t96 T96, t97 T97, t98 T98, t99 T99,
}
