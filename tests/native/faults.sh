#!/bin/sh
# Runs every case of faults.c in the machine: each must end in a fault that says what the case's comment says.
# usage: faults.sh HEDDLE_RUN faults.c
set -u
run=$1 file=$2
out=$(mktemp)
trap 'rm -f "$out"' EXIT
failed=0
for n in $(sed -n 's/^ *case \([0-9]*\):.*/\1/p' "$file"); do
  wanted=$(sed -n "s/^ *case $n:.* \/\/ *//p" "$file")
  "$run" --arg="$n" "$file" -- -w -D_GNU_SOURCE > "$out" 2>&1
  code=$?
  if ! grep -qi -- "$wanted" "$out"; then
    echo "case $n: exit code $code, no '$wanted' in:"
    cat "$out"
    failed=1
  fi
done
exit $failed
