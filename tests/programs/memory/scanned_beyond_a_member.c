// A text that scanf reads has no room for its end in a member.
#include <pthread.h>
#include <stdio.h>

struct record {
  char name[3];
  char kind;
};

static void *fills(void *arg) {
  struct record r = {{0}, 7};
  sscanf("abcdef", "%3s", r.name);  // ERROR(out-of-bounds)!
  return r.kind == 7 ? arg : NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, fills, NULL);
  pthread_join(t, NULL);
  return 0;
}
