//! `#[toolset]` on blocks of methods.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Mutex;

use facade::toolwright::{PermissionRequest, ToolContext, toolset};

/// A shelf of things with labels of a type of the app's.
#[derive(Debug)]
pub struct Shelf<L, const ROOM: usize> {
    things: Mutex<BTreeMap<String, u32>>,
    label: L,
}

impl<L, const ROOM: usize> Shelf<L, ROOM> {
    /// An empty one.
    pub fn new(label: L) -> Self {
        Self {
            things: Mutex::default(),
            label,
        }
    }
}

#[toolset(crate = facade::toolwright, prefix = "shelf")]
impl<L, const ROOM: usize> Shelf<L, ROOM>
where
    L: Display + Send + Sync + 'static,
{
    /// Put things onto the shelf.
    ///
    /// # Errors
    ///
    /// Fails if there is no room.
    #[tool(idempotent, aliases("add"), permission = self.ask(thing))]
    pub async fn put(
        &self,
        /// The thing to put there.
        #[arg(length = 1..=20)]
        thing: String,
        #[arg(default = 1, range = 1..=9)] number: u32,
    ) -> Result<usize, String> {
        std::future::ready(()).await;
        let mut things = self.things.lock().map_err(|error| error.to_string())?;
        if things.len() >= ROOM {
            return Err(format!("{} is full", self.label));
        }
        things.insert(thing, number);
        Ok(things.len())
    }

    fn ask(&self, thing: &str) -> PermissionRequest {
        let summary = format!("put {thing} onto {}", self.label);
        PermissionRequest::new("shelf.put", thing, summary)
    }

    /// Tell how large a shelf is.
    #[facade::toolwright::tool(pure)]
    pub fn room() -> usize {
        ROOM
    }
}

#[facade::toolwright::toolset(crate = ::facade::toolwright, part = Finding)]
impl<L, const ROOM: usize> Shelf<L, ROOM>
where
    L: Display + Send + Sync + 'static,
{
    /// Find a thing.
    #[tool(name = "shelf.find", read_only)]
    pub fn find(&self, thing: Option<String>, ctx: &ToolContext) -> Option<u32> {
        let things = self.things.lock().ok()?;
        let thing = thing.filter(|_| !ctx.is_cancelled())?;
        things.get(&thing).copied()
    }
}
