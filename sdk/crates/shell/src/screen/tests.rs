#![allow(
    clippy::unwrap_used,
    reason = "clippy does not see that these are tests"
)]

use super::*;

#[test]
fn what_the_parser_reads_well_passes() {
    for text in [
        "",
        "a b | c && d; e &",
        "a 'b\nc' \"d $x ${y:-e f} $(g 'h)') `i`\" $'j\\'k'",
        "a <<E\nb $(c\nE\nd",
        "a <<'E' | b > \"$c\"\nd\nE",
        "a <<-E <<F\n\tE\nf\nF\ng",
        "a \"$(cat <<'E'\nit's\nE\n)\"",
        "((i++)); for ((i=0; i<3; i++)); do a; done; echo $((1 + (2*3)))",
        "case $x in (a) b;; c) d;; esac",
        "if a; then b; fi; (c; d) > e 2>&1",
        "[[ $x =~ ^(a|b)$ && ( -n y ) ]] && c",
        "a=(b c); a[1]=d; a[$i]=e; a+=(f); ls file[12].txt",
        "a >&- b <&-; c 2>&1 >& -",
        "{ a;}>b",
        "a <(b) > >(c) <<< d",
        "r\\\nm # (( {x}>",
        "a ${x//;/|}",
        "a $$ \"$$\" $$b \"$$'c'\"",
    ] {
        let steps = screen(text);
        assert!(steps.is_ok(), "{text}: {steps:?}");
    }
}

#[test]
fn what_it_does_not_is_refused() {
    for text in [
        "<<$[ |n ",
        "${<<E\n}\nE",
        "$${<<E\n}\nE",
        "\"$${a}\"",
        "$$(a)",
        "$$\\\n{a;b}",
        "$$[1]",
        "$$\"a\"",
        "a <<$x\nb\n$x",
        "a <<E'F'\nb\nEF",
        "a <<E",
        "a <<E\nb",
        "a <<E | b $(c d)\nE",
        "a <<E | b ${c}\nE",
        "a <<E | b \"$((1))\"\nE",
        "a <<E | b <(c)\nE",
        "a <<E 'b\nE\nc'\nd\nE",
        "a <<E\nb\\\nE\nE",
        "a $(b <<E)\nE",
        "[[ a << E ]]\nE",
        "( (a) )",
        "(\n(a))",
        "(\\\n (a))",
        "((a) | b)",
        "((a[0]))",
        "$((`a`))",
        "$[1]",
        "a() { b; }",
        "function a { b; }",
        "select x in a; do b; done",
        "a {x}>b",
        "a {x}\\\n>b",
        "a 99999999999>b",
        "a[b[0]]=1",
        "a[ b ]=1",
        "a b[",
        "git push >&---force",
        "a <& -b",
        "a <(b)\"c\"",
        "time -- a",
        "time -p -- a",
        "a b<(c)",
        "a[$(b)]=1",
        "a['b']=1",
        "${x:-(}",
        "${x:-<<E}",
        "[[ a =~ ((((b)))) ]]",
        "[[ (a ]] ) ]]",
        "[[ a =~ (# $(b)\n) ]]",
        "[[ ((a) ) ]]; b <<E\nit's\nE\nc #'",
        "a <((b) ); c <<E\nit's\nE\nd #'",
        "$\\\n(a)",
        "\\$'a'",
        "$$'a'",
        "a $(case x in x) b;; esac)",
        "a \\",
        "a 'b",
        "a \"b",
        "a $(b",
        "a ${b",
        "a `b",
        "case a in a) case a in a) case a in a) case a in a) case a in a) case a in a)",
    ] {
        assert!(screen(text).is_err(), "{text}");
    }
}

#[test]
fn each_character_is_a_step_at_most() {
    let units = [
        "(",
        "$(",
        "${",
        "{ ",
        "if a; then ",
        "a[",
        "\"$(",
        "\"${x:-",
        "((",
        "$((",
        "`",
        "<<A ",
        "<<A\n",
        "[[ ",
        "case a in a) ",
        "a=(",
        "<(",
        "'",
        "\"",
        "\\",
        "\\\n",
        "#",
        "a ",
        ";",
        "! ",
        "x=",
        "a\n",
        "{x}>",
        "$'",
    ];
    for unit in units {
        for count in [1, 10, 64, 65, 400, 8 * 1024] {
            let text = unit.repeat(count.min(LONGEST / unit.len()));
            if let Ok(steps) = screen(&text) {
                assert!(steps <= text.len(), "{unit}: {steps} for {}", text.len());
            }
        }
    }
}

#[test]
fn a_long_or_deep_text_is_refused() {
    assert!(screen(&"a ".repeat(LONGEST / 2)).is_ok());
    assert!(screen(&"a ".repeat(LONGEST / 2 + 1)).is_err());
    let nested = |open: &str, close: &str, count| open.repeat(count) + "a" + &close.repeat(count);
    for (open, close) in [
        ("$(", ")"),
        ("{ ", ";}"),
        ("if b; then ", "; fi"),
        ("\"$(", ")\""),
    ] {
        assert!(screen(&nested(open, close, 30)).is_ok(), "{open}");
        assert!(screen(&nested(open, close, 65)).is_err(), "{open}");
    }
}
