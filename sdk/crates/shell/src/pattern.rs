//! A plain command as people write it in a pattern or a setting.

use std::fmt;

use brush_parser::ast::{AndOrList, Command, CommandPrefixOrSuffixItem, Pipeline};

use super::Unparsable;
use super::read::{literal, tree};

/// A word of a [plain command](plain_command).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlainWord {
    /// The word as it is written, with its quotes.
    pub written: String,
    /// The meaning of the word. `None` if that is not known before the command runs, as of `$HOME` and `*.rs`.
    pub meant: Option<String>,
}

/// The reason why a text is no [plain command](plain_command).
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotPlain {
    /// The text is not understood.
    #[error(transparent)]
    Unparsable(#[from] Unparsable),
    /// There is no command, or more than one.
    #[error("it is not one command")]
    NotOne,
    /// There are operators of the shell, such as `|`.
    #[error("it has operators of the shell")]
    Operators,
    /// Variables are set, or files opened, before the command.
    #[error("it sets variables or opens files")]
    Prefix,
    /// Files are opened after the command.
    #[error("it opens files")]
    OpensFiles,
}

/// Writes the text, so that `?` in `main` and `unwrap` print what a person can read.
impl fmt::Debug for NotPlain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Returns the words of a text that is one command without operators, variables and redirections.
///
/// ```
/// use toolwright_shell::{NotPlain, plain_command};
///
/// let words = plain_command("git log 'a b' *")?;
/// let meant: Vec<_> = words.iter().map(|word| word.meant.as_deref()).collect();
/// assert_eq!(meant, [Some("git"), Some("log"), Some("a b"), None]);
/// assert_eq!(plain_command("git log | cat"), Err(NotPlain::Operators));
/// # Ok::<(), NotPlain>(())
/// ```
///
/// # Errors
///
/// Fails if the text is anything else.
pub fn plain_command(text: &str) -> Result<Vec<PlainWord>, NotPlain> {
    let word = |written: String| PlainWord {
        meant: literal(&written),
        written,
    };
    Ok(written_words(text)?.into_iter().map(word).collect())
}

fn written_words(text: &str) -> Result<Vec<String>, NotPlain> {
    let program = tree(text)?;
    let chains: Vec<&AndOrList> = program
        .complete_commands
        .iter()
        .flat_map(|list| list.0.iter().map(|item| &item.0))
        .collect();
    let [chain] = chains.as_slice() else {
        return Err(NotPlain::NotOne);
    };
    let Pipeline { timed, bang, seq } = &chain.first;
    let ([Command::Simple(simple)], true, None, false) =
        (seq.as_slice(), chain.additional.is_empty(), timed, bang)
    else {
        return Err(NotPlain::Operators);
    };
    if simple.prefix.is_some() {
        return Err(NotPlain::Prefix);
    }
    let mut words: Vec<String> = simple
        .word_or_name
        .iter()
        .map(|word| word.value.clone())
        .collect();
    for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
        match item {
            CommandPrefixOrSuffixItem::Word(word)
            | CommandPrefixOrSuffixItem::AssignmentWord(_, word) => words.push(word.value.clone()),
            CommandPrefixOrSuffixItem::IoRedirect(_)
            | CommandPrefixOrSuffixItem::ProcessSubstitution(..) => {
                return Err(NotPlain::OpensFiles);
            }
        }
    }
    Ok(words)
}
