#!/bin/sh
# Compiles a C program natively and runs it in the machine: standard output and exit code must be the same.
#
# usage: compare.sh CLANG HEDDLE_RUN PROGRAM.c
#        compare.sh CLANG HEDDLE_RUN --random GENERATOR COUNT [FIRST_SEED]
# Random programs that differ are kept in the current directory.
set -u
clang=$1 run=$2
shift 2
flags="-std=gnu17 -D_GNU_SOURCE -w"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compare() {  # program
  "$clang" $flags -O1 -pthread "$1" -o "$work/native" -lm -latomic || return 2
  (cd "$work" && ./native < /dev/null > native.out 2> native.err)
  native_code=$?
  timeout 60 "$run" "$1" -- $flags < /dev/null > "$work/machine.out" 2> "$work/machine.err"
  machine_code=$?
  if [ $native_code -ne $machine_code ]; then
    echo "$1: exit code $native_code natively, $machine_code in the machine"
    tail -20 "$work/machine.err"
    diff "$work/native.out" "$work/machine.out" | head -10
    return 1
  fi
  if ! cmp -s "$work/native.out" "$work/machine.out"; then
    echo "$1: output differs (< natively, > in the machine)"
    diff -a "$work/native.out" "$work/machine.out" | head -20
    return 1
  fi
}

if [ "$1" != --random ]; then
  compare "$1"
  exit $?
fi
generator=$2 count=$3 seed=${4:-1}
failed=0
while [ "$count" -gt 0 ]; do
  "$generator" "$seed" > "$work/random.c"
  if ! compare "$work/random.c"; then
    cp "$work/random.c" "random_$seed.c"
    echo "kept as random_$seed.c"
    failed=1
  fi
  seed=$((seed + 1))
  count=$((count - 1))
done
exit $failed
