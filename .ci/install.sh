#!/bin/sh
# Installs a release of clearway into ~/.local, or the folder in CLEARWAY_PREFIX: the program, manual pages and completions.
# The release writes its own address and version here.
set -eu
releases="${CLEARWAY_RELEASES:-@releases@}"
version="${CLEARWAY_VERSION:-@version@}"
prefix="${CLEARWAY_PREFIX:-$HOME/.local}"

fail() {
    echo "clearway: $1" >&2
    exit 1
}

case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-gnu ;;
    Linux-aarch64) target=aarch64-unknown-linux-gnu ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    *) fail "there is no program for $(uname -s) on $(uname -m); build it with cargo" ;;
esac
name=clearway-$version-$target

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for file in "$name.tar.gz" SHA256SUMS; do
    curl -fsSL --retry 3 -o "$folder/$file" "$releases/v$version/$file" || fail "cannot download $releases/v$version/$file"
done
cd "$folder"
grep "  $name.tar.gz\$" SHA256SUMS >expected || fail "SHA256SUMS does not contain $name.tar.gz"
if command -v sha256sum >/dev/null; then
    sha256sum -c expected >/dev/null || fail "the checksum of $name.tar.gz differs"
else
    shasum -a 256 -c expected >/dev/null || fail "the checksum of $name.tar.gz differs"
fi
tar -xzf "$name.tar.gz"

mkdir -p "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" \
    "$prefix/share/fish/vendor_completions.d" "$prefix/share/zsh/site-functions"
cp "$name"/man/* "$prefix/share/man/man1/"
cp "$name/completions/clearway.bash" "$prefix/share/bash-completion/completions/clearway"
cp "$name/completions/clearway.fish" "$prefix/share/fish/vendor_completions.d/"
cp "$name/completions/clearway.zsh" "$prefix/share/zsh/site-functions/_clearway"
# Renamed, so that a program that is running is not overwritten.
cp "$name/clearway" "$prefix/bin/.clearway-new"
mv "$prefix/bin/.clearway-new" "$prefix/bin/clearway"
echo "clearway $version is in $prefix/bin"
case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
