#!/usr/bin/env bash
# The inspector's `--strict` reading of every schema: of the workbench, and of tools with every shape of a type.
#
# npm: @modelcontextprotocol/inspector@2.12.0
# cargo: workbench mcp-conformance
set -uo pipefail
mkdir -p root
failed=0

# Lists the tools of a server in both eras of the protocol: `list NAME WARNINGS COMMAND..`. WARNINGS is a file with a line for each one
# that is expected; any other is a failure, as one of the file that does not come is. So is an error, after which the inspector exits
# with 6, and a server that writes to standard error.
list() {
  local name=$1 expected=$2 era log found
  shift 2
  for era in legacy modern; do
    log=$name-$era.log found=$name-$era.warnings
    mcp-inspector --cli --strict --method tools/list --format json --protocol-era "$era" "$@" > "$name-$era.json" 2> "$log"
    local code=$?
    awk -F'"' '/^Warning: tool / { tool = $2 } /^  Path: / { sub(/^  Path: /, ""); print tool, $0 }' "$log" | sort > "$found"
    if [ "$code" = 0 ] && ! grep -Evq '^(Warning|  Path|  Issue|  Suggestion|0 errors,|$)' "$log" &&
      diff <(grep -v '^#' "$expected" | sort) "$found" > "$found.diff"; then
      echo "ok   $name, $era: $(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).result.tools.length' "$name-$era.json") tools, 0 errors, $(wc -l < "$found") warnings, all expected"
    else
      failed=1
      echo "FAIL $name, $era: exit code $code; $(tail -1 "$log")"
      cat "$found.diff" "$log"
    fi
  done
}

list workbench /dev/null "$BIN/workbench" --root "$PWD/root" serve
list zoo "$ROOT/tests/mcp/expected-warnings-zoo.txt" "$BIN/zoo"
exit "$failed"
