#!/bin/sh
# inside_extension.sh BUILD FOLDER: everything of Heddle that an extension for this platform has inside: the programs,
# the shared libraries they need (not those of the C library), Clang's own headers.
set -eu
build=$1
folder=$2
rm -rf "$folder"
cmake --install "$build" --prefix "$folder" --strip > /dev/null
rm -rf "$folder/share"  # completions, the manual page: of the command line
clang=$(sed -n 's/^LLVM_DIR:[A-Z]*=\(.*\)\/lib\/cmake\/llvm$/\1/p; s/^Clang_DIR:[A-Z]*=\(.*\)\/lib\/cmake\/clang$/\1/p' "$build/CMakeCache.txt" | head -n 1)
version=$(ls "$clang/lib/clang" | head -n 1)
mkdir -p "$folder/lib/clang/$version"
cp -RL "$clang/lib/clang/$version/include" "$folder/lib/clang/$version/include"
for program in "$folder"/bin/*; do ldd "$program" 2> /dev/null || true; done |
  sed -n 's/^[[:space:]]*\(lib[^ ]*\) => \(\/[^ ]*\) .*$/\1 \2/p' | sort -u |
  while read -r name path; do
    case $name in
      libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libresolv.so.* | libutil.so.* | libanl.so.*) ;;
      *) cp -L "$path" "$folder/lib/$name" && chmod 644 "$folder/lib/$name" ;;
    esac
  done
