// VERDICT: clear
// SAYS: one process, user, computer and day are explored, with one sequence of random numbers from outside and no term
// SAYS: asked for at asks_who_runs_it.c:18, asks_who_runs_it.c:19, asks_who_runs_it.c:20 and 3 other places
// Another user, computer or day would make a data race. What the values are here is said.
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static int n;

static void *works(void *unused) {
  struct utsname host;
  char byte;
  time_t now = time(NULL);
  if (getuid() == 0) n = 1;
  if (getpid() % 2 == 1) n = 2;
  if (uname(&host) == 0 && host.nodename[0] == 'z') n = 3;
  if (isatty(0)) n = 4;
  if (getrandom(&byte, 1, 0) == 2) n = 5;
  if (localtime(&now)->tm_year < 0) n = 6;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  int seen = n;
  pthread_join(t, NULL);
  return seen == 9;
}
