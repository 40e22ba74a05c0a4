#!/usr/bin/env bash
# The import of servers under the official conformance suite, in both eras of the protocol.
#
# npm: suite-0.1@npm:@modelcontextprotocol/conformance@0.1.16 suite-0.2@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12
# cargo: mcp-conformance
set -uo pipefail
HERE=$ROOT/tests/mcp
failed=0

# Servers that are wrong on purpose: the client has to give up.
refused=(
  auth/scope-retry-limit auth/resource-mismatch auth/metadata-issuer-mismatch
  auth/iss-supported-missing auth/iss-wrong-issuer auth/iss-unexpected auth/iss-normalized
)

# Texts that a client prints: results of its calls, and why it left a tool out. The suite sees requests alone.
said() {
  case $1 in
    tools_call) echo 'server.add_numbers: The sum of 2 and 2 is 4' ;;
    elicitation-sep1034-client-defaults) echo 'server.test_client_elicitation_defaults: Elicitation completed' ;;
    sse-retry) echo 'server.test_reconnection: Reconnection test completed successfully' ;;
    sep-2322-client-request-state)
      printf 'server.test_mrtr_%s\n' 'echo_state: echo-state-ok' 'no_state: no-state-ok' 'unrelated: unrelated-ok' \
        'no_result_type: no-result-type-test-ok'
      ;;
    http-custom-headers)
      printf 'server.test_custom_headers%s: Custom headers test completed\n' '' _null
      ;;
    http-invalid-tool-headers) echo 'server.valid_tool: Tool call received' ;;
    json-schema-ref-no-deref) echo 'skipped: lookup_user, because ' ;;
    json-schema-2020-12-preservation) echo 'server.json_schema_echo: echoed' ;;
    auth/*) echo 'server.test-tool: test' ;;
  esac
}

# Runs the suite: `run NAME SUITE REVISION ARGUMENTS..`, as in conformance-server.sh. The suite does not look at the end of a
# client, and some of its scenarios pass without a request; here each has to come to its last line.
run() {
  local name=$1 suite=$2 requirements="" verdict folder scenario ended=0 wrong=() line
  shift 2
  [ "$1" = - ] || requirements="node_modules/$suite/requirements/$1.yaml client"
  shift
  rm -rf "results/$name"
  node "node_modules/$suite/dist/index.js" client --command "$BIN/client" -o "results/$name" "$@" > "$name.log" 2>&1
  local code=$?
  if [ "$code" != 0 ] && [ "$(grep -E '^  ✗ ' "$name.log")" = '  ✗ sse-retry' ]; then
    # It measures time, while the clients of all other scenarios run.
    echo "     $name: sse-retry once more, alone"
    node "node_modules/$suite/dist/index.js" client --command "$BIN/client" --scenario sse-retry > "$name-sse-retry.log" 2>&1
    code=$?
  fi
  # shellcheck disable=SC2086
  verdict=$(node conformance-verdict.mjs "$name.log" $requirements) || code=1
  while read -r folder; do
    scenario=${folder#"results/$name/"} scenario=${scenario%-20??-??-??T*}
    # Extensions, which nobody requires.
    case $scenario in auth/client-credentials-* | auth/enterprise-* | auth/dpop* | auth/wif-*) continue ;; esac
    if [[ " ${refused[*]} " = *" $scenario "* ]]; then
      if tail -1 "$folder/stdout.txt" | grep -qx 'done'; then wrong+=("$scenario (did not give up)"); else ended=$((ended + 1)); fi
      continue
    fi
    if ! tail -1 "$folder/stdout.txt" | grep -qx 'done'; then wrong+=("$scenario (did not come to its end)"); continue; fi
    while read -r line; do
      [ -z "$line" ] || grep -qF "$line" "$folder/stdout.txt" || wrong+=("$scenario (did not say: $line)")
    done < <(said "$scenario")
    ended=$((ended + 1))
  done < <(find "results/$name" -name stdout.txt -printf '%h\n' | sort)
  [ ${#wrong[@]} = 0 ] || code=1
  if [ "$code" = 0 ]; then echo "ok   $name: $verdict; $ended clients ended as they should"; return; fi
  failed=1
  echo "FAIL $name: $verdict; $ended clients ended as they should"
  [ ${#wrong[@]} = 0 ] || printf '       %s\n' "${wrong[@]}"
}

run 0.1.16-2025-11-25 suite-0.1 - --suite core --expected-failures "$HERE/expected-failures-2025-11-25.yml"
for revision in 2025-11-25 2026-07-28; do
  run "0.2-$revision" suite-0.2 "$revision" --requirements "$revision" --expected-failures "$HERE/expected-failures-$revision.yml"
done
exit "$failed"
