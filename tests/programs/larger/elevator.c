// Requests are cleared after the doors have closed: a request made in between is lost, and its passenger waits.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER, called = PTHREAD_COND_INITIALIZER;
static int request, served, stop;

static void *elevator(void *arg) {
  pthread_mutex_lock(&m);
  while (!stop) {
    while (!request && !stop) pthread_cond_wait(&called, &m);
    if (stop) break;
    int serving = request;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    served += serving;
    request = 0;
    pthread_cond_broadcast(&moved);
  }
  pthread_mutex_unlock(&m);
  return arg;
}

static void *passenger(void *arg) {
  pthread_mutex_lock(&m);
  request++;
  pthread_cond_signal(&called);
  while (served < *(int *)arg) pthread_cond_wait(&moved, &m);  // ERROR(lost-signal)!
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(void) {
  pthread_t lift, a, b;
  int two = 2;
  pthread_create(&lift, NULL, elevator, NULL);
  pthread_create(&a, NULL, passenger, &two);
  pthread_create(&b, NULL, passenger, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_mutex_lock(&m);
  stop = 1;
  pthread_cond_signal(&called);
  pthread_mutex_unlock(&m);
  pthread_join(lift, NULL);
  return 0;
}
