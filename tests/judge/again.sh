#!/bin/sh
# The command that is written with a failing case shows its problem again: again.sh JUDGE FOLDER
set -eu
judge=$1
folder=$2

again() {  # again MODE...: in this mode, where only what is wrong on purpose makes problems
  rm -rf "$folder"
  "$judge" "$@" --weaken differ --second-judge-every 0 --seed 61 --count 40 --until-problem --no-minimise --quiet \
    --output "$folder" > /dev/null || { echo "again: $* has no problem" >&2; exit 1; }
  problem=$(ls "$folder"/*/problem.txt | head -n 1)
  kind=$(sed -n '1s/:.*//p' "$problem")
  for what in "the whole case" "this edit"; do
    arguments=$(sed -n "s/^$what: judge //p" "$problem")
    code=0
    # shellcheck disable=SC2086
    "$judge" $arguments > "$folder/output" || code=$?
    if [ "$code" != 1 ] || ! grep -q "^$kind: " "$folder/output"; then
      echo "again: $what, judge $arguments: exit code $code, no $kind" >&2
      exit 1
    fi
  done
}

again --unseen --inputs
again --dispatching --language c
