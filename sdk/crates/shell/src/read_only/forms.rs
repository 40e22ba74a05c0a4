//! Programs of which only some forms read only. Each gives the words that name files, if the command has
//! such a form.

use crate::lists::lists;
use crate::{LineCommand, Word, tested_files};

/// The words after the program.
fn words(part: &LineCommand) -> &[Word] {
    part.words().get(1..).unwrap_or_default()
}

/// `date`, and what it prints.
pub(super) fn date(part: &LineCommand) -> Option<Vec<Word>> {
    let mut words = words(part).iter();
    while let Some(word) = words.next() {
        let fine = match word.known()? {
            "-u" | "--utc" | "-R" | "-I" | "--iso-8601" => true,
            "-d" => words.next().is_some_and(|value| !value.splits()),
            text => {
                let given = ["+", "-I", "--iso-8601=", "--date=", "--rfc-3339="];
                given.iter().any(|start| text.starts_with(start))
            }
        };
        if !fine {
            return None;
        }
    }
    Some(Vec::new())
}

/// Tests and actions of `find` without a value, all of which look and print only.
const PLAIN: &str = "! ( ) , -a -and -daystart -depth -empty -executable -false -ls -mount -nogroup -noleaf -not -nouser \
                     -o -or -print -print0 -prune -quit -readable -true -writable -xdev -d";

/// Those with a value that is no file.
const VALUED: &str = "-amin -atime -cmin -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename \
                      -links -lname -maxdepth -mindepth -mmin -mtime -name -path -perm -printf -regex -size -type -uid \
                      -user -wholename";

/// `find`, with tests that look at names and properties. It does not follow links, but for those that
/// it is given after `-H`; `-L` is not taken.
pub(super) fn find(part: &LineCommand) -> Option<Vec<Word>> {
    let words = words(part);
    let mut at = words
        .iter()
        .take_while(|word| matches!(word.known(), Some("-H" | "-P")))
        .count();
    let mut places = Vec::new();
    while let Some(word) = words.get(at) {
        let begins = |start| word.may_start_with(start);
        if ["-", "(", "!", ","].into_iter().any(begins) {
            break;
        }
        places.push(word.clone());
        at += 1;
    }
    while let Some(word) = words.get(at) {
        let text = word.known()?;
        if lists(VALUED, text) {
            // The value has to be one word, whatever it is.
            if words.get(at + 1)?.splits() {
                return None;
            }
            at += 2;
        } else if lists(PLAIN, text) {
            at += 1;
        } else {
            return None;
        }
    }
    if places.is_empty() {
        places.push(Word::Known(".".into()));
    }
    Some(places)
}

/// `sed -n` with a script that prints lines by their numbers: `5p`, `1,20p`, `$p`, `1,5p;9p`.
pub(super) fn sed(part: &LineCommand) -> Option<Vec<Word>> {
    let [option, script, files @ ..] = words(part) else {
        return None;
    };
    let prints = |command: &str| {
        command
            .strip_suffix('p')
            .is_some_and(|lines| lines.split(',').count() <= 2 && lines.split(',').all(is_line))
    };
    let safe = option.known() == Some("-n") && script.known()?.split(';').all(prints);
    // Options may follow files.
    (safe && !files.iter().any(|word| word.may_start_with("-"))).then(|| files.to_vec())
}

fn is_line(text: &str) -> bool {
    text == "$" || (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `printf` with a format that is no option: the names that patterns find are shown.
pub(super) fn printf(part: &LineCommand) -> Option<Vec<Word>> {
    let words = words(part);
    let (format, values) = match words {
        [Word::Known(dashes), rest @ ..] if dashes == "--" => rest.split_first()?,
        words => words.split_first()?,
    };
    if format.splits() || format.may_start_with("-") {
        return None;
    }
    let shown = std::iter::once(format).chain(values);
    Some(shown.filter(|word| word.has_pattern()).cloned().collect())
}

/// `set -euo pipefail`: a line with other options is not understood at all.
pub(super) fn set(part: &LineCommand) -> Option<Vec<Word>> {
    let first = words(part).first()?.known()?;
    first.starts_with(['-', '+']).then(Vec::new)
}

/// `export NAME=value`. Not `-f`, nor `-p` and no words, which print.
pub(super) fn export(part: &LineCommand) -> Option<Vec<Word>> {
    let words = words(part);
    let sets = |word: &Word| match word {
        Word::Known(text) => !text.starts_with('-'),
        Word::Unknown(unknown) => unknown.prefix.contains('='),
    };
    (!words.is_empty() && words.iter().all(sets)).then(Vec::new)
}

/// `test` and `[`: the files that they look at.
pub(super) fn test(part: &LineCommand) -> Option<Vec<Word>> {
    tested_files(part.program()?, words(part))
}

/// `command -v name`.
pub(super) fn command(part: &LineCommand) -> Option<Vec<Word>> {
    matches!(words(part).first()?.known()?, "-v" | "-V").then(Vec::new)
}
