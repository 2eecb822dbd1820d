// The name of the working directory is too long for a member.
#include <pthread.h>
#include <unistd.h>

struct record {
  char name[3];
  char kind, rest[8];
};

static void *fills(void *arg) {
  struct record r = {{0}, 7, {0}};
  (void)!chdir("/tmp");
  (void)!getcwd(r.name, sizeof r);  // ERROR(out-of-bounds)!
  return r.kind == 7 ? arg : NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, fills, NULL);
  pthread_join(t, NULL);
  return 0;
}
