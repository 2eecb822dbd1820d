// A timer wheel: a thread fires what others schedule, until it is told to stop.
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define SLOTS 4
struct timer {
  struct timer* next;
  int rounds;
  void (*fire)(void*);
  void* argument;
};
struct wheel {
  pthread_mutex_t lock;
  pthread_cond_t tick;
  struct timer* slots[SLOTS];
  unsigned now;
  int pending;
  bool stop;
};
static struct wheel wheel = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0, false};
static void schedule(unsigned after, void (*fire)(void*), void* argument) {
  struct timer* t = malloc(sizeof *t);
  *t = (struct timer){.rounds = (int)(after / SLOTS), .fire = fire, .argument = argument};
  pthread_mutex_lock(&wheel.lock);
  unsigned slot = (wheel.now + after) % SLOTS;
  t->next = wheel.slots[slot];
  wheel.slots[slot] = t;
  wheel.pending++;
  pthread_mutex_unlock(&wheel.lock);
}
static void* run(void* unused) {
  (void)unused;
  pthread_mutex_lock(&wheel.lock);
  while (!wheel.stop || wheel.pending) {
    struct timer **at = &wheel.slots[++wheel.now % SLOTS], *due = NULL;
    while (*at) {
      struct timer* t = *at;
      if (t->rounds-- > 0) {
        at = &t->next;
        continue;
      }
      *at = t->next;
      t->next = due;
      due = t;
      wheel.pending--;
    }
    pthread_mutex_unlock(&wheel.lock);
    while (due) {
      struct timer* t = due;
      due = t->next;
      t->fire(t->argument);
      free(t);
    }
    pthread_mutex_lock(&wheel.lock);
    if (wheel.stop || wheel.pending) continue;
    pthread_cond_wait(&wheel.tick, &wheel.lock);
  }
  pthread_mutex_unlock(&wheel.lock);
  return NULL;
}
static pthread_mutex_t out = PTHREAD_MUTEX_INITIALIZER;
static int fired;
static void fire(void* argument) {
  pthread_mutex_lock(&out);
  fired += *(int*)argument;
  pthread_mutex_unlock(&out);
}
int main(void) {
  static int values[] = {1, 2, 4};
  pthread_t t;
  schedule(1, fire, &values[0]);
  schedule(6, fire, &values[1]);
  pthread_create(&t, NULL, run, NULL);
  schedule(3, fire, &values[2]);
  pthread_mutex_lock(&wheel.lock);
  wheel.stop = true;
  pthread_cond_signal(&wheel.tick);
  pthread_mutex_unlock(&wheel.lock);
  pthread_join(t, NULL);
  printf("%d\n", fired);
  return 0;
}
