//! The tables of keys: every key there is, its kind and how it is written.

use crate::keys::keys;
use crate::values::{
    Bare, DefaultValue, Literals, Objects, Pairs, Range, Sample, Step, Switch, Texts, Truth, Types,
};
use proc_macro2::Ident;
use syn::{Expr, LitStr, Path};

keys! {
    /// `#[tool(..)]`
    ToolKeys of "tool" noting described {
        "name" => name: LitStr, as r#"name = "fs.read""#;
        "title" => title: LitStr, as r#"title = "Read a file""#;
        "version" => version: LitStr, as r#"version = "1.2.0""#;
        "aliases" => aliases: Texts, as r#"aliases("read", "cat")"#;
        "category" => category: LitStr, as r#"category = "files""#;
        "pure" => pure: Bare, as "pure";
        "read_only" => read_only: Bare, as "read_only";
        "idempotent" => idempotent: Bare, as "idempotent";
        "determinism" => determinism: Ident, as "determinism = bounded";
        "destructive" => destructive: Switch, as "destructive";
        "open_world" => open_world: Switch, as "open_world";
        "needs_approval" => needs_approval: Switch, as "needs_approval";
        "streaming" => streaming: Switch, as "streaming";
        "capabilities" => capabilities: Texts, as r#"capabilities("fs:read:/data")"#;
        "timeout" => timeout: LitStr, as r#"timeout = "10s""#;
        "limits" => limits: Pairs, as r#"limits(output = "64KiB")"#;
        "needs" => needs: Types, as "needs(Workspace)";
        "permission" => permission: Expr, as "permission = FileAccess::read(path)";
        "validate" => validate: Path, as "validate = check_dates";
        "cleanup" => cleanup: Expr, as "cleanup = notes.forget(session).await";
        "blocking" => blocking: Bare, as "blocking";
        "concurrent" => concurrent: Bare, as "concurrent";
        "durable" => durable: Bare, as "durable";
        "pool" => pool: LitStr, as r#"pool = "gpu""#;
        "explicit_only" => explicit_only: Bare, as "explicit_only";
        "deny_undocumented" => deny_undocumented: Bare, as "deny_undocumented";
        "examples" => examples: Objects, as r#"examples({"path": "notes.txt"})"#;
        "metadata" => metadata: Pairs, as r#"metadata(team = "files", tier = 2)"#;
        "register" => register: Truth, as "register = false";
        "struct_name" => struct_name: Ident, as "struct_name = ReadFile";
        "crate" => runtime: Path, as "crate = my_app::toolwright";
    }
    instead {
        "description" => "the doc comment is the description, so write `/// Reads a text file.`; `#[doc = ..]` takes \
                          `concat!(..)` and `include_str!(..)` too";
        "desc" => "the doc comment is the description, so write `/// Reads a text file.`";
        "doc" => "the doc comment is the description, so write `/// Reads a text file.`";
        "help" => "the doc comment is the description, so write `/// Reads a text file.`";
        "about" => "the doc comment is the description, so write `/// Reads a text file.`";
        "summary" => "the doc comment is the description, so write `/// Reads a text file.`";
        "rename" => "write `name = \"..\"`";
        "alias" => "write `aliases(\"..\")`";
        "tags" => "write `category = \"..\"`, or `metadata(tags = \"..\")`";
        "effect" => "write `pure`, `read_only` or `idempotent` by itself";
        "effects" => "write `pure`, `read_only` or `idempotent` by itself";
        "safe" => "write `pure` or `read_only`";
        "dangerous" => "write `destructive` or `needs_approval`";
        "confirm" => "write `needs_approval`";
        "approval" => "write `needs_approval`";
        "permissions" => "write `permission = ..`, an expression that may be a list";
        "input_schema" => "the parameters are the schema, and `#[arg(..)]` on one says more";
        "output_schema" => "what the function returns is the schema: put `#[tool_type(result)]` on its type";
        "parameters" => "a doc comment in front of a parameter describes it, and `#[arg(..)]` there says more";
        "args" => "a doc comment in front of a parameter describes it, and `#[arg(..)]` there says more";
        "enum" => "`#[arg(one_of(..))]` on a parameter lists what it may be";
        "annotations" => "write `read_only`, `idempotent`, `destructive` or `open_world` by itself";
        "params" => "a doc comment in front of a parameter describes it, and `#[arg(..)]` there says more";
        "param" => "a doc comment in front of a parameter describes it, and `#[arg(..)]` there says more";
        "required" => "an `Option`, or an `#[arg(default = ..)]`, is what may be left out";
    }
}

keys! {
    /// `#[arg(..)]`
    ArgKeys of "arg" {
        "name" => name: LitStr, as r#"name = "from_line""#;
        "aliases" => aliases: Texts, as r#"aliases("start", "first")"#;
        "default" => default: DefaultValue, as "default = 1";
        "range" => range: Range, as "range = 1..=100";
        "multiple_of" => multiple_of: Step, as "multiple_of = 5";
        "length" => length: Range, as "length = 1..=64";
        "unique_items" => unique_items: Bare, as "unique_items";
        "pattern" => pattern: LitStr, as r#"pattern = "^[a-z]+$""#;
        "format" => format: LitStr, as r#"format = "date""#;
        "one_of" => one_of: Literals, as r#"one_of("asc", "desc")"#;
        "example" => example: Sample, as r#"example = "notes.txt""#;
        "secret" => secret: Bare, as "secret";
        "flatten" => flatten: Bare, as "flatten";
    }
    instead {
        "description" => "the doc comment in front of it is its description: write `/// The path.`";
        "desc" => "the doc comment in front of it is its description: write `/// The path.`";
        "doc" => "the doc comment in front of it is its description: write `/// The path.`";
        "help" => "the doc comment in front of it is its description: write `/// The path.`";
        "about" => "the doc comment in front of it is its description: write `/// The path.`";
        "alias" => "write `aliases(\"..\")`";
        "examples" => "write `example = ..`, one value";
        "enum" => "write `one_of(\"asc\", \"desc\")`";
        "enum_values" => "write `one_of(\"asc\", \"desc\")`";
        "rename" => "write `name = \"..\"`";
        "required" => "an `Option`, or one with `default = ..`, is what may be left out";
        "optional" => "take an `Option`, or write `default = ..`";
        "min" => "write `range = 1..`, or `length = 1..`";
        "max" => "write `range = ..=100`, or `length = ..=64`";
        "minimum" => "write `range = 1..`";
        "maximum" => "write `range = ..=100`";
        "step" => "write `multiple_of = 5`";
        "unique" => "write `unique_items`";
        "min_length" => "write `length = 1..`";
        "max_length" => "write `length = ..=64`";
        "regex" => "write `pattern = \"..\"`";
        "values" => "write `one_of(\"asc\", \"desc\")`";
        "choices" => "write `one_of(\"asc\", \"desc\")`";
    }
}

keys! {
    /// `#[toolset(..)]`
    ToolsetKeys of "toolset" {
        "prefix" => prefix: LitStr, as r#"prefix = "notes""#;
        "part" => part: Ident, as "part = Search";
        "deny_undocumented" => deny_undocumented: Bare, as "deny_undocumented";
        "cleanup" => cleanup: Expr, as "cleanup = self.forget(session).await";
        "crate" => runtime: Path, as "crate = my_app::toolwright";
    }
}

keys! {
    /// `#[tool(..)]` beside `#[derive(ToolEnum)]`
    ToolEnumKeys of "tool" {
        "crate" => runtime: Path, as "crate = my_app::toolwright";
    }
}

keys! {
    /// `#[tool_type(..)]`
    ToolTypeKeys of "tool_type" {
        "argument" => argument: Bare, as "argument";
        "result" => result: Bare, as "result";
        "deny_undocumented" => deny_undocumented: Bare, as "deny_undocumented";
        "crate" => runtime: Path, as "crate = my_app::toolwright";
    }
}
