//! The keywords of a schema in the words of `#[arg(..)]`, in which an author wrote them.

use serde_json::Value;

use crate::schema::walk::Node;

/// The constraints that a schema demands, as they are written in `#[arg(..)]`: "`range = 1..=50`". Empty where it
/// demands nothing of the kind.
pub(crate) fn written(node: &Node) -> String {
    let all = [
        range(node),
        step(node),
        length(node),
        node.contains_key("uniqueItems")
            .then(|| "unique_items".to_owned()),
        text("pattern", node),
        text("format", node),
        listed(node),
    ];
    let all: Vec<String> = all
        .into_iter()
        .flatten()
        .map(|one| format!("`{one}`"))
        .collect();
    all.join(", ")
}

pub(in crate::schema) fn range(node: &Node) -> Option<String> {
    let end = |keyword: &str| node.get(keyword).map_or_else(String::new, Value::to_string);
    let (min, max, below) = (end("minimum"), end("maximum"), end("exclusiveMaximum"));
    let max = match (&*max, &*below) {
        ("", below) => below.to_owned(),
        (max, _) => format!("={max}"),
    };
    (!min.is_empty() || !max.is_empty()).then(|| format!("range = {min}..{max}"))
}

pub(in crate::schema) fn step(node: &Node) -> Option<String> {
    let step = node.get("multipleOf")?;
    Some(format!("multiple_of = {step}"))
}

pub(in crate::schema) fn length(node: &Node) -> Option<String> {
    let end = |keywords: [&str; 3]| {
        let found = keywords.iter().find_map(|keyword| node.get(*keyword));
        found.map(Value::to_string)
    };
    let min = end(["minLength", "minItems", "minProperties"]);
    let max = end(["maxLength", "maxItems", "maxProperties"]);
    (min.is_some() || max.is_some()).then(|| {
        let max = max.map_or_else(String::new, |max| format!("={max}"));
        format!("length = {}..{max}", min.unwrap_or_default())
    })
}

pub(in crate::schema) fn text(keyword: &str, node: &Node) -> Option<String> {
    let value = node.get(keyword)?;
    Some(format!("{keyword} = {value}"))
}

fn listed(node: &Node) -> Option<String> {
    let list = node.get("enum")?.as_array()?;
    let list: Vec<String> = list.iter().map(Value::to_string).collect();
    Some(format!("one_of({})", list.join(", ")))
}
