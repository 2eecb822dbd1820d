// VERDICT: clear
// STATS: executions=1
// Each thread has a file of its own.
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *writes(void *name) {
  char c = 'x';
  int file = open(name, O_CREAT | O_RDWR, 0600);
  write(file, &c, 1);
  lseek(file, 0, SEEK_SET);
  read(file, &c, 1);
  close(file);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, writes, "one");
  pthread_create(&t[1], NULL, writes, "two");
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
