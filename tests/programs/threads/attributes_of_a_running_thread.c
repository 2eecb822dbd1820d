// What a thread is asked for while it lives: its attributes and its clock.
// VERDICT: clear
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *asks(void *arg) {
  pthread_attr_t own;
  clockid_t clock;
  struct timespec now;
  size_t size;
  int state;
  assert(pthread_getattr_np(pthread_self(), &own) == 0);
  assert(pthread_attr_getstacksize(&own, &size) == 0 && size == 1 << 20);
  assert(pthread_attr_getdetachstate(&own, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
  pthread_attr_destroy(&own);
  assert(pthread_getcpuclockid(pthread_self(), &clock) == 0 && clock_gettime(clock, &now) == 0);
  char *first = tempnam("/tmp", "heddle"), *second = tempnam(NULL, NULL);
  assert(first != NULL && second != NULL && strcmp(first, second) != 0);
  free(first);
  free(second);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_attr_t attribute;
  pthread_attr_init(&attribute);
  pthread_attr_setstacksize(&attribute, 1 << 20);
  pthread_create(&t, &attribute, asks, NULL);
  pthread_attr_destroy(&attribute);
  pthread_join(t, NULL);
  return 0;
}
