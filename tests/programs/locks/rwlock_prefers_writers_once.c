// VERDICT: clear
// A lock that prefers writers: readers that read once come side by side; one that only prefers them is read twice.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t first, second;
static int x, y;

static void *reads(void *arg) {
  pthread_rwlock_rdlock(&first);
  pthread_rwlock_rdlock(&second);
  pthread_rwlock_rdlock(&second);
  int both = x + y;
  pthread_rwlock_unlock(&second);
  pthread_rwlock_unlock(&second);
  pthread_rwlock_unlock(&first);
  return both ? arg : 0;
}

int main(void) {
  pthread_t a, b;
  pthread_rwlockattr_t kind;
  pthread_rwlockattr_init(&kind);
  pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&first, &kind);
  pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NP);
  pthread_rwlock_init(&second, &kind);
  pthread_create(&a, 0, reads, 0);
  pthread_create(&b, 0, reads, 0);
  pthread_rwlock_wrlock(&first);
  x++;
  pthread_rwlock_unlock(&first);
  pthread_rwlock_wrlock(&second);
  y++;
  pthread_rwlock_unlock(&second);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
