//! The parts that an app plugs into its executor.

use super::prints;

#[test]
fn a_gate_denies_answers_and_ends_a_turn() {
    prints(
        "gate",
        &[
            "20 (Tool): paid 20 euros\n",
            "0 (Gate): there is nothing to pay\n",
            "60 (Gate): ",
            "that is more than may be paid at once",
            "9000 (Gate): ",
            "was blocked: somebody empties the till",
            "20 (Executor): `till.pay` did not run",
            "the turn was ended: somebody empties the till\n",
        ],
    );
}

#[test]
fn hooks_change_arguments_and_results_and_veto() {
    prints(
        "hooks",
        &[
            "> ada\nada, <address>\n",
            "> GRACE\ngrace, <address>\n",
            "> alan\n`people.search` was stopped before it ran: that was enough",
        ],
    );
}

#[test]
fn events_come_in_their_order() {
    prints(
        "events",
        &[
            "files.copy: requested\n",
            "files.copy: started\n",
            "files.copy: file 1, 50 %\nfiles.copy: file 2, 100 %\n",
            "files.copy: finished with Success, no error\n",
            "files.copy: refused\n",
            "files.copy: finished with Error, invalid arguments\n",
        ],
    );
}

#[test]
fn a_large_result_is_read_to_its_end_in_its_session_alone() {
    prints(
        "result_store",
        &[
            "[cut: 400 of 991 bytes are shown; read on by `result.read`",
            "[bytes 400 to 672 of 991: read on from offset 672]",
            "\nnumber 100\n",
            "this is the end]\n",
            "> result.read in another session\n",
            "no result",
            "\n0 results are left\n",
        ],
    );
}

#[test]
fn a_tool_calls_one_that_the_model_cannot_call() {
    prints(
        "nested_calls",
        &[
            "the model sees weather.warmest\n",
            "\nRome, with 17 degrees\n",
            "\nthere is no station in Atlantis\n",
            "> weather.now {\"town\": \"Rome\"}\nthere is no tool `weather.now`\n",
        ],
    );
}

#[test]
fn a_change_of_a_journal_is_found() {
    prints(
        "journal",
        &[
            "\n48\n",
            "\nonly 2 are left\n",
            "verified: 7 records\n",
            "line 7 of the journal is not what was written",
        ],
    );
}

#[test]
fn a_replay_finds_what_gives_something_else_and_repeats_no_effect() {
    prints(
        "replay",
        &[
            "letter 1 went to Ada\n",
            "a replay with stamps at 95 cents is faithful: true\n",
            "2 calls: 1 ran again, 1 answered from the record; no divergence\n",
            "a replay with stamps at 110 cents is faithful: false\n",
            "1. `letter.cost`",
            "recorded: success: 190\n",
            "replayed: success: 220\n",
            "letters sent: 1\n",
        ],
    );
}

#[test]
fn a_policy_decides_and_explains() {
    prints(
        "policy",
        &[
            "`fs.read` runs\n",
            "allow, by the allowed trees (line 5)\n",
            "The model reads: buy milk\n",
            "`fs.write` is denied: the archive is closed\n",
            "by deny rule 1 (line 8)\n",
            "`fs.read` is denied: ",
            "by the forbidden trees (line 6)\n",
            "`fs.write` asks a person: ",
            "would let it run",
            "The model reads: `fs.write` was denied",
        ],
    );
}

#[test]
fn one_file_says_what_an_agent_may_do() {
    prints(
        "config",
        &[
            "# editor\n",
            "page.read front: the text of front\n",
            "page.write sports: sports was written\n",
            "page.write front: ",
            "the front page is set by hand",
            "page.remove sports: ",
            "Pages cannot be removed this week.",
            "# reader\n",
            "page.write sports: ",
            "- line 2, `tools.selcted`: there is no key `selcted`; did you mean `selected`?\n",
        ],
    );
}
