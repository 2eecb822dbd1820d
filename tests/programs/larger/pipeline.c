// VERDICT: clear
// Three stages joined by two one-slot channels.
#include <assert.h>
#include <pthread.h>

struct channel { pthread_mutex_t lock; pthread_cond_t changed; int full, value; };

static struct channel first = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
static struct channel second = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};

static void send(struct channel *c, int value) {
  pthread_mutex_lock(&c->lock);
  while (c->full) pthread_cond_wait(&c->changed, &c->lock);
  c->full = 1;
  c->value = value;
  pthread_cond_broadcast(&c->changed);
  pthread_mutex_unlock(&c->lock);
}

static int receive(struct channel *c) {
  pthread_mutex_lock(&c->lock);
  while (!c->full) pthread_cond_wait(&c->changed, &c->lock);
  c->full = 0;
  int value = c->value;
  pthread_cond_broadcast(&c->changed);
  pthread_mutex_unlock(&c->lock);
  return value;
}

static void *doubler(void *arg) {
  for (int i = 0; i < 2; i++) send(&second, 2 * receive(&first));
  return arg;
}

static void *feeder(void *arg) {
  for (int i = 1; i <= 2; i++) send(&first, i);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, feeder, NULL);
  pthread_create(&b, NULL, doubler, NULL);
  assert(receive(&second) == 2);
  assert(receive(&second) == 4);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
