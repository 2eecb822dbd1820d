// Piper: pairs of threads fill and empty one small plane.
// Models:     the Java program piper of the thesis (its bug: a notified thread does not look again, and another one can
//             have taken the seat). The mended form: all are notified, and each looks again.
// Threads:    main, PAIRS threads that board, PAIRS threads that leave (16 and 16 in the thesis).
// Size:       71 lines in Java.
// Parameters: PAIRS, SEATS, FLIGHTS (flights of each thread).
// Scaled:     -DPAIRS=4 -DSEATS=2
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef PAIRS
#define PAIRS 2
#endif
#ifndef SEATS
#define SEATS 1
#endif
#ifndef FLIGHTS
#define FLIGHTS 1
#endif

struct Plane {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int seats[SEATS];
  int first;
  int taken;
};

static struct Plane plane = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0};
static int names[PAIRS];
static int sum_of_left;

static void board(struct Plane* p, int passenger) {
  pthread_mutex_lock(&p->lock);
  while (p->taken == SEATS) pthread_cond_wait(&p->changed, &p->lock);
  p->seats[(p->first + p->taken) % SEATS] = passenger;
  p->taken++;
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

static void leave(struct Plane* p) {
  pthread_mutex_lock(&p->lock);
  while (p->taken == 0) pthread_cond_wait(&p->changed, &p->lock);
  int passenger = p->seats[p->first];
  assert(passenger != 0);
  p->seats[p->first] = 0;
  p->first = (p->first + 1) % SEATS;
  p->taken--;
  sum_of_left += passenger;
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

static void* run_boarding(void* argument) {
  const int* passenger = argument;
  for (int i = 0; i < FLIGHTS; i++) board(&plane, *passenger);
  return 0;
}

static void* run_leaving(void* argument) {
  for (int i = 0; i < FLIGHTS; i++) leave(&plane);
  return argument;
}

int main(void) {
  pthread_t boarding[PAIRS];
  pthread_t leaving[PAIRS];
  int sum = 0;
  for (int i = 0; i < PAIRS; i++) {
    names[i] = i + 1;
    sum += FLIGHTS * names[i];
    pthread_create(&boarding[i], 0, run_boarding, &names[i]);
    pthread_create(&leaving[i], 0, run_leaving, 0);
  }
  for (int i = 0; i < PAIRS; i++) {
    pthread_join(boarding[i], 0);
    pthread_join(leaving[i], 0);
  }
  assert(plane.taken == 0 && sum_of_left == sum);
  return 0;
}
