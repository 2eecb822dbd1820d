// pthread_kill() returns before the handler has run: what the sender tells then may be seen first.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sent, handled;

static void handles(int number) { handled = number; }

static void *works(void *p) {
  if (sent) assert(handled);  // ERROR(assertion)!
  return p;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handles);
  pthread_create(&t, NULL, works, NULL);
  pthread_kill(t, SIGUSR1);
  sent = 1;
  pthread_join(t, NULL);
  return 0;
}
