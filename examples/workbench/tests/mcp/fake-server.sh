# A server of the era of 2025-11-25. $1: a file with its tools, which a call of `change` writes anew from $1.next.
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  say() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
  case $line in
    *'"method":"initialize"'*)
      say '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"fake","version":"1"}}' ;;
    *'"method":"tools/list"'*) say "\"result\":{\"tools\":$(cat "$1")}" ;;
    *'"name":"change"'*)
      cp "$1.next" "$1"
      say '"result":{"content":[{"type":"text","text":"changed"}]}'
      echo '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}' ;;
    *'"name":"die"'*) exit 1 ;;
    *'"method":"tools/call"'*) say '"result":{"content":[{"type":"text","text":"called"}]}' ;;
    *'"id"'*) say '"error":{"code":-32601,"message":"unknown"}' ;;
  esac
done
