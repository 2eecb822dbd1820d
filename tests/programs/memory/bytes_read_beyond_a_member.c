// read() gives more than the member holds.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

struct record {
  char name[3];
  char kind;
};

static void *fills(void *arg) {
  struct record r = {{0}, 7};
  const int file = open("bytes", O_CREAT | O_RDWR, 0600);
  (void)!pwrite(file, "abcdef", 6, 0);
  (void)!read(file, r.name, sizeof r);  // ERROR(out-of-bounds)!
  return r.kind == 7 ? arg : NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, fills, NULL);
  pthread_join(t, NULL);
  return 0;
}
