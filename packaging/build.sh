#!/usr/bin/env bash
# Builds what people download: an archive, and on Linux a Debian package, of one target.
#
#   packaging/build.sh [TARGET]     default: this machine's; aarch64-unknown-linux-gnu is cross-built where
#                                      aarch64-linux-gnu-gcc and Rust's standard library for it are there
#
#   PROGRAM=FILE                       pack this program, of TARGET, instead of building one
#   OUT=DIR                            where files go. Default: target/dist
#   MAINTAINER='NAME <MAIL>'           who answers for the Debian package. Default: a placeholder
#
# In the archive: the program without symbols, completions, the manual page, README, the book, examples and licences, those of GMP, MPFR and
# their crates among them, as LICENSE asks of who distributes binaries, and those of all other libraries (notices.py).
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'dist: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

host=$(rustc -vV | sed -n 's/^host: //p')
target=${1:-$host}
out=${OUT:-target/dist}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
name=magneto-$version-$target
most=$((25 << 20)) # bytes of an archive
scratch=()
trap 'rm -rf "${scratch[@]}"' EXIT

case $target in
  x86_64-*) debian=amd64 strip=strip ;;
  aarch64-*) debian=arm64 strip=aarch64-linux-gnu-strip ;;
  *) die "$target is not a target that Magneto knows" ;;
esac
[ "$target" = "$host" ] && strip=strip

# Where a clone is, build.rs asks git; a package of the sources says it here.
export MAGNETO_COMMIT=${MAGNETO_COMMIT:-}
if [ -z "${PROGRAM:-}" ]; then
  features=()
  if [ "$target" != "$host" ]; then
    command -v "${target%%-*}-linux-gnu-gcc" >/dev/null || die "there is no ${target%%-*}-linux-gnu-gcc (Debian: gcc-${target%%-*}-linux-gnu)"
    # Cargo's and cc's ways to say which compiler and linker make programs of the target.
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc
    # .cargo/config.toml names a processor of x86-64 for core-math's C.
    export TARGET_CPU=armv8-a
    # GMP and MPFR are built for another machine only where somebody says so. Their scripts look for tools that begin with
    # Rust's name of the target.
    features=(--features gmp-mpfr-sys/force-cross)
    tools=$(mktemp -d)
    scratch+=("$tools")
    for tool in gcc g++ ar as ld nm ranlib strip; do
      ln -s "$(command -v "${target%%-*}-linux-gnu-$tool")" "$tools/$target-$tool"
    done
    export PATH=$tools:$PATH
  fi
  cargo build --release --locked --bin magneto --target "$target" "${features[@]}"
  PROGRAM=target/$target/release/magneto
fi

rm -rf "${out:?}/$name"
mkdir -p "$out/$name"/{completions,man,licences}
install -m 755 "$PROGRAM" "$out/$name/magneto"
"$strip" "$out/$name/magneto" 2>/dev/null || say "$strip does not strip it: it stays as Cargo made it"

# The program itself writes completions and the manual: one of this machine does, if that of the target does not run here.
runs=$out/$name/magneto
"$runs" --version >/dev/null 2>&1 || runs=${HOST_PROGRAM:-target/$host/release/magneto}
"$runs" --version >/dev/null 2>&1 || die "no program of this machine writes the completions: run $0 for $host first, or set HOST_PROGRAM"
"$runs" completions bash >"$out/$name/completions/magneto"
"$runs" completions zsh >"$out/$name/completions/_magneto"
"$runs" completions fish >"$out/$name/completions/magneto.fish"
"$runs" man >"$out/$name/man/magneto.1"
# What README.md shows can be tried with what is here; nothing has to be built.
awk '
  /^## Start$/ { while ((getline line < "packaging/start.md") > 0) print line; skip = 1; next }
  /^## / { skip = 0 }
  /^- \[DESIGN.md\]/ { next }
  { sub(/; `make book` makes a web site of it where mdBook is installed/, ""); if (!skip) print }
' README.md >"$out/$name/README.md"
cp CHANGELOG.md LICENSE LICENSE-MIT LICENSE-APACHE "$out/$name/"
mkdir -p "$out/$name/docs"
cp -R docs/src "$out/$name/docs/"
cp -R specs recipes "$out/$name/"
grep -oE '\btests/[a-z0-9/.-]+\.(c|smt2|fpcore)\b' README.md | sort -u | while read -r file; do
  install -D -m 644 "$file" "$out/$name/$file"
done
manifest=$(cargo metadata --format-version 1 --locked | python3 -c '
import json, sys
packages = json.load(sys.stdin)["packages"]
print(next(p["manifest_path"] for p in packages if p["name"] == "gmp-mpfr-sys"))')
cp "${manifest%/*}"/LICENSE-GPL.md "${manifest%/*}"/LICENSE-LGPL.md "$out/$name/licences/"
cat >"$out/$name/licences/README.md" <<END
This program uses GMP, MPFR, rug and gmp-mpfr-sys, which are covered by the GNU Lesser General Public License, version 3
or later. Its text, and that of the GNU General Public License to which it adds, stand beside this file. To rebuild the
program with other versions of them, take Magneto's source at the commit that \`magneto --version --verbose\` names.

THIRD-PARTY.md has the licences of all libraries in the program, CaDiCaL (MIT) among them.
END
packaging/notices.py magneto "$target" >"$out/$name/licences/THIRD-PARTY.md"

# The same files give the same archive.
epoch=$(git log -1 --format=%ct 2>/dev/null || echo 0)
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" -C "$out" -c "$name" | gzip -n -9 >"$out/$name.tar.gz"
size=$(wc -c <"$out/$name.tar.gz")
[ "$size" -lt "$most" ] || die "$name.tar.gz has $size bytes, more than $most"

case $target in
  *-linux-gnu)
    if command -v dpkg-deb >/dev/null; then
      root=$(mktemp -d)
      scratch+=("$root")
      usr=$root/usr
      install -D -m 755 "$out/$name/magneto" "$usr/bin/magneto"
      install -D -m 644 "$out/$name/completions/magneto" "$usr/share/bash-completion/completions/magneto"
      install -D -m 644 "$out/$name/completions/_magneto" "$usr/share/zsh/vendor-completions/_magneto"
      install -D -m 644 "$out/$name/completions/magneto.fish" "$usr/share/fish/vendor_completions.d/magneto.fish"
      install -d "$usr/share/man/man1" "$usr/share/doc/magneto"
      gzip -n -9 -c "$out/$name/man/magneto.1" >"$usr/share/man/man1/magneto.1.gz"
      maintainer=${MAINTAINER:-The authors of Magneto <magneto@localhost>}
      [ -n "${MAINTAINER:-}" ] || say "the Debian package has a placeholder as its maintainer: set MAINTAINER before you hand it on"
      # Debian's own format; what is new for people stands in NEWS.
      gzip -n -9 -c >"$usr/share/doc/magneto/changelog.gz" <<END
magneto ($version) unstable; urgency=medium

  * See NEWS.gz.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$epoch")
END
      gzip -n -9 -c CHANGELOG.md >"$usr/share/doc/magneto/NEWS.gz"
      # Every Debian system has the long texts.
      cat LICENSE LICENSE-MIT "$out/$name/licences/README.md" - >"$usr/share/doc/magneto/copyright" <<'END'

The texts are those of /usr/share/common-licenses/Apache-2.0, /usr/share/common-licenses/LGPL-3 and
/usr/share/common-licenses/GPL-3.
END
      gzip -n -9 -c "$out/$name/licences/THIRD-PARTY.md" >"$usr/share/doc/magneto/THIRD-PARTY.md.gz"
      cp -R "$out/$name"/{README.md,docs,specs,tests,recipes} "$usr/share/doc/magneto/"
      chmod -R u=rwX,go=rX "$root"
      # The newest symbol of the C library that the program asks for.
      libc=$({ grep -aoE 'GLIBC_2\.[0-9]+' "$out/$name/magneto" || true; } | sort -uV | tail -1 | sed 's/GLIBC_//')
      mkdir -p "$root/DEBIAN"
      cat >"$root/DEBIAN/control" <<END
Package: magneto
Version: $version
Architecture: $debian
Maintainer: $maintainer
Installed-Size: $(du -sk "$usr" | cut -f1)
Depends: libc6 (>= ${libc:-2.36}), libgcc-s1, libstdc++6
Recommends: gcc | clang
Suggests: clang, lld, python3
Section: math
Priority: optional
Description: tests for numerical programs, from specifications of what they compute
 Magneto makes wrong versions of a specification, finds inputs that tell them
 apart, each with an oracle that rests on interval arithmetic, and proves what
 no test can tell apart.
END
      find "$root" -exec touch -h -d "@$epoch" {} +
      SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group --build "$root" "$out/magneto_${version}_$debian.deb" >&2
    else
      say "there is no dpkg-deb: no Debian package"
    fi
    ;;
esac
(cd "$out" && sha256sum ./*.tar.gz $(ls ./*.deb 2>/dev/null) >SHA256SUMS)
say "$out/$name.tar.gz has $size bytes"
