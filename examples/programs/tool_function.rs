//! `#[tool]`: a function becomes a tool. Its docs describe it; the model fills in what the function takes by value, and
//! the app provides what it takes by reference.

use std::collections::BTreeMap;
use std::error::Error;

use toolwright::{Executor, ToolRegistry, tool};

/// The prices of a shop, in cents.
struct Prices(BTreeMap<&'static str, u32>);

/// Tell what something costs.
#[tool(name = "shop.price", read_only)]
fn price(
    /// The thing to buy.
    #[arg(length = 1..)]
    thing: String,
    /// The number of pieces.
    #[arg(default = 1, range = 1..=99)]
    count: u32,
    prices: &Prices,
) -> Result<String, String> {
    match prices.0.get(thing.as_str()) {
        Some(price) => Ok(format!("{} cents", price * count)),
        None => Err(format!("the shop has no {thing}")),
    }
}

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let prices = || Prices(BTreeMap::from([("pear", 40), ("plum", 15)]));
    // The function is still a function.
    assert_eq!(price("plum".to_owned(), 2, &prices())?, "30 cents");

    let executor = Executor::builder(ToolRegistry::new().with(Price))
        .resource(prices())
        .build()?;
    for spec in executor.tools().specs() {
        println!("{}: {}", spec.name(), spec.description());
        println!("{}", spec.input_schema());
    }
    for arguments in [
        r#"{"thing": "pear", "count": 3}"#,
        r#"{"thing": "pear"}"#,
        r#"{"thing": "melon"}"#,
        r#"{"thing": "pear", "count": 100}"#,
    ] {
        println!("> {arguments}");
        println!("{}", executor.call("shop.price", arguments).await.text());
    }
    Ok(())
}
