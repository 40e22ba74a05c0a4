//! The tools of a fresh program: reading, writing, a shell, a host and a payment, with and without
//! requests, hints and effects. No body looks at what it was allowed.

use std::path::PathBuf;

use serde_json::Value;
use toolwright::permission::{CommandAccess, HostAccess};
use toolwright::spec::ToolAnnotations;
use toolwright::{
    FileAccess, PermissionRequest, Tool, ToolError, ToolName, ToolOutput, ToolRegistry, ToolSpec,
    tool, tool_fn,
};

/// The directory of the program.
pub(super) struct Root(pub(super) PathBuf);

const RAN: &str = "ran";

/// Count the words of a text.
#[tool(name = "read.words", pure, register = false)]
fn words(path: String) -> &'static str {
    drop(path);
    RAN
}

/// Count the words of a text, once somebody has agreed.
#[tool(name = "read.words_approved", pure, needs_approval, register = false)]
fn words_approved(path: String) -> &'static str {
    drop(path);
    RAN
}

/// Read a note, without a request.
#[tool(name = "read.silent", read_only, register = false)]
fn read_silent(path: String) -> &'static str {
    drop(path);
    RAN
}

/// Read a note, without a request, once somebody has agreed.
#[tool(
    name = "read.silent_approved",
    read_only,
    needs_approval,
    register = false
)]
fn read_silent_approved(path: String) -> &'static str {
    drop(path);
    RAN
}

/// Read a note in the program's directory.
#[tool(name = "read.confined", read_only, register = false, permission = FileAccess::read(path).within(&root.0))]
fn read_confined(path: String, root: &Root) -> &'static str {
    drop((path, root));
    RAN
}

/// Read a note in the program's directory, once somebody has agreed.
#[tool(
    name = "read.confined_approved",
    read_only,
    needs_approval,
    register = false,
    permission = FileAccess::read(path).within(&root.0)
)]
fn read_confined_approved(path: String, root: &Root) -> &'static str {
    drop((path, root));
    RAN
}

/// Read a note in the program's directory, with no effect declared.
#[tool(name = "read.undeclared", register = false, permission = FileAccess::read(path).within(&root.0))]
fn read_undeclared(path: String, root: &Root) -> &'static str {
    drop((path, root));
    RAN
}

/// Read a file anywhere.
#[tool(name = "read.anywhere", read_only, register = false, permission = FileAccess::read(root.0.join(path)))]
fn read_anywhere(path: String, root: &Root) -> &'static str {
    drop((path, root));
    RAN
}

/// Read a file below `/etc`, a root of the tool's own.
#[tool(name = "read.etc", read_only, register = false, permission = FileAccess::read(path).within("/etc"))]
fn read_etc(path: String) -> &'static str {
    drop(path);
    RAN
}

/// Write a note, without a request.
#[tool(name = "write.silent", idempotent, register = false)]
fn write_silent(path: String) -> &'static str {
    drop(path);
    RAN
}

/// Write a note in the program's directory.
#[tool(
    name = "write.confined",
    destructive,
    register = false,
    permission = FileAccess::write(path).within(&root.0)
)]
fn write_confined(path: String, root: &Root) -> &'static str {
    drop((path, root));
    RAN
}

/// Write a note in the program's directory, once somebody has agreed.
#[tool(
    name = "write.confined_approved",
    needs_approval,
    register = false,
    permission = FileAccess::write(path).within(&root.0)
)]
fn write_confined_approved(path: String, root: &Root) -> &'static str {
    drop((path, root));
    RAN
}

/// Write a note, as a tool that says that it only reads.
#[tool(name = "write.says_read", read_only, register = false, permission = FileAccess::write(path).within(&root.0))]
fn write_says_read(path: String, root: &Root) -> &'static str {
    drop((path, root));
    RAN
}

/// Run a line of a shell.
#[tool(name = "shell.run", register = false, permission = CommandAccess::shell(line).in_directory(&root.0))]
fn shell_run(line: String, root: &Root) -> &'static str {
    drop((line, root));
    RAN
}

/// Run a line of a shell, as a tool that says that it only reads.
#[tool(name = "shell.says_read", read_only, register = false, permission = CommandAccess::shell(line).in_directory(&root.0))]
fn shell_says_read(line: String, root: &Root) -> &'static str {
    drop((line, root));
    RAN
}

/// Run a line of a shell, without a request.
#[tool(name = "shell.silent", open_world, register = false)]
fn shell_silent(line: String) -> &'static str {
    drop(line);
    RAN
}

/// Fetch the page of a host.
#[tool(name = "host.fetch", read_only, open_world, register = false, permission = HostAccess::connect(host.as_str()))]
fn host_fetch(host: String) -> &'static str {
    drop(host);
    RAN
}

/// Fetch the page of a host, without a request.
#[tool(name = "host.silent", read_only, open_world, register = false)]
fn host_silent(host: String) -> &'static str {
    drop(host);
    RAN
}

/// Pay a bill.
#[tool(name = "pay.bill", register = false, permission = pay(bill))]
fn pay_bill(bill: String) -> &'static str {
    drop(bill);
    RAN
}

/// Pay a bill, as a tool that says that it only reads.
#[tool(name = "pay.says_read", read_only, register = false, permission = pay(bill))]
fn pay_says_read(bill: String) -> &'static str {
    drop(bill);
    RAN
}

/// Pay a bill, as a tool that says that it touches nothing.
#[tool(name = "pay.says_pure", pure, register = false, permission = pay(bill))]
fn pay_says_pure(bill: String) -> &'static str {
    drop(bill);
    RAN
}

fn pay(bill: &str) -> PermissionRequest {
    PermissionRequest::new("pay", bill, format!("Pay {bill}"))
}

/// A tool of a server, with its hints.
fn imported(name: &'static str, hints: ToolAnnotations) -> impl Tool {
    let spec = ToolSpec::new(ToolName::new(name).unwrap(), "Do something at a server.");
    tool_fn(spec.with_annotations(hints), |_: Value, _| async {
        Ok::<_, ToolError>(ToolOutput::text(RAN))
    })
}

/// Each tool, and the argument of its call.
pub(super) const CALLS: [(&str, &str, &str); 26] = [
    ("read.words", "path", "notes.txt"),
    ("read.words_approved", "path", "notes.txt"),
    ("read.silent", "path", "notes.txt"),
    ("read.silent_approved", "path", "notes.txt"),
    ("read.confined", "path", "notes.txt"),
    ("read.confined", "path", "../../etc/passwd"),
    ("read.confined_approved", "path", "notes.txt"),
    ("read.undeclared", "path", "notes.txt"),
    ("read.anywhere", "path", "notes.txt"),
    ("read.anywhere", "path", "/etc/passwd"),
    ("read.etc", "path", "passwd"),
    ("write.silent", "path", "notes.txt"),
    ("write.confined", "path", "notes.txt"),
    ("write.confined", "path", "/etc/passwd"),
    ("write.confined_approved", "path", "notes.txt"),
    ("write.says_read", "path", "notes.txt"),
    ("shell.run", "line", "rm -rf /"),
    ("shell.says_read", "line", "rm -rf /"),
    ("shell.silent", "line", "rm -rf /"),
    ("host.fetch", "host", "example.org"),
    ("host.silent", "host", "example.org"),
    ("host.imported", "host", "example.org"),
    ("pay.bill", "bill", "rent"),
    ("pay.says_read", "bill", "rent"),
    ("pay.says_pure", "bill", "rent"),
    ("pay.imported", "bill", "rent"),
];

pub(super) fn registry() -> ToolRegistry {
    let only_reads = ToolAnnotations::new().with_read_only(true);
    let approved = only_reads.with_needs_approval(true);
    ToolRegistry::new()
        .with(Words)
        .with(WordsApproved)
        .with(ReadSilent)
        .with(ReadSilentApproved)
        .with(ReadConfined)
        .with(ReadConfinedApproved)
        .with(ReadUndeclared)
        .with(ReadAnywhere)
        .with(ReadEtc)
        .with(WriteSilent)
        .with(WriteConfined)
        .with(WriteConfinedApproved)
        .with(WriteSaysRead)
        .with(ShellRun)
        .with(ShellSaysRead)
        .with(ShellSilent)
        .with(HostFetch)
        .with(HostSilent)
        .with(PayBill)
        .with(PaySaysRead)
        .with(PaySaysPure)
        .with(imported("host.imported", only_reads.with_open_world(true)))
        .with(imported("pay.imported", approved))
}
