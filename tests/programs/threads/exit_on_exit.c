// The handler of on_exit() gets its argument, and writes it beside main.
#include <pthread.h>
#include <stdlib.h>

static int ended;

static void note(int status, void *to) {
  *(int *)to = status + 1;  // RACE!
}

static void *ends(void *arg) {
  exit(3);
  return arg;
}

int main(void) {
  pthread_t t;
  on_exit(note, &ended);
  pthread_create(&t, NULL, ends, NULL);
  while (!ended) continue;  // RACE? ERROR(livelock)?
  pthread_join(t, NULL);
  return 0;
}
