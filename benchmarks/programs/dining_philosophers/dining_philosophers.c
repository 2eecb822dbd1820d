// Dining philosophers: each takes two forks.
// Models:     the Java kernel diningphilosopher of the thesis (its bug: all take the left fork first). The mended form:
//             the last philosopher takes the right one first.
// Threads:    main, PHILOSOPHERS philosophers (5 in the thesis).
// Size:       25 lines in Java.
// Parameters: PHILOSOPHERS, MEALS.
// Scaled:     -DPHILOSOPHERS=7 -DMEALS=2
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef PHILOSOPHERS
#define PHILOSOPHERS 4
#endif
#ifndef MEALS
#define MEALS 1
#endif

static pthread_mutex_t forks[PHILOSOPHERS];
static int meals[PHILOSOPHERS];

static void* dine(void* argument) {
  const int seat = *(const int*)argument;
  int first = seat;
  int second = (seat + 1) % PHILOSOPHERS;
  if (second < first) {
    first = second;
    second = seat;
  }
  for (int i = 0; i < MEALS; i++) {
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    meals[seat]++;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
  }
  return 0;
}

int main(void) {
  pthread_t threads[PHILOSOPHERS];
  int seats[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; i++) pthread_mutex_init(&forks[i], 0);
  for (int i = 0; i < PHILOSOPHERS; i++) {
    seats[i] = i;
    pthread_create(&threads[i], 0, dine, &seats[i]);
  }
  for (int i = 0; i < PHILOSOPHERS; i++) pthread_join(threads[i], 0);
  for (int i = 0; i < PHILOSOPHERS; i++) assert(meals[i] == MEALS);
  return 0;
}
