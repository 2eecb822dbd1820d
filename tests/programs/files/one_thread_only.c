// VERDICT: clear
// STATS: executions=1
// One thread uses files, the others write to the standard streams: nobody is in anybody's way.
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static void *prints(void *arg) {
  for (int n = 0; n < 3; n++) printf("%d\n", n);
  fprintf(stderr, "done\n");
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, prints, NULL);
  pthread_create(&t[1], NULL, prints, NULL);
  for (int n = 0; n < 3; n++) {
    int file = open("log", O_CREAT | O_WRONLY | O_APPEND, 0600);
    write(file, "x", 1);
    close(file);
  }
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
