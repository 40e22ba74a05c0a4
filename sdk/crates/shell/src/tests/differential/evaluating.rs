//! Lines in which bash evaluates: values that are expressions, names and indices, put wherever bash works
//! something out, sets a variable or opens a file.

use super::lines::Lines;

/// Names that lines set and read; some of them decide what later commands do.
const NAMES: [&str; 12] = [
    "x",
    "y",
    "a",
    "i",
    "HOME",
    "PATH",
    "CDPATH",
    "GLOBIGNORE",
    "IFS",
    "GIT_DIR",
    "LC_ALL",
    "PS4",
];

/// Values, each one word of bash.
const VALUES: [&str; 22] = [
    "5",
    "0",
    "7",
    "y",
    "x",
    "-v",
    "HOME",
    "'b[$(p3 value)]'",
    "'a[b[$(p2 deep)]]'",
    "HOME=5",
    "PATH=6",
    "CDPATH=7",
    "GLOBIGNORE=1",
    "x++",
    "'a[0]'",
    "1+1",
    "\"$y\"",
    "$(cat v)",
    "\"$(cat v)\"",
    "'$(p1 text)'",
    "\"$((2))\"",
    "v",
];

/// Expressions.
const EXPRESSIONS: [&str; 24] = [
    "1+2",
    "x",
    "$x",
    "i+1",
    "i++",
    "y*2",
    "HOME=5",
    "GLOBIGNORE=1",
    "CDPATH+=1",
    "x=y",
    "a[x]",
    "a[0]",
    "a[0]+$(cat v)",
    "a[a[0]+$(cat v)]",
    "b[$(p3 index)]+$(cat v)",
    "${x}",
    "`p2 old`",
    "x ? HOME=1 : 2",
    "$((x))",
    "(x)+1",
    "RANDOM",
    "0,PATH=3",
    "_",
    "\"x\"",
];

impl Lines {
    /// A line that sets, evaluates and runs.
    pub(super) fn evaluating(&mut self) -> String {
        let mut parts = Vec::new();
        for _ in 0..self.below(3) {
            parts.push(self.sets());
        }
        for _ in 0..=self.below(2) {
            parts.push(self.evaluates());
        }
        if self.below(2) == 0 {
            parts.push(
                self.one(&["p0 \"$x\"", "p1 $i", "p2 ~", "git status", "p0 *"])
                    .to_owned(),
            );
        }
        let between = self.one(&["; ", "\n", " && ", "; "]);
        parts.join(between)
    }

    fn name(&mut self) -> &'static str {
        self.one(&NAMES)
    }

    fn value(&mut self) -> &'static str {
        self.one(&VALUES)
    }

    fn expression(&mut self) -> &'static str {
        self.one(&EXPRESSIONS)
    }

    fn sets(&mut self) -> String {
        // Mostly names of no meaning: a line that sets another is soon one that asks.
        let name = if self.below(5) == 0 {
            self.name()
        } else {
            self.one(&["x", "y", "a", "i"])
        };
        let value = self.value();
        match self.below(12) {
            0 => format!("for {name} in {value}; do :; done"),
            1 => format!("read {name} <<< {value}"),
            2 => format!(": ${{{name}:={value}}}"),
            3 => format!("printf -v {name} %s {value}"),
            4 => format!("export {name}={value}"),
            5 => format!("declare {name}={value}"),
            6 => format!("{name}=({value} 1)"),
            7 => format!("set -- {value}"),
            8 => format!("{name}+={value}"),
            _ => format!("{name}={value}"),
        }
    }

    #[allow(clippy::too_many_lines, reason = "a list of forms")]
    fn evaluates(&mut self) -> String {
        let (name, e, value, other) = (self.name(), self.expression(), self.value(), self.value());
        match self.below(64) {
            0 | 1 => format!("echo $(({e}))"),
            2 => format!("echo $[{e}]"),
            3 => format!("(({e}))"),
            4 => format!("for (({e};0;0)); do :; done"),
            5 => format!("let '{e}'"),
            6 => format!("let {value}"),
            7 => format!("echo ${{a[{e}]}}"),
            8 => format!("echo ${{x:{e}}}"),
            9 => format!("echo \"${{x:0:{e}}}\""),
            10 => format!("a[{e}]=1"),
            11 => format!("a=([{e}]=1)"),
            12 => format!("p0 {{{name}}}>f1"),
            13 => format!("p0 {{a[{e}]}}>f1"),
            14 => format!("exec {{{name}}}<v"),
            15 => format!("p1 {{{name}}}>&1"),
            16 => format!("[[ -v {value} ]]"),
            17 => format!("[[ -v a[{e}] ]]"),
            18 => format!("[[ {value} -eq 1 ]]"),
            19 => format!("[[ {name} -lt $x ]]"),
            20 => format!("test -v {value}"),
            21 => format!("[ {value} -eq 0 ]"),
            22 => format!("[ {value} {other} ]"),
            23 => format!("test {value} {other}"),
            24 => "[ $x $y ]".to_owned(),
            25 => "[ \"$x\" \"$y\" ]".to_owned(),
            26 => format!("[ -n {value} -a {other} 1 ]"),
            27 => format!("printf -v {value} 1"),
            28 => format!("printf -v{value} 1"),
            29 => format!("printf 'abc%n' {name}"),
            30 => format!("printf \"$x\" {name}"),
            31 => format!("printf {value} {name}"),
            32 => format!("declare -i {name}={value}"),
            33 => format!("declare -i x; x={value}"),
            34 => format!("declare 'a[{e}]=1'"),
            35 => format!("declare {value}=1"),
            36 => format!("declare -n r={value}; r=1"),
            37 => format!("typeset -g {name}={value}"),
            38 => format!("readonly {name}={value}"),
            39 => format!("read {value} <<< 1"),
            40 => format!("read -a {name} <<< {value}"),
            41 => format!("mapfile {name} <<< {value}"),
            42 => format!("mapfile -O {value} a <<< 1"),
            43 => format!("unset 'a[{e}]'"),
            44 => format!("unset {value}"),
            45 => format!("unset {name}"),
            46 => format!("p0 & wait -p {value} -n"),
            47 => format!("getopts ab {name} -a"),
            48 => format!("getopts ab {value} -b"),
            49 => format!("echo ${{!x}} {value}"),
            50 => "echo ${x@P}".to_owned(),
            51 => format!("echo ${{{name}:={value}}}"),
            52 => format!("coproc {name} {{ p2; }}; wait"),
            53 => format!("{name}={value} p1"),
            54 => format!("OPTIND={value}"),
            55 => format!("SECONDS={value}; echo"),
            56 => format!("BASH_ARGV0={value}"),
            57 => format!("( (p2 {value}) )"),
            58 => format!("((p2 {value}) )"),
            59 => format!("shift {value}; echo"),
            60 => format!("env {name}={value} p0"),
            61 => format!("cd {value}; p0 *"),
            62 => format!("x={value}; echo $((x))"),
            _ => format!("x={value}; p0 ${{a[x]}} >f$((x))"),
        }
    }
}
