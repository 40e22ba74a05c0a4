//! Which programs only read, and with which words.

/// What a program takes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Takes {
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
pub(super) fn takes(program: &str) -> Option<Takes> {
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
