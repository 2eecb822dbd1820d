// A constant index beyond a member of a block, which has room.
#include <pthread.h>
#include <stdlib.h>

struct frame {
  char name[8];
  int size;
};

static void *works(void *p) {
  struct frame *frame = p;
  frame->name[8] = 0;  // ERROR(out-of-bounds)!
  return NULL;
}

int main(void) {
  pthread_t t;
  struct frame *frame = calloc(1, sizeof *frame);
  pthread_create(&t, NULL, works, frame);
  pthread_join(t, NULL);
  free(frame);
  return 0;
}
