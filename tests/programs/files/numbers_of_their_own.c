// VERDICT: clear
// STATS: executions=1
// Each thread duplicates, moves and closes a descriptor of its own.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int first, second;

static void *moves(void *arg) {
  const int mine = *(int *)arg, again = dup(mine);
  write(again, "x", 1);
  assert(lseek(mine, 0, SEEK_CUR) == 1);
  close(again);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  first = open("a", O_CREAT | O_RDWR, 0600);
  second = open("b", O_CREAT | O_RDWR, 0600);
  pthread_create(&t[0], NULL, moves, &first);
  pthread_create(&t[1], NULL, moves, &second);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  close(first);
  close(second);
  return 0;
}
