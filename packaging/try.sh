#!/usr/bin/env bash
# Runs the program of an archive in a root of Debian's minimal system, where there is no Rust and no compiler.
#
#   packaging/try.sh ARCHIVE.tar.gz [SUITE]     default: bookworm; needs root, debootstrap and a mirror
set -euo pipefail
archive=$(realpath "$1")
suite=${2:-bookworm}
root=$(mktemp -d)
# Nothing below /proc may be removed with the root.
trap 'umount "$root/proc" 2>/dev/null || true; mountpoint -q "$root/proc" || rm -rf "$root" "$root.log"' EXIT
debootstrap --variant=minbase "$suite" "$root" ${MIRROR:-} >"$root.log" 2>&1 || { tail "$root.log" >&2; exit 1; }
tar -xzf "$archive" -C "$root/opt"
program=$(cd "$root" && ls -d opt/magneto-*/magneto)
if chroot "$root" sh -c 'command -v rustc || command -v cc || command -v python3'; then
  echo 'this root is not bare' >&2
  exit 1
fi
# By it a program knows where it is itself.
mount -t proc proc "$root/proc"
chroot "$root" "/$program" --version --verbose
chroot "$root" "/$program" self-test
