#!/bin/sh
# The answer does not depend on the number of explorers: workers.sh HEDDLE FOLDER_OF_EDITS
set -eu
heddle=$1
edits=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for edit in lock-dropped locks-in-other-order unlocked-access-added thread-added callee-changed unrelated-group; do
  for workers in 1 2 4; do
    code=0
    HEDDLE_CACHE_DIR="$folder/cache-$edit-$workers" HEDDLE_EXPLORERS=$workers "$heddle" check --no-daemon --format=jsonl \
      --base "$edits/$edit/old.c" "$edits/$edit/new.c" > "$folder/events" || code=$?
    [ "$code" -le 1 ] || { echo "workers: $edit with $workers explorers ended with $code" >&2; exit 1; }
    # Findings with schedules and traces as they are; of the verdict what it says. How many interleavings were explored
    # depends on which search ended first (docs/ALGORITHM.md, "The two steps").
    {
      grep '"type":"finding"' "$folder/events" | sed 's/"generation":[0-9]*//'
      grep '"type":"verdict"' "$folder/events" | grep -o -e '"findings":[0-9]*' -e '"verdict":"[a-z]*"'
    } > "$folder/$edit-$workers" || true
    [ -s "$folder/$edit-$workers" ] || { echo "workers: $edit says nothing" >&2; exit 1; }
    cmp "$folder/$edit-1" "$folder/$edit-$workers"
  done
done
