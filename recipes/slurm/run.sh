#!/bin/sh
# A run in parts as an array of jobs: see README.md.
#   run.sh SHARDS OUT [options of sbatch for the parts]
set -eu
SHARDS=$1 OUT=$2
shift 2
RECIPES=$(cd "$(dirname "$0")/.." && pwd)
: "${PARTS:=magneto.parts}" "${MAGNETO:=magneto}" "${OPTIONS:=}"
export SHARDS OUT RECIPES SPECS OPTIONS PARTS MAGNETO
array=$(sbatch --parsable --array="1-$SHARDS" "$@" "$RECIPES/slurm/shard.sbatch")
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes "$RECIPES/slurm/merge.sbatch")
echo "$array $merge"
