#!/usr/bin/env bash
# The fixture server under the official conformance suite, in both eras of the protocol, and its fixtures word for word.
#
# npm: suite-0.1@npm:@modelcontextprotocol/conformance@0.1.16 suite-0.2@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12
# npm: @modelcontextprotocol/sdk@1.29.0
# cargo: mcp-conformance
set -uo pipefail
HERE=$ROOT/tests/mcp
failed=0

"$BIN/server" > server.log 2> server.err &
server=$!
trap 'kill "$server" 2> /dev/null' EXIT
for _ in $(seq 100); do
  url=$(sed -nE 's/^listening on (.*)$/\1/p' server.log)
  [ -n "$url" ] && break
  sleep 0.1
done
[ -n "$url" ] || { echo "the server did not start:"; cat server.err; exit 1; }
echo "lines of the fixture server: $(cat "$ROOT"/tests/crates/mcp-conformance/src/server/*.rs | wc -l)"

# Runs the suite: `run NAME SUITE REVISION ARGUMENTS..`. A failure that the file of the revision names is expected, any other
# is not, and a name in the file that does not fail is not either. A warning counts as a failure. With `-` for a revision, the
# requirements are those of the arguments.
run() {
  local name=$1 suite=$2 requirements="" verdict
  shift 2
  [ "$1" = - ] || requirements="node_modules/$suite/requirements/$1.yaml server"
  shift
  rm -rf "results/$name"
  node "node_modules/$suite/dist/index.js" server --url "$url" -o "results/$name" "$@" > "$name.log" 2>&1
  local code=$?
  # shellcheck disable=SC2086
  verdict=$(node conformance-verdict.mjs "$name.log" $requirements) || code=1
  if [ "$code" = 0 ]; then echo "ok   $name: $verdict"; else failed=1; echo "FAIL $name: $verdict"; fi
}

# Runs a scenario that is not required: `one SCENARIO REVISION`.
one() {
  local name=$1-$2
  if node node_modules/suite-0.2/dist/index.js server --url "$url" --scenario "$1" --spec-version "$2" > "$name.log" 2>&1; then
    echo "ok   $name: $(grep '^Passed:' "$name.log")"
  else
    failed=1
    echo "FAIL $name: $(grep '^Passed:' "$name.log")"
    grep -A2 '^  - ' "$name.log"
  fi
}

run 0.1.16-2025-11-25 suite-0.1 - --suite active --expected-failures "$HERE/expected-failures-2025-11-25.yml"
for revision in 2025-11-25 2026-07-28; do
  run "0.2-$revision" suite-0.2 "$revision" --requirements "$revision" --expected-failures "$HERE/expected-failures-$revision.yml"
done

# The scenarios beyond the requirements that concern tools and the transport.
for scenario in server-session-lifecycle json-schema-2020-12 server-sse-polling; do one "$scenario" 2025-11-25; done
for scenario in json-schema-2020-12 http-header-validation http-custom-header-server-validation; do one "$scenario" 2026-07-28; done

# Several scenarios pass without their fixtures.
node conformance-fixtures.mjs "$url" || failed=1

kill -0 "$server" 2> /dev/null || { echo "the server has ended:"; tail -20 server.err; failed=1; }
exit "$failed"
