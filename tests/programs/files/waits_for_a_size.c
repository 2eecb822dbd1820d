// VERDICT: clear
// A loop that asks for the size of a file by its name ends when another thread writes to it.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static int file;

static void *writes(void *arg) {
  write(file, "x", 1);
  return arg;
}

int main(void) {
  pthread_t t;
  struct stat about;
  file = open("f", O_CREAT | O_RDWR, 0600);
  pthread_create(&t, NULL, writes, NULL);
  do sched_yield();
  while (stat("f", &about) == 0 && about.st_size == 0);
  pthread_join(t, NULL);
  close(file);
  return 0;
}
