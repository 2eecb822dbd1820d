// VERDICT: clear
// A hash table with a lock per bucket; one thread moves an entry between buckets in lock order.
#include <assert.h>
#include <pthread.h>

enum { BUCKETS = 2 };

static struct { pthread_mutex_t lock; int sum; } table[BUCKETS] = {{PTHREAD_MUTEX_INITIALIZER, 0},
                                                                    {PTHREAD_MUTEX_INITIALIZER, 0}};

static void add(int key) {
  int at = key % BUCKETS;
  pthread_mutex_lock(&table[at].lock);
  table[at].sum += key;
  pthread_mutex_unlock(&table[at].lock);
}

static void move(int from, int to, int key) {
  int low = from < to ? from : to, high = from < to ? to : from;
  pthread_mutex_lock(&table[low].lock);
  pthread_mutex_lock(&table[high].lock);
  table[from].sum -= key;
  table[to].sum += key;
  pthread_mutex_unlock(&table[high].lock);
  pthread_mutex_unlock(&table[low].lock);
}

static void *adder(void *arg) {
  add(3);
  add(4);
  return arg;
}

static void *mover(void *arg) {
  move(1, 0, 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, adder, NULL);
  pthread_create(&b, NULL, mover, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(table[0].sum + table[1].sum == 7);
  return 0;
}
