//! Parts that the tests share: tools and checkers written by hand, a record of what happened, and short
//! ways to ask what became of a call.

use std::borrow::Cow;
use std::fs;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use serde_json::Value;
use toolwright::arguments::{ArgumentProblem, Arguments, InvalidArguments, ProblemKind};
use toolwright::content::ErrorKind;
use toolwright::permission::{CallView, PermissionChecker, Verdict};
use toolwright::spec::Effect;
use toolwright::tools::{Invocation, Started};
use toolwright::{
    Executor, PermissionRequest, Tool, ToolContext, ToolError, ToolName, ToolOutcome, ToolOutput,
    ToolRegistry, ToolSpec,
};

/// The events of a test, in order.
#[derive(Clone, Default)]
pub(crate) struct Trace(Arc<Mutex<Vec<String>>>);

impl Trace {
    pub(crate) fn note(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    /// The events since the last time.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

type Parse = dyn Fn(&Arguments<'_>) -> Result<(), InvalidArguments> + Send + Sync;
type Ask = dyn Fn(&ToolContext) -> Result<Vec<PermissionRequest>, ToolError> + Send + Sync;
type Run = dyn Fn(&ToolContext, &Value) -> Result<ToolOutput, ToolError> + Send + Sync;

/// A tool written by hand, with each stage exchangeable. As it is made, it is pure, takes any
/// arguments, asks for nothing and gives its arguments back.
#[derive(Clone)]
pub(crate) struct HandMade {
    spec: ToolSpec,
    parse: Arc<Parse>,
    ask: Arc<Ask>,
    run: Arc<Run>,
}

impl HandMade {
    pub(crate) fn new(name: impl Into<Cow<'static, str>>) -> Self {
        let name = ToolName::new(name).unwrap();
        Self {
            spec: ToolSpec::new(name, "Give the arguments back.").with_effect(Effect::Pure),
            parse: Arc::new(|_| Ok(())),
            ask: Arc::new(|_| Ok(Vec::new())),
            run: Arc::new(|_, arguments| Ok(ToolOutput::text(arguments.to_string()))),
        }
    }

    pub(crate) fn spec(mut self, change: impl FnOnce(ToolSpec) -> ToolSpec) -> Self {
        self.spec = change(self.spec);
        self
    }

    pub(crate) fn parse(
        mut self,
        parse: impl Fn(&Arguments<'_>) -> Result<(), InvalidArguments> + Send + Sync + 'static,
    ) -> Self {
        self.parse = Arc::new(parse);
        self
    }

    pub(crate) fn ask(
        mut self,
        ask: impl Fn(&ToolContext) -> Result<Vec<PermissionRequest>, ToolError> + Send + Sync + 'static,
    ) -> Self {
        self.ask = Arc::new(ask);
        self
    }

    pub(crate) fn run(
        mut self,
        run: impl Fn(&ToolContext, &Value) -> Result<ToolOutput, ToolError> + Send + Sync + 'static,
    ) -> Self {
        self.run = Arc::new(run);
        self
    }
}

impl Tool for HandMade {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn parse(&self, arguments: &Arguments<'_>) -> Result<Box<dyn Invocation>, InvalidArguments> {
        (self.parse)(arguments)?;
        Ok(Box::new(HandMadeCall {
            arguments: arguments.to_value()?.into_owned(),
            ask: Arc::clone(&self.ask),
            run: Arc::clone(&self.run),
        }))
    }
}

struct HandMadeCall {
    arguments: Value,
    ask: Arc<Ask>,
    run: Arc<Run>,
}

impl Invocation for HandMadeCall {
    fn proposed_requests(&self, ctx: &ToolContext) -> Result<Vec<PermissionRequest>, ToolError> {
        (self.ask)(ctx)
    }

    fn start(self: Box<Self>, ctx: &ToolContext) -> Started<'_> {
        Started::Done((self.run)(ctx, &self.arguments))
    }
}

/// A checker made of what it says of tools and of requests.
pub(crate) fn judge(
    tool: impl Fn(&ToolSpec) -> Verdict + Send + Sync + 'static,
    request: impl Fn(&ToolSpec, &PermissionRequest) -> Verdict + Send + Sync + 'static,
) -> impl PermissionChecker {
    Judge { tool, request }
}

struct Judge<T, R> {
    tool: T,
    request: R,
}

impl<T, R> PermissionChecker for Judge<T, R>
where
    T: Fn(&ToolSpec) -> Verdict + Send + Sync + 'static,
    R: Fn(&ToolSpec, &PermissionRequest) -> Verdict + Send + Sync + 'static,
{
    fn check_tool(&self, tool: &ToolSpec) -> Verdict {
        (self.tool)(tool)
    }

    fn check_request(&self, call: &CallView<'_>, request: &PermissionRequest) -> Verdict {
        (self.request)(call.spec(), request)
    }
}

/// Polls a future once, outside of any runtime.
pub(crate) fn poll_once<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// The output of a future that has nothing to wait for.
pub(crate) fn ready_now<F: Future>(future: F) -> F::Output {
    match poll_once(pin!(future)) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("there was nothing to wait for"),
    }
}

/// The outcome of a call of a pure tool without arguments.
pub(crate) fn outcome(tool: impl Tool) -> ToolOutcome {
    let name = tool.spec().name().as_str().to_owned();
    let executor = Executor::new(ToolRegistry::new().with(tool)).unwrap();
    ready_now(executor.call(&name, ""))
}

/// The problems with the arguments of a call that was refused.
pub(crate) fn problems(outcome: &ToolOutcome) -> Vec<ArgumentProblem> {
    let error = outcome.error().expect("the call was refused");
    assert_eq!(error.kind(), ErrorKind::InvalidArguments);
    error.invalid_arguments().unwrap().problems().to_vec()
}

/// Kind and place of each problem.
pub(crate) fn places(outcome: &ToolOutcome) -> Vec<(ProblemKind, String)> {
    let place = |problem: &ArgumentProblem| (problem.kind(), problem.pointer().to_owned());
    problems(outcome).iter().map(place).collect()
}

pub(crate) fn place(kind: ProblemKind, pointer: &str) -> (ProblemKind, String) {
    (kind, pointer.to_owned())
}

/// The public functions of `ToolContext` as they are written in the sources, each on a line of its own.
pub(crate) fn context_signatures() -> Vec<String> {
    fn sources(directory: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    sources(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../sdk/src")),
        &mut files,
    );
    let mut signatures = Vec::new();
    for file in files {
        let source = fs::read_to_string(file).unwrap();
        for block in source.split("\nimpl ToolContext {\n").skip(1) {
            let (block, _) = block.split_once("\n}\n").unwrap();
            for function in block.split("\n    pub ").skip(1) {
                let (signature, _) = function.split_once(" {\n").unwrap();
                let words: Vec<&str> = signature.split_whitespace().collect();
                signatures.push(words.join(" "));
            }
        }
    }
    // Without these, something is amiss with how the sources are read.
    for known in [
        "session_id",
        "resource",
        "ask",
        "call",
        "state",
        "clock",
        "progress",
        "check",
    ] {
        let named = |signature: &String| signature.contains(&format!("fn {known}"));
        assert!(signatures.iter().any(named), "{known} in {signatures:?}");
    }
    signatures
}
