// As mask_changed.c, by mkdir and by another mask.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>

static void *closes_up(void *arg) {
  umask(077);
  return arg;
}

int main(void) {
  pthread_t t;
  struct stat s;
  umask(022);
  pthread_create(&t, NULL, closes_up, NULL);
  mkdir("d", 0777);
  stat("d", &s);
  pthread_join(t, NULL);
  assert((s.st_mode & 0777) == 0755);  // ERROR(assertion)!
  return 0;
}
