//! A line of bash, taken apart into the commands that it would run and the files that the shell would open for it.
//!
//! A program that judges lines before it runs them, such as an agent's permission check, has to know every command in
//! them: behind `;`, `&&` and `|`, in `$(..)`, behind `sudo`, `env`, `xargs`, `find -exec` and `sh -c`. What is not
//! understood is an error, [`Unparsable`], and never guessed; what is not known before the run, such as a variable, is a
//! [`Word::Unknown`].
//!
//! ```
//! use std::path::Path;
//! use toolwright_shell::{Access, ShellLine, Word};
//!
//! let line = ShellLine::parse("git log -3 && sudo rm $X > out.txt")?;
//! let programs: Vec<_> = line.commands().iter().map(|command| command.program()).collect();
//! assert_eq!(programs, [Some("git"), Some("sudo"), Some("rm")]);
//! assert!(matches!(line.commands()[2].words()[1], Word::Unknown(_)));
//!
//! let files = line.files(Path::new("/srv/app"));
//! assert_eq!(files[0].path.as_deref(), Some(Path::new("/srv/app/out.txt")));
//! assert_eq!(files[0].access, Access::Write);
//!
//! // Nobody knows what this runs.
//! assert!(ShellLine::parse("echo ${x:-$(rm y)").is_err());
//! # Ok::<(), toolwright_shell::Unparsable>(())
//! ```
//!
//! | to do | |
//! |---|---|
//! | take a line apart | [`ShellLine::parse`], [`ShellLine::from_words`] for a command without a shell |
//! | see its commands | [`ShellLine::commands`]: a [`LineCommand`] has its words, variables, directories and the commands that run it |
//! | see what is not known | [`Word`], [`Unknown`] |
//! | see its files | [`ShellLine::files`], [`LineCommand::read_only`], [`LineCommand::named_files`], [`LineCommand::outputs`]: each a [`FileUse`] |
//! | see which directories a command goes through | [`LineCommand::descent`] |
//! | read a command that a person wrote in a setting | [`plain_command`] |
//! | write words as bash takes them for the same | [`quoted`] |
//!
//! `toolwright-policy` judges lines with this crate, and [toolwright](https://docs.rs/toolwright) runs tools under it.
//!
//! # Limits
//!
//! Not seen are the effect of a program's words, except for programs that are known to run others; the text that `source`
//! reads; aliases and functions from outside of the line; the effect of environment variables on the shell. A line can
//! change variables for what comes later in it: these count for all of its commands.
//!
//! The parser is that of [`brush`](https://docs.rs/brush-parser), within bounds; what it reads otherwise than bash is
//! refused before. Random lines are compared with what the bash of the machine runs.

// The files:
//
// | from a text to a line | |
// | `line`, `unparsable` | the result |
// | `read`, `parse`, `screen/` | the entry, the parser's crate within bounds, the look at a text before |
// | `walk`, `compound`, `simple`, `redirect` | the visit of each node of the tree |
// | `expand/`, `ansi`, `arithmetic`, `braces`, `documents`, `glob` | words |
// | `wrapper`, `find`, `text`, `options` | commands that run others |
// | `builtin`, `test`, `variables`, `loops`, `bind` | commands that change the shell itself |
//
// | questions about a command | |
// | `part`, `word`, `files/`, `outputs`, `descent`, `read_only/`, `environment` | |
//
// | for people | |
// | `pattern`, `quote` | |
//
// `lists` has the format of all tables of words.

mod ansi;
mod arithmetic;
mod begins_no_name;
mod bind;
mod braces;
mod builtin;
mod compound;
mod descent;
mod documents;
mod environment;
mod expand;
mod files;
mod find;
mod glob;
mod line;
mod lists;
mod loops;
mod options;
mod outputs;
mod parse;
mod part;
mod pattern;
mod quote;
mod read;
mod read_only;
mod redirect;
mod screen;
mod simple;
mod test;
#[cfg(test)]
mod tests;
mod text;
mod unparsable;
mod variables;
mod walk;
mod word;
mod wrapper;

pub use descent::Descent;
pub use files::{Access, FileUse};
pub use line::ShellLine;
pub use part::{Assignment, LineCommand};
pub use pattern::{NotPlain, PlainWord, plain_command};
pub use quote::quoted;
use test::files as tested_files;
pub use unparsable::Unparsable;
pub use word::{Unknown, Word};
