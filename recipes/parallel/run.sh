#!/bin/sh
# A run in parts by GNU parallel, over ssh: see README.md.
#   run.sh SHARDS OUT HOST…
set -eu
shards=$1 out=$2
shift 2
here=$(cd "$(dirname "$0")/.." && pwd)
: "${PARTS:=magneto.parts}" "${MAGNETO:=magneto}" "${OPTIONS:=}"
export SPECS OPTIONS PARTS MAGNETO
hosts=$(printf ',%s' "$@")
# A part whose machine or connection fails is started again elsewhere.
seq "$shards" | parallel --jobs 1 --sshlogin "${hosts#,}" --workdir "$PWD" --retries 3 \
  --env SPECS --env OPTIONS --env PARTS --env MAGNETO "$here/shard.sh" {} "$shards"
exec "$MAGNETO" merge $(seq -f "$PARTS/%.0f" "$shards") -o "$out" --force
