#!/usr/bin/env bash
# Prints, as a tar, a root file system with Node, npm and a shell: in the place of the base image, which no test can fetch.
set -euo pipefail
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
node=$(readlink -f "$1")
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
mkdir -p "$root"/{bin,usr/bin,usr/local/bin,usr/local/lib/node_modules,tmp,etc,proc,sys,dev,run,root}
chmod 755 "$root"
chmod 1777 "$root/tmp"
put() {
  cp -L "$1" "$root$2"
  ldd "$1" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -Lu "$library" "$root$library"
  done
}
put "$node" /usr/local/bin/node
for program in sh cat chown mkdir; do put "$(command -v "$program")" "/bin/$program"; done
put "$(command -v env)" /usr/bin/env
cp -a "$npm" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
printf 'root:x:0:0:root:/root:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\n' >"$root/etc/group"
tar -C "$root" -c .
