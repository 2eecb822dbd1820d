// A loop that gives up joins the other thread with the mutex held.
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;
static struct timespec last;

static void *finish(void *unused) {
  pthread_mutex_lock(&mutex);  // ERROR(deadlock)!
  done = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, finish, 0);
  time_t end = time(0) + 5;
  pthread_mutex_lock(&mutex);
  while (!done && time(0) < end) {
    pthread_mutex_unlock(&mutex);
    clock_gettime(CLOCK_MONOTONIC, &last);
    usleep(1000);
    pthread_mutex_lock(&mutex);
  }
  pthread_join(thread, 0);  // ERROR(deadlock)?
  pthread_mutex_unlock(&mutex);
  return 0;
}
