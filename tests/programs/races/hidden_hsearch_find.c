// The one table of hsearch is searched while another thread adds to it.
#define _GNU_SOURCE
#include <pthread.h>
#include <search.h>

static void* worker(void* arg) {
  ENTRY wanted = {"a", 0};
  hsearch(wanted, FIND);  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  hcreate(8);
  pthread_create(&t, 0, worker, 0);
  ENTRY added = {"b", 0};
  hsearch(added, ENTER);  // RACE?
  pthread_join(t, 0);
  return 0;
}
