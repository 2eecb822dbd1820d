// QSort MT: quicksort on a bounded team of threads.
// Models:     the Java program of the pairwise paper, after the multi-threaded qsort of BSD. A thread that splits a
//             part of at least FORK_AT elements gives one half to an idle thread of the team, if there is one.
// Threads:    main, which is one of the team, and THREADS more (2 in the paper).
// Size:       288 lines in Java.
// Parameters: THREADS, ELEMENTS (20 in the paper), FORK_AT (5 in the paper).
// Scaled:     -DTHREADS=4 -DELEMENTS=40 -DFORK_AT=5
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ELEMENTS
#define ELEMENTS 9
#endif
#ifndef FORK_AT
#define FORK_AT 4
#endif

enum State { kIdle, kWork, kEnd };

struct Member {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  enum State state;
  int from;
  int count;
};

struct Team {
  pthread_mutex_t lock;
  pthread_cond_t all_idle;
  int idle;
  struct Member members[THREADS];
};

static struct Team team;
static int elements[ELEMENTS];

static void swap(int a, int b) {
  int kept = elements[a];
  elements[a] = elements[b];
  elements[b] = kept;
}

static void sort_by_insertion(int from, int count) {
  for (int i = from + 1; i < from + count; i++) {
    for (int j = i; j > from && elements[j - 1] > elements[j]; j--) swap(j - 1, j);
  }
}

// Returns where the pivot came to rest.
static int split(int from, int count) {
  swap(from, from + count / 2);
  int last = from;
  for (int i = from + 1; i < from + count; i++) {
    if (elements[i] < elements[from]) swap(++last, i);
  }
  swap(from, last);
  return last;
}

static struct Member* allocate_member(void) {
  struct Member* found = 0;
  pthread_mutex_lock(&team.lock);
  for (int i = 0; i < THREADS && !found; i++) {
    struct Member* member = &team.members[i];
    pthread_mutex_lock(&member->lock);
    if (member->state == kIdle) {
      member->state = kWork;
      team.idle--;
      found = member;
    }
    pthread_mutex_unlock(&member->lock);
  }
  pthread_mutex_unlock(&team.lock);
  return found;
}

// The member was allocated by the caller, and waits until its part has a size.
static void give(struct Member* member, int from, int count) {
  pthread_mutex_lock(&member->lock);
  member->from = from;
  member->count = count;
  pthread_cond_signal(&member->changed);
  pthread_mutex_unlock(&member->lock);
}

static void sort(int from, int count) {
  while (count >= FORK_AT) {
    int middle = split(from, count);
    int left = middle - from;
    struct Member* helper = left > 1 ? allocate_member() : 0;
    if (helper) {
      give(helper, from, left);
    } else {
      sort(from, left);
    }
    count -= left + 1;
    from = middle + 1;
  }
  sort_by_insertion(from, count);
}

static void become_idle(struct Member* self) {
  pthread_mutex_lock(&team.lock);
  pthread_mutex_lock(&self->lock);
  self->state = kIdle;
  self->count = 0;
  pthread_mutex_unlock(&self->lock);
  if (++team.idle == THREADS) pthread_cond_signal(&team.all_idle);
  pthread_mutex_unlock(&team.lock);
}

static void* run_member(void* argument) {
  struct Member* self = argument;
  for (;;) {
    pthread_mutex_lock(&self->lock);
    while (self->count == 0 && self->state != kEnd) pthread_cond_wait(&self->changed, &self->lock);
    enum State state = self->state;
    int from = self->from;
    int count = self->count;
    pthread_mutex_unlock(&self->lock);
    if (state == kEnd) return 0;
    sort(from, count);
    become_idle(self);
  }
}

static void end_team(void) {
  pthread_mutex_lock(&team.lock);
  while (team.idle < THREADS) pthread_cond_wait(&team.all_idle, &team.lock);
  pthread_mutex_unlock(&team.lock);
  for (int i = 0; i < THREADS; i++) {
    struct Member* member = &team.members[i];
    pthread_mutex_lock(&member->lock);
    member->state = kEnd;
    pthread_cond_signal(&member->changed);
    pthread_mutex_unlock(&member->lock);
  }
}

int main(void) {
  pthread_t threads[THREADS];
  pthread_mutex_init(&team.lock, 0);
  pthread_cond_init(&team.all_idle, 0);
  team.idle = THREADS;
  for (int i = 0; i < ELEMENTS; i++) elements[i] = i * 5 % ELEMENTS;
  for (int i = 0; i < THREADS; i++) {
    pthread_mutex_init(&team.members[i].lock, 0);
    pthread_cond_init(&team.members[i].changed, 0);
    pthread_create(&threads[i], 0, run_member, &team.members[i]);
  }
  sort(0, ELEMENTS);
  end_team();
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  for (int i = 1; i < ELEMENTS; i++) assert(elements[i - 1] <= elements[i]);
  return 0;
}
