// Bytes right before and right behind an atomic are copied while it changes.
// VERDICT: clear
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static struct {
  char before[40];
  atomic_int count;
  char behind[40];
} both;

static void *copy(void *arg) {
  char text[40] = "something";
  memcpy(both.before, text, sizeof text);
  memcpy(both.behind, text, sizeof text);
  return arg;
}

static void *add(void *arg) {
  both.count++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, copy, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
