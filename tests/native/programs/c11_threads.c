// C11 threads: thrd, mtx (plain, recursive, try), cnd, call_once, tss.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static mtx_t mutex, recursive;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t slot;
static int turn, calls;
static thread_local int mine = 3;
static atomic_int freed;

static void setup(void) { calls++; }
static void drop(void *p) {
  atomic_fetch_add(&freed, *(int *)p);
  free(p);
}

static int player(void *arg) {
  int id = *(int *)arg;
  call_once(&flag, setup);
  int *p = malloc(sizeof *p);
  *p = id + 1;
  tss_set(slot, p);
  for (int round = 0; round < 3; round++) {
    mtx_lock(&mutex);
    while (turn % 2 != id) cnd_wait(&changed, &mutex);
    printf("%c%d ", 'A' + id, turn);
    turn++;
    cnd_broadcast(&changed);
    mtx_unlock(&mutex);
    mine += id + 1;
  }
  return mine;
}

static int depth(int n) {
  if (n == 0) return 0;
  mtx_lock(&recursive);
  int d = 1 + depth(n - 1);
  mtx_unlock(&recursive);
  return d;
}

static int leave(void *arg) {
  (void)arg;
  thrd_exit(77);
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
  mtx_init(&recursive, mtx_plain | mtx_recursive);
  cnd_init(&changed);
  tss_create(&slot, drop);
  thrd_t t[2], other;
  int ids[2] = {0, 1}, results[2], left;
  for (int i = 0; i < 2; i++) thrd_create(&t[i], player, &ids[i]);
  for (int i = 0; i < 2; i++) thrd_join(t[i], &results[i]);
  thrd_create(&other, leave, NULL);
  thrd_join(other, &left);
  printf("| %d %d %d %d %d %d\n", results[0], results[1], calls, left, mine, freed);
  int taken = mtx_trylock(&mutex) == thrd_success;
  mtx_unlock(&mutex);
  printf("%d %d %d\n", taken, depth(5), thrd_equal(thrd_current(), thrd_current()) != 0);
  thrd_yield();
  tss_delete(slot);
  cnd_destroy(&changed);
  mtx_destroy(&mutex);
  mtx_destroy(&recursive);
  return left;
}
