//! The programs that only read, and the words with which they do.

use super::forms;
use crate::{LineCommand, Word};

/// The words that a program takes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Takes {
    /// Any words, and no file.
    Words,
    /// Files, and options none of which writes or runs anything.
    Files(Letters),
    /// Files or directories, the present one if none is named, and such options.
    Places(Letters),
    /// An expression, then places.
    Search(Letters),
    /// These letters without a value, these with one, these long names, and files: so many at most.
    Only(&'static str, &'static str, &'static str, usize),
    /// Words of a form of its own: the files among them, if they have it.
    Form(fn(&LineCommand) -> Option<Vec<Word>>),
}

/// Options of one letter that are no files. With others, all words are taken for files.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letters {
    pub(super) flags: &'static str,
    /// Those with a value. A letter that has one in only some implementations is a flag here: then the
    /// value is taken for a file.
    pub(super) valued: &'static str,
}

const fn letters(flags: &'static str, valued: &'static str) -> Letters {
    Letters { flags, valued }
}

const SUMS: Letters = letters("btwz", "");

/// Returns what a program takes, if it is one that only reads. The letters are those of GNU coreutils 9.1, grep
/// 3.8, diffutils 3.8, file 5.44 and util-linux 2.38.
#[allow(clippy::match_same_arms, reason = "each line has its own reason")]
pub(super) fn takes(program: &str) -> Option<Takes> {
    use Takes::{Files, Form, Only, Places, Search, Words};
    Some(match program {
        // They print what they are told, or nothing.
        "echo" | "true" | "false" | ":" | "basename" | "dirname" | "seq" | "sleep" => Words,
        // They end the line or a round of a loop.
        "exit" | "return" | "break" | "continue" => Words,
        // They say something of the system or the user, and take nothing to change it.
        "pwd" | "whoami" | "uname" | "nproc" | "arch" | "groups" | "id" | "which" | "type" => Words,
        // It translates its input; its words are sets of characters.
        "tr" => Words,
        // They print files, whole or in parts, to their output only.
        "cat" => Files(letters("AbeEnstTuv", "")),
        "head" => Files(letters("qvz0123456789", "cn")),
        "tail" => Files(letters("fFqrvz0123456789", "cn")),
        "nl" => Files(letters("p", "bdfhilnsvw")),
        "tac" => Files(letters("br", "s")),
        "rev" => Files(letters("", "")),
        "wc" => Files(letters("cmlLw", "")),
        "cut" => Files(letters("nsz", "bcdf")),
        "paste" => Files(letters("sz", "d")),
        "fold" => Files(letters("bs", "w")),
        "expand" => Files(letters("i", "t")),
        "comm" => Files(letters("123iz", "")),
        "cmp" => Files(letters("bls", "n")),
        // They print sums of files. `-c` reads files that a file names.
        "md5sum" | "sha1sum" | "sha256sum" | "sha512sum" => Files(SUMS),
        "cksum" => Files(letters("z", "al")),
        // They look at the names and properties of files.
        "stat" => Files(letters("Lft", "c")),
        "realpath" => Files(letters("emLPqsz", "")),
        "readlink" => Files(letters("femnqsvz", "")),
        // They look at files, and compare texts.
        "test" | "[" => Form(forms::test),
        "ls" => Places(letters("aAbBcCdDfFgGhHiIklLmnNopqQrRsStTuUvwxXZ1", "")),
        "du" => Places(letters("0abcDhHklLmPsSx", "Bdt")),
        "df" => Places(letters("ahHiklPTv", "Bx")),
        // Its options are about what is found and how it is shown; none runs anything or writes. `-e`
        // and `-f` say what is looked for, and `-R` follows links wherever they lead.
        "grep" | "egrep" | "fgrep" => {
            Search(letters("EFGPivwxyzsbnHhoqaIrLlcTUZ0123456789", "mABCdD"))
        }
        // `-o` and `-T` write, and `--compress-program` runs a program.
        "sort" => Only(
            "bdfghiMnRrVcCmsuz",
            "ktS",
            "reverse unique numeric-sort version-sort human-numeric-sort",
            usize::MAX,
        ),
        // Its second file is the one it writes.
        "uniq" => Only("cdDiuz", "fsw", "count repeated unique ignore-case", 1),
        // `-l` runs `pr`, and `-r` follows links wherever they lead.
        "diff" => Only(
            "uqNwbBiEyatspcdTZ",
            "UCI",
            "unified brief new-file ignore-all-space",
            usize::MAX,
        ),
        // `-o` writes.
        "tree" => Only("adfhps", "LIP", "dirsfirst gitignore", usize::MAX),
        // `-C` writes a compiled file, and `-z` runs programs that unpack.
        "file" => Only("biLkh", "", "brief mime-type mime", usize::MAX),
        // `-v` sets a variable, whose index may run a command; only a format that is no option.
        "printf" => Form(forms::printf),
        // `-s` sets the clock, and so does a word that is no format.
        "date" => Form(forms::date),
        // `-exec`, `-ok`, `-delete`, `-fprint` and their like run and write.
        "find" => Form(forms::find),
        // Its scripts write with `w` and run with `e`: only `-n` and lines that are printed.
        "sed" => Form(forms::sed),
        // It sets how the shell goes on when a command fails. Without words it prints all variables.
        "set" => Form(forms::set),
        // Variables that it sets count for every command of the line, so it does nothing itself.
        "export" => Form(forms::export),
        // `-v` says what a name is.
        "command" => Form(forms::command),
        _ => return None,
    })
}
