//! Commands that only read.
//!
//! The list is small, and each entry has its reason. A program is not here if an option of it writes,
//! runs something or opens a connection, unless the options that do not are listed: then only these
//! are taken, spelled out, and with any other the command does not count. So `find` (`-exec`,
//! `-delete`), `sed` (`-i`, `w`, `e`), `awk` (`system`, `>`), `git` (aliases, pagers, hooks), `less` (`!`),
//! `tee`, `xargs` and all interpreters are not here.

use std::path::Path;

use super::files::{self, Access, FileUse};
use super::part::Part;
use super::word::Word;
use crate::permission::policy::command;

/// What a program takes.
#[derive(Debug, Clone, Copy)]
enum Takes {
    /// Any words, and no file.
    Words,
    /// Files, and options none of which writes or runs anything.
    Files,
    /// Files or directories, the present one if none is named, and such options.
    Places,
    /// An expression, then places.
    Search,
    /// These letters without a value, these with one, these long names, and files: so many at most.
    Only(&'static str, &'static str, &'static [&'static str], usize),
}

#[allow(clippy::match_same_arms, reason = "each line has its own reason")]
fn takes(program: &str) -> Option<Takes> {
    use Takes::{Files, Only, Places, Search, Words};
    Some(match program {
        // They print what they are told, or nothing.
        "echo" | "true" | "false" | ":" | "basename" | "dirname" | "seq" | "sleep" => Words,
        // They say something of the system or the user, and take nothing to change it.
        "pwd" | "whoami" | "uname" | "nproc" | "arch" | "groups" | "id" | "which" | "type" => Words,
        // It translates its input; its words are sets of characters.
        "tr" => Words,
        // They print files, whole or in parts, to their output only.
        "cat" | "head" | "tail" | "nl" | "tac" | "rev" | "wc" | "cut" | "paste" | "fold"
        | "expand" | "comm" | "cmp" => Files,
        // They print sums of files.
        "md5sum" | "sha1sum" | "sha256sum" | "sha512sum" | "cksum" => Files,
        // They look at the names and properties of files.
        "stat" | "realpath" | "readlink" | "test" | "[" => Files,
        "ls" | "du" | "df" => Places,
        // Its options are about what is found and how it is shown; none runs anything or writes.
        "grep" | "egrep" | "fgrep" => Search,
        // `-o` and `-T` write, and `--compress-program` runs a program.
        "sort" => Only(
            "bdfghiMnRrVcCmsuz",
            "ktS",
            &[
                "reverse",
                "unique",
                "numeric-sort",
                "version-sort",
                "human-numeric-sort",
            ],
            usize::MAX,
        ),
        // Its second file is the one it writes.
        "uniq" => Only(
            "cdDiuz",
            "fsw",
            &["count", "repeated", "unique", "ignore-case"],
            1,
        ),
        // `-l` runs `pr`.
        "diff" => Only(
            "uqrNwbBiEyats",
            "UCxI",
            &[
                "unified",
                "brief",
                "recursive",
                "new-file",
                "ignore-all-space",
            ],
            usize::MAX,
        ),
        // `-o` writes.
        "tree" => Only("adfhps", "LIP", &["dirsfirst", "gitignore"], usize::MAX),
        // `-C` writes a compiled file.
        "file" => Only("biLkz", "", &["brief", "mime-type", "mime"], usize::MAX),
        // `-v` sets a variable, whose index may run a command; only a format that is no option.
        "printf" => Only("", "", &[], usize::MAX),
        _ => return None,
    })
}

/// The files that a command reads, if it is known to do nothing but read. The line starts in this directory.
pub(crate) fn read_only(part: &Part, start: &Path) -> Option<Vec<FileUse>> {
    let program = part.program()?;
    if !command::is_harmless(part) {
        return None;
    }
    let words = part.words().get(1..)?;
    if program == "cd" {
        // Where to has to be known: what follows runs there.
        let [Word::Known(path)] = words else {
            return None;
        };
        return (!path.starts_with('-')).then(Vec::new);
    }
    let operands = match takes(program)? {
        Takes::Words => return Some(Vec::new()),
        Takes::Files | Takes::Places => words,
        Takes::Search => after_expression(words),
        Takes::Only(flags, valued, long, most) => {
            let operands = only(words, flags, valued, long)?;
            if program == "printf" {
                return Some(Vec::new());
            }
            let splits = most != usize::MAX && operands.iter().any(Word::splits);
            if splits || operands.len() > most {
                return None;
            }
            return Some(reads(&operands, true, part, start));
        }
    };
    let mut files = reads(operands, false, part, start);
    let place = matches!(takes(program)?, Takes::Places | Takes::Search);
    if place
        && !operands
            .iter()
            .any(|word| word.known().is_none_or(|text| !text.starts_with('-')))
    {
        files.push(FileUse {
            access: Access::Read,
            path: part.directory(start),
            shown: ".".into(),
        });
    }
    Some(files)
}

/// The words after the expression of a search, unless an option gave it.
fn after_expression(words: &[Word]) -> &[Word] {
    let gives = |word: &Word| match word.known() {
        Some(text) => text.starts_with("-e") || text.starts_with("-f") || text.starts_with("--"),
        None => word.splits(),
    };
    let first = words
        .iter()
        .position(|word| word.known().is_none_or(|text| !text.starts_with('-')));
    match first {
        // Any letters before an `e` may be joined with it; then the first word is taken as a file too.
        Some(first) if !words.iter().take(first + 1).any(gives) => {
            words.get(first + 1..).unwrap_or_default()
        }
        _ => words,
    }
}

/// The words that are no options, if all options are among these.
fn only(words: &[Word], flags: &str, valued: &str, long: &[&str]) -> Option<Vec<Word>> {
    let mut operands = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.known() else {
            if word.may_start_with("-") {
                return None;
            }
            operands.push(word.clone());
            continue;
        };
        if text == "--" {
            operands.extend(rest.cloned());
            break;
        }
        if let Some(name) = text.strip_prefix("--") {
            if !long.contains(&name) {
                return None;
            }
        } else if let Some(letters) = text.strip_prefix('-').filter(|rest| !rest.is_empty()) {
            let plain = letters.trim_start_matches(|c| flags.contains(c));
            match plain.chars().next() {
                None => {}
                Some(c) if valued.contains(c) => {
                    let joined = plain.len() > c.len_utf8();
                    if !joined && rest.next()?.splits() {
                        return None;
                    }
                }
                Some(_) => return None,
            }
        } else {
            operands.push(word.clone());
        }
    }
    Some(operands)
}

/// The files that words name, to be read; the words may be options if they begin so.
fn reads(words: &[Word], all_operands: bool, part: &Part, start: &Path) -> Vec<FileUse> {
    let directory = part.directory(start);
    let mut files = Vec::new();
    for word in words {
        // An operand is one file; an option may have one in it.
        let whole = word
            .known()
            .is_some_and(|text| all_operands || !text.starts_with('-'));
        let mut found = files::of_word(word, directory.as_deref());
        if whole {
            found.retain(|(_, shown)| Some(shown.as_str()) == word.known());
        } else if let Some(option) = word.known() {
            // Of the options of these programs that take a file, only these may have it joined.
            let joined = matches!(part.program(), Some("grep" | "egrep" | "fgrep" | "du"));
            let value = option.split_once('=').map(|(_, value)| value);
            found.retain(|(_, shown)| {
                !shown.starts_with('-') && (joined || value == Some(shown.as_str()))
            });
        }
        files.extend(found.into_iter().map(|(path, shown)| FileUse {
            access: Access::Read,
            path,
            shown,
        }));
    }
    files
}

#[cfg(all(test, unix))]
#[allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]
mod tests {
    use super::*;
    use crate::permission::policy::shell::ShellLine;

    /// What a line reads, if all it does is read.
    fn reads(line: &str) -> Option<Vec<String>> {
        let line = ShellLine::parse(line).unwrap();
        let files = read_only(&line.parts()[0], Path::new("/r"))?;
        let shown = |file: &FileUse| match &file.path {
            Some(path) => path.display().to_string(),
            None => "?".to_owned(),
        };
        Some(files.iter().map(shown).collect())
    }

    #[test]
    fn what_only_reads_says_what() {
        let cases: [(&str, &[&str]); 21] = [
            ("ls", &["/r"]),
            ("ls -la", &["/r"]),
            ("wc --files0-from=f", &["/r/f"]),
            ("ls -la src /x", &["/r/src", "/x"]),
            ("cat a ../b", &["/r/a", "/r/../b"]),
            ("cat $X", &["?"]),
            ("head -20 a", &["/r/a"]),
            ("tail -n 5 a", &["/r/5", "/r/a"]),
            ("wc -l", &[]),
            ("echo a $X", &[]),
            ("printf '%s\\n' a", &[]),
            ("grep -r x src", &["/r/src"]),
            ("grep x", &["/r"]),
            ("grep -e x src", &["/r/x", "/r/src"]),
            ("sort -u -k 2 a", &["/r/a"]),
            ("sort -- -o", &["/r/-o"]),
            ("uniq -c a", &["/r/a"]),
            ("diff -u a b", &["/r/a", "/r/b"]),
            ("cd src", &[]),
            ("[ -f a ]", &["/r/a", "/r/]"]),
            ("LC_ALL=C ls a", &["/r/a"]),
        ];
        for (line, expected) in cases {
            assert_eq!(
                reads(line).as_deref(),
                Some(expected.map_into()).as_deref(),
                "{line}"
            );
        }
    }

    trait MapInto {
        fn map_into(&self) -> Vec<String>;
    }

    impl MapInto for &[&str] {
        fn map_into(&self) -> Vec<String> {
            self.iter().map(|text| (*text).to_owned()).collect()
        }
    }

    #[test]
    fn what_may_do_more_does_not_count() {
        for line in [
            "sort -o f a",
            "sort -uof a",
            "sort --output=f a",
            "sort --outp=f a",
            "sort --compress-program=x a",
            "sort -T d a",
            "sort $X",
            "sort a -o f",
            "uniq a b",
            "uniq $X",
            "diff -l a b",
            "tree -o f",
            "file -C -m x",
            "printf -v x y",
            "find . -name x",
            "sed -n p a",
            "awk 1 a",
            "git log",
            "tee f",
            "rm f",
            "cd $X",
            "cd -",
            "./ls",
            "/bin/ls",
            "PATH=. ls",
            "$X",
            "rg x",
        ] {
            assert_eq!(reads(line), None, "{line}");
        }
    }
}
