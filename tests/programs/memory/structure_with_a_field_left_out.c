// A field that nobody set is copied into the queue, and decides there.
#include <pthread.h>
#include <stddef.h>

struct item {
  int id;
  int priority;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct item queue[4];
static int count;

static void *puts_one(void *p) {
  struct item item;
  item.id = 4;
  pthread_mutex_lock(&lock);
  queue[count++] = item;
  pthread_mutex_unlock(&lock);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, puts_one, NULL);
  pthread_join(t, NULL);
  return queue[0].priority > 2;  // ERROR(uninitialised-read)!
}
