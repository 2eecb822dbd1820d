// The number is closed, and given to another file, before the thread that still has it writes.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int log_file;

static void *logs(void *arg) {
  write(log_file, "x", 1);
  return arg;
}

int main(void) {
  pthread_t t;
  log_file = open("log", O_CREAT | O_RDWR, 0600);
  close(open("data", O_CREAT | O_RDWR, 0600));
  pthread_create(&t, NULL, logs, NULL);
  close(log_file);
  int data = open("data", O_RDWR);
  pthread_join(t, NULL);
  assert(lseek(data, 0, SEEK_END) == 0);  // ERROR(assertion)!
  close(data);
  return 0;
}
