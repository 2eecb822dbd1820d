#!/bin/sh
# Compiles a program that uses the C++ library natively, and runs it in the machine under seven schedules from one
# compile: standard output and exit code must be the same, and every access must be one that the analysis knows of.
#
# usage: library.sh CLANG HEDDLE_RUN PROGRAM.cc
set -u
clang=$1 run=$2 program=$3
flags="-std=gnu++20 -w"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$clang" --driver-mode=g++ $flags -pthread "$program" -o "$work/native" -latomic || exit 2
(cd "$work" && ./native < /dev/null > native.out 2> native.err)
native_code=$?
"$run" --repeat=6 --check-facts "$program" -- $flags < /dev/null > "$work/machine.out" 2> "$work/machine.err"
machine_code=$?
if [ $native_code -ne $machine_code ] || ! cmp -s "$work/native.out" "$work/machine.out"; then
  echo "exit code $native_code natively, $machine_code in the machine; output (< natively, > in the machine):"
  diff -a "$work/native.out" "$work/machine.out" | head -20
  grep -A 8 'the analysis misses' "$work/machine.err" | head -40
  tail -30 "$work/machine.err"
  exit 1
fi
