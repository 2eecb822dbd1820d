// VERDICT: clear
// What the library keeps, used by two threads in ways that are allowed: only read, locked by the library, under a lock,
// before there is a second thread, and each thread's own.
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern char** environ;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void set(int* place) { *place = 0; }

static void work(void) {
  char text[] = "a b", *rest;
  time_t now = 0;
  struct tm broken;
  set(&errno);
  close(77);
  if (errno != EBADF) abort();
  printf("%s %s\n", strerror(errno), strerror(7777));
  localtime_r(&now, &broken);
  tzset();
  strtok_r(text, " ", &rest);
  if (environ[0] && getenv("A")) fputs(getenv("A"), stdout);
  pthread_mutex_lock(&lock);
  char* words[] = {"program", "-a", "b", 0};
  optind = 1;
  if (getopt(3, words, "a:") == 'a') puts(optarg);
  if (signgam > 5) puts("x");
  if (lgamma(2.5) < 0) puts(program_invocation_name);
  pthread_mutex_unlock(&lock);
}

static void* worker(void* arg) {
  work();
  return arg;
}

int main(void) {
  pthread_t t;
  setlocale(LC_ALL, "");
  setenv("A", "b", 1);
  pthread_create(&t, 0, worker, 0);
  work();
  pthread_join(t, 0);
  setenv("A", "c", 1);
  stdout = stderr;
  return 0;
}
