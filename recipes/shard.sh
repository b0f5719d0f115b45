#!/bin/sh
# Makes part $1 of $2 of a run; see README.md for the variables.
set -f # patterns are for magneto
"${MAGNETO:-magneto}" gen $SPECS --shard "$1/$2" -o "${PARTS:-magneto.parts}/$1" --resume --force $OPTIONS
code=$?
case $code in
  0 | 1 | 3) exit 0 ;; # verdicts, which `merge` gives on the whole
  *) exit $code ;;
esac
