// Alarm Clock: clients sleep until a clock wakes them.
// Models:     the Java program of the CTC collection, measured by all three papers. The monitor keeps the time and a
//             list of sleepers in the order of their alarms; each sleeper has a condition variable of its own.
// Threads:    main, 1 clock, CLIENTS clients (2 in the papers).
// Size:       196 lines in Java.
// Parameters: CLIENTS, TIME_END (5 in the paper), INTERVAL (2 in the paper), ALARMS (alarms per client).
// Scaled:     -DCLIENTS=3 -DALARMS=2
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef TIME_END
#define TIME_END 5
#endif
#ifndef INTERVAL
#define INTERVAL 2
#endif
#ifndef ALARMS
#define ALARMS 1
#endif

struct Sleeper {
  int client;
  int alarm_time;
  int awake;
  pthread_cond_t wake;
  struct Sleeper* next;
};

struct Clock {
  pthread_mutex_t lock;
  pthread_cond_t client_moved;
  int now;
  int clients_left;
  struct Sleeper* sleepers;
};

static struct Clock the_clock = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, CLIENTS, 0};
static struct Sleeper beds[CLIENTS];

static void insert_locked(struct Clock* clock, struct Sleeper* sleeper) {
  struct Sleeper** place = &clock->sleepers;
  while (*place && (*place)->alarm_time <= sleeper->alarm_time) place = &(*place)->next;
  sleeper->next = *place;
  *place = sleeper;
}

static struct Sleeper* take_due_locked(struct Clock* clock) {
  struct Sleeper* sleeper = clock->sleepers;
  if (!sleeper || sleeper->alarm_time > clock->now) return 0;
  clock->sleepers = sleeper->next;
  sleeper->next = 0;
  return sleeper;
}

static int wake_me(struct Clock* clock, int client, int interval) {
  pthread_mutex_lock(&clock->lock);
  struct Sleeper* self = &beds[client];
  self->alarm_time = clock->now + interval;
  self->awake = 0;
  insert_locked(clock, self);
  pthread_cond_signal(&clock->client_moved);
  while (!self->awake) pthread_cond_wait(&self->wake, &clock->lock);
  int late = clock->now - self->alarm_time;
  pthread_mutex_unlock(&clock->lock);
  return late;
}

static void leave(struct Clock* clock) {
  pthread_mutex_lock(&clock->lock);
  clock->clients_left--;
  pthread_cond_signal(&clock->client_moved);
  pthread_mutex_unlock(&clock->lock);
}

static void tick(struct Clock* clock) {
  pthread_mutex_lock(&clock->lock);
  clock->now++;
  struct Sleeper* due;
  while ((due = take_due_locked(clock))) {
    due->awake = 1;
    pthread_cond_signal(&due->wake);
  }
  pthread_mutex_unlock(&clock->lock);
}

// After its last tick the clock wakes the sleepers that remain, whatever their alarm, until all clients have left.
static void ring_all(struct Clock* clock) {
  pthread_mutex_lock(&clock->lock);
  while (clock->clients_left > 0) {
    if (clock->sleepers) {
      clock->now = clock->sleepers->alarm_time;
      struct Sleeper* due = take_due_locked(clock);
      due->awake = 1;
      pthread_cond_signal(&due->wake);
    } else {
      pthread_cond_wait(&clock->client_moved, &clock->lock);
    }
  }
  pthread_mutex_unlock(&clock->lock);
}

static void* run_clock(void* argument) {
  struct Clock* clock = argument;
  for (int time = 0; time < TIME_END; time++) tick(clock);
  ring_all(clock);
  return 0;
}

static void* run_client(void* argument) {
  const struct Sleeper* bed = argument;
  for (int i = 0; i < ALARMS; i++) {
    int late = wake_me(&the_clock, bed->client, INTERVAL + bed->client);
    assert(late >= 0);
  }
  leave(&the_clock);
  return 0;
}

int main(void) {
  pthread_t clock;
  pthread_t clients[CLIENTS];
  for (int i = 0; i < CLIENTS; i++) {
    beds[i].client = i;
    pthread_cond_init(&beds[i].wake, 0);
  }
  pthread_create(&clock, 0, run_clock, &the_clock);
  for (int i = 0; i < CLIENTS; i++) pthread_create(&clients[i], 0, run_client, &beds[i]);
  for (int i = 0; i < CLIENTS; i++) pthread_join(clients[i], 0);
  pthread_join(clock, 0);
  assert(!the_clock.sleepers);
  return 0;
}
