//! Names that an expansion uses too, and everything that can be taken by reference.

#![deny(warnings)]

use std::collections::HashMap;
use std::sync::Mutex;
use toolwright::{ToolContext, tool};

trait Files {
    fn read(&self, path: &str) -> String;
}

struct Store<T>(Mutex<Vec<T>>);

type Context = ToolContext;
type Maybe<T> = Option<T>;
type Shared = Store<String>;

/// Add.
#[tool]
fn f(mut f: u32) -> u32 {
    f += 1;
    f
}

/// Names.
#[tool(permission = toolwright::FileAccess::read(format!("{__a}{__cx}{__v}")))]
#[allow(clippy::too_many_arguments)]
async fn names(
    #[arg(default = 1, range = 1..)] __a: u32,
    #[arg(default = 1, range = 1..)] __cx: u32,
    #[arg(default = 1, range = 1..)] __v: u32,
    __0: u32,
    __r0: u32,
    __s: u32,
    __tw: Maybe<u32>,
    names: u32,
) -> u32 {
    __a + __cx + __v + __0 + __r0 + __s + __tw.unwrap_or(0) + names
}

/// By reference.
#[tool(permission = toolwright::FileAccess::read(files.read(path)))]
async fn by_reference(
    files: &(dyn Files + Send + Sync),
    path: String,
    context: &Context,
    again: &ToolContext,
    store: &Shared,
    other: Option<&Store<u8>>,
    map: &HashMap<String, Vec<u8>>,
    path_buf: &Mutex<std::path::PathBuf>,
    lifetime: &'_ Mutex<u8>,
    function: &(dyn Fn(&str) -> u8 + Send + Sync),
) -> usize {
    std::future::ready(()).await;
    store.0.lock().unwrap().push(files.read(&path));
    let _ = (context, again, other, map, path_buf, lifetime, function);
    path.len()
}

/// The context is optional too.
#[tool]
fn optional(context: Option<&Context>) -> bool {
    context.is_some()
}

/// The type of an argument is an alias.
#[tool]
fn alias(
    #[arg(length = 1..)] text: Maybe<String>,
    #[arg(range = ..1.5)] number: Maybe<f64>,
) -> bool {
    text.is_some() || number.is_some()
}

#[test]
fn program_runs() {
    let tools = toolwright::ToolRegistry::new()
        .with(F)
        .with(Names)
        .with(ByReference)
        .with(Optional)
        .with(Alias);
    assert_eq!(tools.len(), 5);
}
