// SAYS: writes 6 bytes, across the end of 'names[1]' (4 bytes)
// strncpy fills what it is given: here a part of the next row, too.
#include <pthread.h>
#include <string.h>

static char names[3][4];

static void *names_them(void *p) {
  strncpy(names[1], "ab", 6);  // ERROR(out-of-bounds)!
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, names_them, NULL);
  pthread_join(t, NULL);
  return names[2][0];
}
