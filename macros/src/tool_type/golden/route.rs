/// A way on a map.
#[tool_type]
#[derive(Debug)]
#[serde(deny_unknown_fields)]
pub struct Route {
    pub from: Place,
    /// In their order.
    #[serde(default)]
    by: Vec<Option<map::Place>>,
    shared: Option<Box<Route>>,
    #[serde(with = "dates")]
    day: Date,
}
