//! A check that a tool is as deterministic as it declares, as a test.

use std::fmt;
use std::future::IntoFuture;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use super::differ::describe_end;
use super::not_deterministic::{NotDeterministic, Why};
use crate::arguments::Arguments;
use crate::content::{ToolCall, ToolResult};
use crate::context::Clock;
use crate::executor::{BuildError, Executor, ExecutorBuilder, SessionOptions};
use crate::id::ToolName;
use crate::permission::AllowAll;
use crate::registry::ToolRegistry;
use crate::spec::{CapabilityGrant, Determinism};
use crate::tool::Tool;
use crate::util::future::BoxFuture;

/// The runs of each case unless the test sets another number: enough that the order of a hash map with a few members
/// shows.
const RUNS: u32 = 16;
crate::util::documented::documented_default!("runs of a determinism check", RUNS);

/// Checks that a tool gives the same output for the same arguments, as far as it
/// [declares](Determinism) that it does. Each of the cases, which are arguments, runs 16 times: those of a
/// deterministic tool each time with another clock and other random numbers, those of a bounded one with the
/// same. Outputs are compared as a journal does: the order of the members of JSON objects does not count.
///
/// The check is awaited, and gives the first difference. It runs whatever the tool does: one that has
/// effects is given something to have them on that is made for the test, by
/// [`set_up`](DeterminismCheck::set_up). All that it asks for is allowed.
///
/// Values that change less often than the cases run are not found, for instance the date of today by a clock that is
/// not the context's.
///
/// ```
/// use std::collections::HashSet;
/// use toolwright::{ToolContext, testing, tool};
///
/// /// Throw a die.
/// #[tool(read_only, determinism = bounded)]
/// fn throw(ctx: &ToolContext) -> u64 {
///     ctx.rng().below(6) + 1
/// }
///
/// /// List the different letters of a word.
/// #[tool(pure)]
/// fn letters(word: String) -> String {
///     let letters: HashSet<char> = word.chars().collect();
///     letters.into_iter().collect()
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// testing::determinism_check(Throw, ["{}"]).await?;
///
/// let words = [r#"{"word": "o"}"#, r#"{"word": "perambulation"}"#];
/// let error = testing::determinism_check(Letters, words).await.unwrap_err();
/// assert_eq!(error.case(), Some(1));
/// assert!(error.to_string().starts_with("`letters` declares itself deterministic, and"));
/// # Ok::<(), testing::NotDeterministic>(())
/// # }).unwrap();
/// ```
pub fn determinism_check<C>(tool: impl Tool, cases: impl IntoIterator<Item = C>) -> DeterminismCheck
where
    C: Into<Arguments<'static>>,
{
    DeterminismCheck {
        tool: Arc::new(tool),
        cases: cases.into_iter().map(Into::into).collect(),
        runs: RUNS,
        others: ToolRegistry::new,
        set_up: Box::new(|executor| executor),
    }
}

type SetUp = dyn Fn(ExecutorBuilder) -> ExecutorBuilder + Send + Sync;

/// A check to be awaited: see [`determinism_check`].
#[must_use = "nothing is checked until it is awaited"]
pub struct DeterminismCheck {
    tool: Arc<dyn Tool>,
    cases: Vec<Arguments<'static>>,
    runs: u32,
    others: fn() -> ToolRegistry,
    set_up: Box<SetUp>,
}

impl fmt::Debug for DeterminismCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeterminismCheck")
            .field("cases", &self.cases.len())
            .field("runs", &self.runs)
            .finish_non_exhaustive()
    }
}

impl DeterminismCheck {
    /// Sets how often each case runs; less than 2 count as 2. Default: 16.
    pub fn runs(mut self, runs: u32) -> Self {
        self.runs = runs.max(2);
        self
    }

    /// Adds the tools that the tool calls. Default: none.
    pub fn with_tools(mut self, tools: fn() -> ToolRegistry) -> Self {
        self.others = tools;
        self
    }

    /// Sets up the executor of a run, for instance with the resources that the tool needs. It is called for each
    /// run anew, so that no run sees what another one has left. Default: nothing is set.
    ///
    /// ```
    /// use toolwright::{testing, tool};
    ///
    /// struct Greeting(&'static str);
    ///
    /// /// Greet somebody.
    /// #[tool(pure)]
    /// fn greet(name: String, greeting: &Greeting) -> String {
    ///     format!("{}, {name}", greeting.0)
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// testing::determinism_check(Greet, [r#"{"name": "Ada"}"#])
    ///     .set_up(|executor| executor.resource(Greeting("Good day")))
    ///     .await?;
    /// # Ok::<(), testing::NotDeterministic>(())
    /// # }).unwrap();
    /// ```
    pub fn set_up(
        mut self,
        set_up: impl Fn(ExecutorBuilder) -> ExecutorBuilder + Send + Sync + 'static,
    ) -> Self {
        self.set_up = Box::new(set_up);
        self
    }

    async fn check(self) -> Result<(), NotDeterministic> {
        let spec = self.tool.spec();
        let name = spec.name().clone();
        let declared = spec.determinism();
        let fault = |why| NotDeterministic {
            tool: name.clone(),
            why,
        };
        if declared == Determinism::NonDeterministic {
            return Err(fault(Why::Nothing));
        }
        for (case, arguments) in self.cases.iter().enumerate() {
            let mut first: Option<ToolResult> = None;
            for run in 0..self.runs {
                let environment = if declared == Determinism::Bounded {
                    0
                } else {
                    run
                };
                let result = self.run(&name, arguments, environment).await;
                let result = result.map_err(|error| fault(Why::NotBuilt(error)))?;
                match &first {
                    None => first = Some(result),
                    Some(first) if is_same(first, &result) => {}
                    Some(first) => {
                        return Err(fault(Why::Differs {
                            declared,
                            case,
                            run,
                            first: describe_end(first.error(), first.is_pending(), first.content()),
                            other: describe_end(
                                result.error(),
                                result.is_pending(),
                                result.content(),
                            ),
                        }));
                    }
                }
            }
        }
        Ok(())
    }

    async fn run(
        &self,
        name: &ToolName,
        arguments: &Arguments<'static>,
        environment: u32,
    ) -> Result<ToolResult, BuildError> {
        let tool: Arc<dyn Tool> = Arc::clone(&self.tool);
        let registry = (self.others)().with(tool);
        let mut builder = Executor::builder(registry).permission_checker(AllowAll);
        for capability in self.tool.spec().capabilities() {
            builder = builder.grant_capability(CapabilityGrant::from(capability.clone()));
        }
        let executor = (self.set_up)(builder).build()?;
        let options = SessionOptions::new()
            .clock(Ticking::of(environment))
            .seed(environment.into());
        let session = executor.session_with("test", options);
        let call = ToolCall::new(name.as_str(), arguments.clone()).by_host();
        Ok(session.call(call).await.into_result())
    }
}

impl IntoFuture for DeterminismCheck {
    type Output = Result<(), NotDeterministic>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.check())
    }
}

/// A clock on which each reading is a second later than the one before, so that whoever waits for the time to
/// come does not wait for ever.
struct Ticking {
    begin: Duration,
    readings: AtomicU64,
}

impl Ticking {
    /// No two differ in whole days, hours, minutes or seconds only.
    fn of(environment: u32) -> Self {
        Self {
            begin: Duration::from_secs(946_684_800)
                + environment * Duration::new(1_000_003, 7_000_003),
            readings: AtomicU64::new(0),
        }
    }
}

impl Clock for Ticking {
    fn now(&self) -> SystemTime {
        let seconds = self.readings.fetch_add(1, Ordering::Relaxed);
        SystemTime::UNIX_EPOCH + self.begin + Duration::from_secs(seconds)
    }
}

fn is_same(one: &ToolResult, other: &ToolResult) -> bool {
    (one.status(), one.error(), one.content()) == (other.status(), other.error(), other.content())
}
