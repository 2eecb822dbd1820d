// A condition variable of a local structure. Nobody waits for it yet: a broadcast uses it all the same.
#include <pthread.h>

struct gate {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  int open;
};

static void *opens(void *arg) {
  struct gate *gate = arg;
  pthread_mutex_lock(&gate->lock);
  gate->open = 1;
  pthread_mutex_unlock(&gate->lock);
  pthread_cond_broadcast(&gate->opened);  // ERROR(lock-misuse)!
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct gate gate;
  gate.open = 0;
  pthread_mutex_init(&gate.lock, NULL);
  pthread_create(&thread, NULL, opens, &gate);
  pthread_join(thread, NULL);
  return 0;
}
