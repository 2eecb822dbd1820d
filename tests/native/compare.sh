#!/bin/sh
# Compiles a C or C++ program natively and runs it in the machine: standard output and exit code must be the same.
#
# usage: compare.sh CLANG HEDDLE_RUN PROGRAM.c|PROGRAM.cc
#        compare.sh CLANG HEDDLE_RUN --random GENERATOR COUNT [FIRST_SEED]
# Random programs that differ are kept in the current directory.
set -u
clang=$1 run=$2
shift 2
suffix=${RANDOM_SUFFIX:-c}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run_machine() {  # program, options: compares with what the native run left in $work
  program=$1
  shift
  timeout 60 "$run" --check-facts "$@" "$program" -- $flags < /dev/null > "$work/machine.out" 2> "$work/machine.err"
  machine_code=$?
  if [ $native_code -ne $machine_code ]; then
    echo "$program $*: exit code $native_code natively, $machine_code in the machine"
    grep 'the analysis misses' "$work/machine.err" | head -5
    tail -20 "$work/machine.err"
    diff -a "$work/native.out" "$work/machine.out" | head -10
    return 1
  fi
  if ! cmp -s "$work/native.out" "$work/machine.out"; then
    echo "$program $*: output differs (< natively, > in the machine)"
    diff -a "$work/native.out" "$work/machine.out" | head -20
    return 1
  fi
}

compare() {  # program
  case $1 in
    *.cc) flags="-std=gnu++20 -w" driver=--driver-mode=g++ ;;
    *) flags="-std=gnu17 -D_GNU_SOURCE -w" driver= ;;
  esac
  "$clang" $driver $flags -O1 -pthread "$1" -o "$work/native" -lm -latomic || return 2
  (cd "$work" && ./native < /dev/null > native.out 2> native.err)
  native_code=$?
  repeat=0  # what a program with threads prints must not depend on the schedule
  grep -q 'threads\{0,1\}\.h' "$1" && repeat=5
  run_machine "$1" --repeat=$repeat
}

if [ "$1" != --random ]; then
  compare "$1"
  exit $?
fi
generator=$2 count=$3 seed=${4:-1}
failed=0
while [ "$count" -gt 0 ]; do
  "$generator" "$seed" > "$work/random.$suffix"
  if ! compare "$work/random.$suffix"; then
    cp "$work/random.$suffix" "random_$seed.$suffix"
    echo "kept as random_$seed.$suffix"
    failed=1
  fi
  seed=$((seed + 1))
  count=$((count - 1))
done
exit $failed
