// A field that nobody sets goes through two functions of floating point before it decides.
#include <pthread.h>
#include <stdlib.h>

struct work {
  double from, to;
};

static int fine;

static double square(double x) { return x * x; }

static double area(const struct work *w) {
  return (square(w->from) + square(w->to)) * (w->to - w->from) / 2;  // ERROR(uninitialised-read)!
}

static void *worker(void *argument) {
  struct work *w = malloc(sizeof *w);
  if (!w) return argument;
  w->to = 1;
  if (area(w) < 0.25) fine = 1;
  free(w);
  return argument;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, 0, worker, 0) != 0) return 1;
  pthread_join(thread, 0);
  return fine;
}
