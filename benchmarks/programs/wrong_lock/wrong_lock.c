// Wrong lock: threads update a value that one lock guards.
// Models:     the Java kernel wronglock of the thesis (its bug: half of the threads lock themselves, not the data). The
//             mended form: all of them lock the data.
// Threads:    main, DATA_THREADS threads that know the data, OWNER_THREADS threads that also have a lock of their own (1
//             and 1 in the thesis).
// Size:       4 methods in Java.
// Parameters: DATA_THREADS, OWNER_THREADS.
// Scaled:     -DDATA_THREADS=4 -DOWNER_THREADS=4
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef DATA_THREADS
#define DATA_THREADS 1
#endif
#ifndef OWNER_THREADS
#define OWNER_THREADS 1
#endif
#define THREADS (DATA_THREADS + OWNER_THREADS)

struct Data {
  pthread_mutex_t lock;
  int value;
};

struct Owner {
  pthread_mutex_t lock;
  struct Data* data;
  int updates;
};

static struct Data data = {PTHREAD_MUTEX_INITIALIZER, 0};
static struct Owner owners[OWNER_THREADS];

static void add_one(struct Data* to) {
  int seen = to->value;
  to->value = seen + 1;
}

static void* update_data(void* argument) {
  struct Data* mine = argument;
  pthread_mutex_lock(&mine->lock);
  add_one(mine);
  pthread_mutex_unlock(&mine->lock);
  return 0;
}

static void* update_as_owner(void* argument) {
  struct Owner* self = argument;
  pthread_mutex_lock(&self->data->lock);
  add_one(self->data);
  pthread_mutex_unlock(&self->data->lock);
  pthread_mutex_lock(&self->lock);
  self->updates++;
  pthread_mutex_unlock(&self->lock);
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < OWNER_THREADS; i++) {
    pthread_mutex_init(&owners[i].lock, 0);
    owners[i].data = &data;
  }
  for (int i = 0; i < DATA_THREADS; i++) pthread_create(&threads[i], 0, update_data, &data);
  for (int i = 0; i < OWNER_THREADS; i++) pthread_create(&threads[DATA_THREADS + i], 0, update_as_owner, &owners[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  assert(data.value == THREADS);
  for (int i = 0; i < OWNER_THREADS; i++) assert(owners[i].updates == 1);
  return 0;
}
