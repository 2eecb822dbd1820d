// main of a server: it starts its workers and sleeps for ever. One of them waits for work that never comes, which is no
// deadlock.
// VERDICT: clear
// SAYS: a thread that does nothing but sleep in a loop keeps the program running for ever
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int work;
static int done;

static void *serve(void *unused) {
  pthread_mutex_lock(&mutex);
  while (work == 0) pthread_cond_wait(&arrived, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *count(void *unused) {
  __atomic_add_fetch(&done, 1, __ATOMIC_RELAXED);
  return unused;
}

int main(void) {
  pthread_t server, first, second;
  pthread_create(&server, NULL, serve, NULL);
  pthread_create(&first, NULL, count, NULL);
  pthread_create(&second, NULL, count, NULL);
  for (;;) sleep(3600);
}
