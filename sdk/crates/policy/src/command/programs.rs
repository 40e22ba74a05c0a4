//! Facts about common programs: which options take a value before the sub-command, which long
//! option is which letter, and which programs run none of their words. A program that is not here is
//! judged by the general rules, which ask more often.
//!
//! The options are those that git 2.47, cargo 1.95, docker, kubectl, npm 11 and GNU coreutils 9.1 say of
//! themselves with `--help`. Those of `podman` are from its manual; those of
//! `gh`, `pnpm` and `yarn` were not tried.

use toolwright_shell::Word;

/// Returns true if a list, a text with blanks between the words, has a word.
pub(super) fn lists(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

/// The options that take the next word as their value, before a sub-command.
pub(super) fn valued(program: &str) -> &'static str {
    match program {
        "git" => {
            "-C -c --git-dir --work-tree --namespace --config-env --attr-source --super-prefix"
        }
        "cargo" => "-C -Z --config --color --manifest-path",
        "npm" => "-C --prefix -w --workspace --registry --loglevel",
        "pnpm" => "-C --dir -F --filter",
        "yarn" => "--cwd",
        "docker" | "podman" => {
            "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --connection --url"
        }
        "kubectl" => {
            "-n --namespace --context --cluster --kubeconfig --user -s --server --token --as --as-group --as-uid \
             --cache-dir --certificate-authority --client-certificate --client-key --password --request-timeout \
             --tls-server-name --username"
        }
        "gh" => "-R --repo",
        _ => "",
    }
}

/// The options without a value that may stand before a sub-command.
pub(super) fn plain(program: &str) -> &'static str {
    match program {
        "git" => {
            "-p -P --paginate --no-pager --bare --no-replace-objects --literal-pathspecs --no-optional-locks \
             --no-lazy-fetch --no-advice --glob-pathspecs --noglob-pathspecs --icase-pathspecs"
        }
        "cargo" => "-v -vv -q --verbose --quiet --offline --frozen --locked",
        "npm" => "-d -g -q -s -y --global --quiet --silent --yes",
        "docker" => "-D --debug --tls --tlsverify",
        "kubectl" => {
            "--disable-compression --insecure-skip-tls-verify --match-server-version --warnings-as-errors"
        }
        _ => "",
    }
}

/// The letters that long options stand for.
pub(super) fn letters(program: &str) -> impl Iterator<Item = (char, &'static str)> {
    let letters = match program {
        "rm" => "r:recursive R:recursive f:force d:dir v:verbose",
        "cp" => {
            "r:recursive R:recursive f:force a:archive n:no-clobber l:link s:symbolic-link t:target-directory"
        }
        "mv" => "f:force n:no-clobber t:target-directory",
        "ln" => "f:force s:symbolic t:target-directory",
        "chmod" | "chown" | "chgrp" => "R:recursive",
        // `-n` is that of `git commit`; of `git push` it is `--dry-run`, which is asked or denied with it.
        "git" => "f:force d:delete a:all u:set-upstream q:quiet n:no-verify",
        "sed" => "i:in-place",
        "bash" | "sh" | "dash" | "zsh" | "ksh" => "l:login e:errexit u:nounset x:xtrace",
        "curl" => "X:request o:output d:data T:upload-file k:insecure",
        _ => "",
    };
    let pair = |pair: &'static str| Some((pair.chars().next()?, pair.get(2..)?));
    letters.split_ascii_whitespace().filter_map(pair)
}

/// Returns true if a single dash begins a whole word, as in `find -delete`.
pub(super) fn has_long_words_after_one_dash(program: &str) -> bool {
    lists("find java go terraform openssl kill xcodebuild", program)
}

/// Returns true if a program of those that [run no words](RUN_NO_WORDS) does so with some of its sub-commands
/// and options.
pub(super) fn runs_words_after(program: &str, arguments: &[Word]) -> bool {
    let runs = match program {
        "git" => {
            "-c --config-env --exec-path -x --exec bisect difftool filter-branch for-each-repo mergetool rebase \
             submodule"
        }
        "npm" => "exec x explore init --script-shell",
        "cargo" => "--config watch",
        "rg" => "--pre --hostname-bin",
        "sort" => "--compress-program",
        "man" => "-P --pager -H --html",
        "gh" => "alias extension",
        _ => return false,
    };
    arguments.iter().any(|word| match word.known() {
        Some(word) => {
            let name = word.split('=').next().unwrap_or(word);
            lists(runs, name)
        }
        None => false,
    })
}

/// Programs that run none of their words: they print, search or keep them. Some of these run commands by their
/// configuration, but not by a word that follows another.
pub(super) const RUN_NO_WORDS: &str = "echo printf cat ls head tail wc grep egrep fgrep rg git cargo npm pip pip3 mkdir touch rm cp mv cd \
     test [ sort uniq cut tr diff which type man sed tee find export gh jq apt apt-get brew chmod chown \
     ln curl true false basename dirname realpath stat du df command";
