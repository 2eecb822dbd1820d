// Double-checked initialisation with plain variables.
#include <pthread.h>
#include <stdlib.h>

struct service { int port; };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct service *instance;

static int port_of_service(void) {
  if (!instance) {  // RACE!
    pthread_mutex_lock(&m);
    if (!instance) {
      struct service *made = malloc(sizeof *made);
      if (!made) abort();
      made->port = 80;  // RACE!
      instance = made;  // RACE!
    }
    pthread_mutex_unlock(&m);
  }
  return instance->port;  // RACE!
}

static void *worker(void *arg) {
  return port_of_service() == 80 ? arg : NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(instance);
  return 0;
}
