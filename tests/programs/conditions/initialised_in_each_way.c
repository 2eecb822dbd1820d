// VERDICT: clear
// By calloc, memset, a stored initialiser, an initialiser of a local variable, and by calls.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

struct parts {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  pthread_rwlock_t readers;
  pthread_once_t first;
};

static int made;
static void make(void) { made++; }

static void *uses(void *arg) {
  struct parts *p = arg;
  pthread_once(&p->first, make);
  pthread_rwlock_rdlock(&p->readers);
  pthread_rwlock_unlock(&p->readers);
  pthread_mutex_lock(&p->lock);
  pthread_cond_signal(&p->changed);
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

static void use_beside(struct parts *p) {
  pthread_t thread;
  pthread_create(&thread, NULL, uses, p);
  pthread_join(thread, NULL);
  pthread_cond_destroy(&p->changed);
  pthread_rwlock_destroy(&p->readers);
  pthread_mutex_destroy(&p->lock);
}

int main(void) {
  struct parts *zeros = calloc(1, sizeof *zeros), *set = malloc(sizeof *set), *stored = malloc(sizeof *stored);
  struct parts *called = malloc(sizeof *called);
  if (zeros == NULL || set == NULL || stored == NULL || called == NULL) return 1;
  struct parts local = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_RWLOCK_INITIALIZER,
                        PTHREAD_ONCE_INIT};
  use_beside(zeros);
  memset(set, 0, sizeof *set);
  use_beside(set);
  stored->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  stored->changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
  stored->readers = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
  stored->first = PTHREAD_ONCE_INIT;
  use_beside(stored);
  use_beside(&local);
  pthread_mutex_init(&called->lock, NULL);
  pthread_cond_init(&called->changed, NULL);
  pthread_rwlock_init(&called->readers, NULL);
  called->first = PTHREAD_ONCE_INIT;
  use_beside(called);
  cnd_t condition;
  cnd_init(&condition);
  cnd_signal(&condition);
  cnd_destroy(&condition);
  free(zeros);
  free(set);
  free(stored);
  free(called);
  return 0;
}
