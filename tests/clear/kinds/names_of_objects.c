// Names that a call takes away, and what was given back before.
// STATEMENT:
// STATEMENT: sem_unlink("/a");
// STATEMENT: sem_unlink("/b");
// STATEMENT: sem_close(s);
// STATEMENT: malloc_usable_size(gone);
// STATEMENT: fflush(closed);
#include "all.h"

#include <fcntl.h>
#include <malloc.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static sem_t *s;
static char *gone;
static FILE *closed;
HELPERS
static void *w(void *p) {
  sem_t *own = sem_open("/a", O_CREAT, 0600, 0);
  sem_post(own);
  sem_close(own);
  return p;
}
int main(void) {
  s = sem_open("/a", O_CREAT, 0600, 0);
  gone = malloc(4);
  closed = fopen("f", "w");
  if (!gone || !closed) return 0;
  free(gone);
  fclose(closed);
  STATEMENT
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  sem_wait(s);
  pthread_join(t, 0);
  return 0;
}
