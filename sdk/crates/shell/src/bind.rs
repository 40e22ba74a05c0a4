//! The loops of a line as it is walked, and their variables in it.

use super::lists::lists;
use super::loops::{Loop, Start, counts_as_loops};
use super::walk::Walk;
use super::word::Word;

/// The builtins that set variables by their names, or run texts that do.
const SETTERS: &str = ". declare eval export getopts let local mapfile read readarray readonly shopt source typeset \
                       unset wait";

impl Walk {
    /// The place before the body of a loop.
    pub(super) fn before_body(&self) -> Start {
        Start {
            parts: self.parts.len(),
            redirects: self.redirects.len(),
            directory: self.directory.clone(),
        }
    }

    /// Keeps the values of a loop whose body was walked.
    pub(super) fn note_loop(&mut self, name: &str, values: Vec<Word>, start: Start) {
        self.loops.push(Loop {
            name: name.to_owned(),
            values,
            parts: start.parts..self.parts.len(),
            redirects: start.redirects..self.redirects.len(),
            directory: start.directory,
            outer: self.outer.len(),
        });
    }

    /// Puts what the variables of loops become in place of them. `source` is the text of the line.
    pub(super) fn bind_loops(&mut self, source: &str) {
        let loops = std::mem::take(&mut self.loops);
        if loops.is_empty() {
            return;
        }
        let sets_by_name = self.parts.iter().any(|part| match part.program() {
            Some("printf") => {
                let first = part.words().get(1);
                first.is_some_and(|word| word.may_start_with("-"))
            }
            Some(program) => lists(SETTERS, program),
            None => true,
        });
        if sets_by_name || self.patterns_change {
            return;
        }
        for each in &loops {
            let same = loops.iter().filter(|other| other.name == each.name);
            let is_own = counts_as_loops(source, &each.name) == Some(same.count());
            // A loop in a loop of the same variable goes on with the inner one's last value.
            let nested = loops.iter().any(|other| {
                other.name == each.name
                    && other.parts != each.parts
                    && other.parts.start >= each.parts.start
                    && other.parts.end <= each.parts.end
            });
            if !is_own || nested {
                continue;
            }
            for part in self.parts.get_mut(each.parts.clone()).unwrap_or_default() {
                if part.outer.len() == each.outer {
                    let stays = part.directory == each.directory;
                    for word in part.words.iter_mut().skip(1) {
                        each.bind(word, stays);
                    }
                }
            }
            let redirects = self.redirects.get_mut(each.redirects.clone());
            for redirect in redirects.unwrap_or_default() {
                let stays = redirect.directory == each.directory;
                each.bind(&mut redirect.target, stays);
            }
        }
    }
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]
mod tests {
    use super::super::ShellLine;
    use super::Word;

    /// Returns what the words of the last command become.
    fn becomes(line: &str) -> Vec<String> {
        // The words of a line that is not understood are not known.
        let Ok(line) = ShellLine::parse(line) else {
            return vec!["?".to_owned()];
        };
        let words = line.commands().last().unwrap().words().iter().skip(1);
        words
            .flat_map(|word| match word {
                Word::Unknown(unknown) if !unknown.braced.is_empty() => unknown.braced.clone(),
                word => vec![word.clone()],
            })
            .map(|word| match word {
                Word::Known(text) => text,
                Word::Unknown(unknown) if unknown.pattern.is_some() => "a pattern".to_owned(),
                Word::Unknown(_) => "?".to_owned(),
            })
            .collect()
    }

    #[test]
    fn the_variable_of_a_loop_becomes_its_values() {
        for (line, expected) in [
            ("for f in a b; do cat $f; done", &["a", "b"][..]),
            ("for f in a b; do cat \"$f\"; done", &["a", "b"]),
            (
                "for f in a b; do cat \"x/${f}.rs\"; done",
                &["x/a.rs", "x/b.rs"],
            ),
            ("for f in {a,b}.rs; do cat $f; done", &["a.rs", "b.rs"]),
            ("for f in 'a b'; do cat \"$f\"; done", &["a b"]),
            ("for f in *.rs; do cat \"$f\"; done", &["a pattern"]),
            (
                "for f in a; do cat $f; done; for f in b; do cat $f; done",
                &["b"],
            ),
        ] {
            assert_eq!(becomes(line), expected, "{line}");
        }
    }

    #[test]
    fn a_variable_that_may_be_set_elsewhere_stays_unknown() {
        for line in [
            "for f in a b; do f=x; cat $f; done",
            "for f in a b; do read f; cat $f; done",
            "for f in a b; do read fo\"\"o; cat $f; done",
            "for foo in a; do read -af\"\"oo; cat $foo; done",
            "for f in a b; do printf -vf x; cat $f; done",
            "for f in a; do : ${f:=x}; cat $f; done",
            "for f in 'a b'; do cat $f; done",
            "for f in '*'; do cat $f; done",
            "for f in $(ls); do cat $f; done",
            "for f in a; do cat $ff; done",
            "for f in a; do cat \"${f%.rs}\"; done",
            "for f in a; do for f in b; do :; done; cat $f; done",
            "for f in *.rs; do cat \"src/$f\"; done",
            "for f in a; do :; done; cat $f",
        ] {
            assert!(becomes(line).contains(&"?".to_owned()), "{line}");
        }
    }
}
