#!/bin/sh
# The nightly with an engine whose increments overlook what was deleted: nightly.sh HEDDLE BROKEN_ENGINE
set -eu
heddle=$1
export HEDDLE_ENGINE="$2" NO_COLOR=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HEDDLE_CACHE_DIR="$folder/cache"
cd "$folder"

fail() { printf 'nightly: %s\n' "$*" >&2; [ ! -f out ] || cat out >&2; exit 1; }
run() {  # run CODE ARGUMENTS...: output in out
  wanted=$1; shift
  code=0; "$heddle" "$@" --no-daemon > out 2>&1 || code=$?
  [ "$code" = "$wanted" ] || fail "heddle $* ended with $code instead of $wanted"
}
says() { grep -q "$1" out || fail "'$1' is not in the output"; }

program() {  # program NAME STATEMENTS: two threads run the statements
  cat > "$1" <<END
#include <assert.h>
#include <pthread.h>
static int counter;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) {
  $2
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
END
}
guarded='pthread_mutex_lock(&m); counter++; pthread_mutex_unlock(&m);'

# The version before is verified; the increment misses that the lock was dropped; the nightly names it.
program one.c "$guarded"
run 0 check one.c
run 0 nightly one.c
says '0 agreed, 0 missed, 0 not confirmed'
program one.c 'counter++;'
run 0 check one.c
run 1 nightly one.c
says 'missed by the increments: .*data race on .counter.'
says ' 0 agreed, [1-9][0-9]* missed, 0 not confirmed'
says 'data race on .counter.*(edit: lock dropped)'
says 'lock dropped  *1  *0  *[1-9][0-9]*  *0  *0  *0  *0 %$'
# Ledger and findings are corrected.
run 1 check one.c
run 1 nightly one.c
says ' 0 missed, 0 not confirmed'
says 'both found: '
! grep -q '(edit: ' out || fail "a finding that the last nightly knew came with no edit since"
program one.c "pthread_mutex_lock(&m); counter++; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"
run 0 check one.c
run 0 nightly one.c
says ' 0 agreed, 0 missed, 0 not confirmed, [1-9][0-9]* fixed'
says 'lock added  *1  *0  *0  *0  *[1-9][0-9]*  *0  *-$'
[ "$(wc -l < "$HEDDLE_CACHE_DIR/nightly/history.jsonl")" = 4 ] || fail "history.jsonl should have four runs"
run 0 nightly one.c --format=html --output report.html
grep -q '<svg' report.html || fail "the page has no plots"
grep -q '<td>lock dropped</td>.*<meter min="0" max="100" value="0">' report.html || fail "the page has no kinds of edits"
run 0 nightly one.c --format=jsonl
says '"type":"nightly"'

# Several edits between two nightlies: each finding goes with the kind of edit that told it, or may have brought it.
program one.c "$guarded counter++;"
run 1 check one.c
run 1 nightly one.c --format=jsonl
says '"byKindOfEdit":.*{"kind":"statement added","edits":1,"agreed":[1-9][0-9]*,"missed":0'
program one.c "$guarded /* a comment */"
run 0 check one.c
program one.c 'if (arg) { counter++; }'
run 0 check one.c
run 0 nightly one.c
says 'earlier version again  *1'
says 'lock dropped  *1'
says 'condition changed  *1'

# An increment may be about several edits. What it told goes with those of its functions, as what it missed does.
rm -rf "$HEDDLE_CACHE_DIR"
calls() {  # calls STATEMENTS STATEMENTS: two threads run the first, and the second are those of a function step(bad)
  program one.c "$1"
  sed -i "s|^static void .worker|#include <stdlib.h>\\nstatic int steps;\\nstatic void step(int bad) { $2 }\\n&|" one.c
}
calls "$guarded step(0);" 'if (bad) abort();'
run 0 check one.c
run 0 nightly one.c
calls "$guarded step(1); counter++;" 'if (bad) abort();'  # the race is behind the abort
run 1 check one.c
says 'abort'
! grep -q 'data race' out || fail 'the race should be behind the abort'
calls "$guarded step(1); counter++;" 'if (bad > 1) abort();'
run 1 check one.c
says 'data race'
run 1 nightly one.c
says 'both found: .*data race on .counter.*(edit: statement added, value or argument changed)'
says 'statement added  *1  *[1-9]'
says 'assertion changed  *1  *0  *0'
rm -rf "$HEDDLE_CACHE_DIR"
counted='pthread_mutex_lock(\&m); steps += bad; pthread_mutex_unlock(\&m);'
calls "$guarded step(1);" "$counted"
run 0 check one.c
run 0 nightly one.c
calls 'counter++; step(1);' "$counted"
run 0 check one.c
calls 'counter++; step(1);' 'pthread_mutex_lock(\&m); pthread_mutex_unlock(\&m);'
run 0 check one.c
run 1 nightly one.c
says 'missed by the increments: .*data race on .counter.*(edit: lock dropped)'
says 'statement dropped  *1  *0  *0'

# The same for the edit at hand: a difference is a fault of Heddle, and says so.
rm -rf "$HEDDLE_CACHE_DIR"
program one.c "$guarded"
run 0 check one.c --verify-incremental
says 'one: increment clear, every interleaving clear: no difference'
program one.c 'counter++;'
run 5 check one.c --verify-incremental --format=jsonl
says '"type":"verification".*"missed":.{"id"'
run 1 check one.c --verify-incremental
says 'both found: .*data race on .counter.'
program one.c "$guarded"
run 0 check one.c --verify-incremental
program two.c "$guarded"
program three.c 'counter++;'
run 5 check --base two.c three.c --verify-incremental
says 'missed by the increment: .*data race on .counter.'
says 'please report'
run 2 check one.c --verify-incremental --full
rm two.c three.c

# Killed at any moment, the next run says what an undisturbed one says.
for delay in 0.02 0.05 0.1 0.2; do
  rm -rf "$HEDDLE_CACHE_DIR"
  program one.c "$guarded"
  run 0 check one.c
  program one.c 'counter++;'
  run 0 check one.c
  for again in 1 2 3; do
    "$heddle" nightly one.c --no-daemon > /dev/null 2>&1 &
    victim=$!
    sleep "$delay"
    kill -9 "$victim" 2> /dev/null || true
    wait "$victim" 2> /dev/null || true
    [ ! -s "$HEDDLE_CACHE_DIR/nightly/history.jsonl" ] || break
  done
  if [ -s "$HEDDLE_CACHE_DIR/nightly/history.jsonl" ]; then
    cp "$HEDDLE_CACHE_DIR/nightly/history.jsonl" out
    says '"missed":.{"id"'
  else
    run 1 nightly one.c
    says 'missed by the increments: .*data race on .counter.'
  fi
done

# Killed in the middle of a long target, it goes on there: what was explored is not explored again.
rm -rf "$HEDDLE_CACHE_DIR"
cat > long.c <<END
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int x[15];
static void *step(void *arg) {
  long j = (long)arg;
  x[j] = x[j - 1] + 1;
  return NULL;
}
static void *zero(void *arg) {
  int i = 14;
  while (x[i] != 0) i--;
  return arg;
}
int main(void) {
  pthread_t t[15];
  for (long j = 0; j < 15; j++) pthread_create(&t[j], NULL, j ? step : zero, (void *)j);
  for (long j = 0; j < 15; j++) pthread_join(t[j], NULL);
  return 0;
}
END
for delay in 3 3; do
  setsid "$heddle" check --full --no-daemon long.c > /dev/null 2>&1 &
  victim=$!
  sleep "$delay"
  kill -9 -"$victim" 2> /dev/null || true
  wait "$victim" 2> /dev/null || true
done
run 0 check --full long.c --format=jsonl
says '"type":"verdict".*"resumed":[1-9]'
says '"full":"complete"'

run 2 nightly two.c
says 'two.c: No such file'
