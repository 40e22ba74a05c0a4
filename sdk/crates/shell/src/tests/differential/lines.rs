//! Random lines.

use super::bash::STUBS;

/// Random lines (a xorshift generator: the same lines for the same seed).
pub(super) struct Lines {
    state: u64,
}

impl Lines {
    /// The lines of a case, which are of no other.
    pub(super) fn of_case(number: usize) -> Self {
        // Splitmix64, so that neighbours have nothing in common.
        let mut state = u64::try_from(number)
            .unwrap()
            .wrapping_add(1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self {
            state: (state ^ (state >> 31)) | 1,
        }
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state % u64::try_from(end).unwrap()).unwrap()
    }

    pub(super) fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    fn word(&mut self, depth: usize) -> String {
        let plain = [
            "a",
            "'b c'",
            "\"d e\"",
            "\\;f",
            "$'g\\x41\\n'",
            "a#b",
            "''",
            "x=1",
            "\"h\\\"i\"",
            "'$(p0)'",
            "n\\\no",
            "${u:-i}",
            "*",
            "{j,k}",
            "$((1+2))",
            "'it'\\''s'",
            "-rf",
            "\"`p1 z`\"",
            "#c",
            "~",
            "\"a;b&&c\"",
            "a\\ b",
            "$u",
            "\"$u\"",
            "\"\\$(p2)\"",
            "${u}",
            "x[1]",
            "'a\nb'",
            "\"\\\\\"",
            "!",
            "{}",
            "$",
            "é",
            "a=~/b",
            "[a]",
            "\"${u:-$(p3 q)}\"",
            "${u:-`p2 q`}",
            "@(a)",
            "${#u}",
        ];
        if depth == 0 || self.below(4) > 0 {
            return self.one(&plain).to_owned();
        }
        let inner = self.list(depth - 1);
        match self.below(5) {
            0 => format!("$({inner})"),
            1 => format!("\"x$({inner})y\""),
            2 => format!("<({inner})"),
            3 if !inner.contains(['`', '\\', '\n']) => format!("`{inner}`"),
            _ => format!("pre$({inner} )"),
        }
    }

    fn simple(&mut self, depth: usize) -> String {
        let mut text = String::new();
        match self.below(14) {
            0 => text.push_str("V=1 "),
            1 => text.push_str("env -u Z W=2 "),
            2 => text.push_str("nice -n 1 "),
            3 => text.push_str("timeout 5 "),
            4 => text.push_str("command "),
            5 => text.push_str("xargs -n 9 "),
            6 => text.push_str("builtin eval "),
            7 => text.push_str(">f1 2>&1 "),
            _ => {}
        }
        if depth > 0 && self.below(8) == 0 {
            let inner = self.list(depth - 1).replace('\'', r"'\''");
            let runs = self.one(&["bash -c", "eval", "bash -ec", "env bash -c"]);
            return format!("{text}{runs} '{inner}'");
        }
        text.push_str(self.one(&STUBS));
        for _ in 0..self.below(4) {
            text.push(' ');
            text.push_str(&self.word(depth));
        }
        text.push_str(self.one(&["", "", "", " >f2", " 2>/dev/null", " <<<x", " >&2", " &>f3"]));
        text
    }

    fn command(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(3) > 0 {
            return self.simple(depth);
        }
        let a = self.list(depth - 1);
        let b = self.list(depth - 1);
        let word = self.word(depth - 1);
        match self.below(13) {
            0 => format!("({a})"),
            1 => format!("{{ {a}\n}}"),
            2 => format!("if {a}\nthen {b}\nelse p0\nfi"),
            3 => format!("for v in {word} 2; do {a}\ndone"),
            4 => format!("case {word} in a) {a}\n;; *) {b}\n;; esac"),
            5 => format!("until {a}\ndo {b}\ndone"),
            6 => format!("! {a}"),
            7 => format!("time {a}"),
            8 => format!("p1 <<E\nx $({a}) 'y\nE"),
            9 => format!("p2 <<'E'\n$({a})\nE"),
            10 => format!("p3 \"$(cat <<'E'\nit's {a}\nE\n)\""),
            11 => format!("[[ -n {word} ]] && {b}"),
            _ => format!("p0 -m \"$(cat <<E\n$({a}) ok\nE\n)\""),
        }
    }

    pub(super) fn list(&mut self, depth: usize) -> String {
        let mut text = self.command(depth);
        for _ in 0..self.below(3) {
            // After a here-document, only a new line ends the command.
            let document = text.ends_with("\nE");
            let between = if document {
                "\n"
            } else {
                self.one(&[
                    "; ", " && ", " || ", " | ", "\n", " & ", " |& ", " # c\n", ";",
                ])
            };
            text.push_str(between);
            text.push_str(&self.command(depth));
        }
        if text.ends_with("\nE") {
            text.push('\n');
        }
        text
    }

    /// A line with some characters taken out or put in.
    pub(super) fn mangled(&mut self, line: &str) -> String {
        let mut chars: Vec<char> = line.chars().collect();
        let odd: Vec<char> = "'\"\\$(){};|&<>\n #`[]!*~=-E".chars().collect();
        for _ in 0..=self.below(3) {
            let at = self.below(chars.len() + 1);
            match self.below(3) {
                0 if at < chars.len() => {
                    chars.remove(at);
                }
                1 if at < chars.len() => {
                    let from = self.below(chars.len());
                    chars.swap(at, from);
                }
                _ => chars.insert(at, odd[self.below(odd.len())]),
            }
        }
        chars.into_iter().collect()
    }
}
