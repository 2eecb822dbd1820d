// optind, optarg and the rest: two threads must not parse at the same time.
#include <pthread.h>
#include <unistd.h>

static char *words[] = {"program", "-a", "-b", 0};

static void *parses(void *arg) {
  while (getopt(3, words, "ab") != -1) continue;  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, parses, 0);
  getopt(3, words, "ab");  // RACE?
  pthread_join(t, 0);
  return 0;
}
