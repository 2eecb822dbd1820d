"""A C program whose two threads count under a lock, and the same with a lock taken away: for tests of the clients."""
GUARDED = """#include <pthread.h>
int counter;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *p) {
  pthread_mutex_lock(&m);
  counter++;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  counter++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
"""
RACY = GUARDED.replace("  pthread_mutex_lock(&m);\n  counter++;\n  pthread_mutex_unlock(&m);\n  pthread_join", "  counter++;\n  pthread_join")
