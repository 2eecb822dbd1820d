// VERDICT: clear
// Bytes that were never written may be written out: nobody decides by them. And the file has more than one piece.
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

struct entry {
  char kind;
  long value;
};

static void *appends(void *arg) {
  struct entry entry;
  char block[3000];
  entry.kind = 'a';
  entry.value = 1;
  int file = open("log", O_WRONLY | O_APPEND);
  write(file, &entry, sizeof entry);
  write(file, block, sizeof block);
  close(file);
  return arg;
}

int main(void) {
  pthread_t t;
  close(open("log", O_CREAT | O_WRONLY, 0600));
  pthread_create(&t, NULL, appends, NULL);
  appends(NULL);
  pthread_join(t, NULL);
  return 0;
}
