#!/bin/sh
# The commands that are written with a failing case show its problem again: again.sh JUDGE FOLDER
set -eu
judge=$1
folder=$2

fail() {  # fail MODE...: in this mode, where only what is wrong on purpose makes problems
  rm -rf "$folder"
  if "$judge" "$@" --weaken differ --second-judge-every 0 --count 1 --no-minimise --quiet --output "$folder" > /dev/null
  then
    echo "again: $* has no problem" >&2
    exit 1
  fi
}

again() {  # again WHAT: the command of this name, of a missed error
  problem=$(ls "$folder"/*-miss/problem.txt | head -n 1)
  arguments=$(sed -n "s/^$1: judge //p" "$problem")
  code=0
  # shellcheck disable=SC2086
  "$judge" $arguments > "$folder/output" || code=$?
  [ "$code" = 1 ] && grep -q "^miss: " "$folder/output" && return
  echo "again: $1, judge $arguments: exit code $code" >&2
  exit 1
}

fail --unseen --inputs --seed 62
again "the whole case"
again "this edit"
fail --dispatching --language c --seed 64
again "the whole case"
