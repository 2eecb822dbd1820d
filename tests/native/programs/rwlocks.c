// Reader-writer locks around a table; try-locks that fail in a known way.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table[8], version;

static void *writer(void *arg) {
  int k = (int)(long)arg;
  pthread_rwlock_wrlock(&lock);
  for (int i = 0; i < 8; i++) table[i] += k * (i + 1);
  version++;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void *reader(void *arg) {
  int sum = 0;
  pthread_rwlock_rdlock(&lock);
  for (int i = 0; i < 8; i++) sum += table[i];
  *(int *)arg = sum % 36;  // every writer adds a multiple of 36
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void *prober(void *arg) {
  int *out = arg;
  out[0] = pthread_rwlock_tryrdlock(&lock);
  if (out[0] == 0) pthread_rwlock_unlock(&lock);
  out[1] = pthread_rwlock_trywrlock(&lock);
  if (out[1] == 0) pthread_rwlock_unlock(&lock);
  return NULL;
}

static void probe(const char *what) {
  int out[2];
  pthread_t t;
  pthread_create(&t, NULL, prober, out);
  pthread_join(t, NULL);
  printf("%s: %d %d\n", what, out[0] == EBUSY, out[1] == EBUSY);
}

int main(void) {
  pthread_t t[4];
  int seen[2];
  pthread_create(&t[0], NULL, writer, (void *)1);
  pthread_create(&t[1], NULL, reader, &seen[0]);
  pthread_create(&t[2], NULL, writer, (void *)10);
  pthread_create(&t[3], NULL, reader, &seen[1]);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  printf("%d %d %d %d\n", table[7], version, seen[0], seen[1]);
  probe("free");
  pthread_rwlock_rdlock(&lock);
  probe("read");
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
  probe("written");
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_destroy(&lock);
  return 0;
}
