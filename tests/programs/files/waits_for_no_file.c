// Nobody makes the file that is waited for, if the other thread comes first.
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *removes(void *arg) {
  unlink("ready");
  return arg;
}

int main(void) {
  pthread_t t;
  close(open("ready", O_CREAT | O_WRONLY, 0600));
  pthread_create(&t, NULL, removes, NULL);
  while (access("ready", F_OK) != 0) continue;  // ERROR(livelock)!
  pthread_join(t, NULL);
  return 0;
}
