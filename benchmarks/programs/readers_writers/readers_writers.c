// Readers and writers: a monitor lets in many readers or one writer.
// Models:     the Java programs RW-deadlock and RW-exception of the thesis (their bug: an unprotected access to the
//             number of readers). The mended form: every access is in the monitor.
// Threads:    main, READERS readers and WRITERS writers (4 threads in the thesis).
// Size:       103 lines in Java.
// Parameters: READERS, WRITERS.
// Scaled:     -DREADERS=4 -DWRITERS=4
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif

struct Monitor {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int readers;
  int writers;
};

static struct Monitor monitor = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
static int data;
static int copy;

static void begin_read(struct Monitor* m) {
  pthread_mutex_lock(&m->lock);
  while (m->writers > 0) pthread_cond_wait(&m->changed, &m->lock);
  m->readers++;
  pthread_mutex_unlock(&m->lock);
}

static void end_read(struct Monitor* m) {
  pthread_mutex_lock(&m->lock);
  m->readers--;
  if (m->readers == 0) pthread_cond_broadcast(&m->changed);
  pthread_mutex_unlock(&m->lock);
}

static void begin_write(struct Monitor* m) {
  pthread_mutex_lock(&m->lock);
  while (m->readers > 0 || m->writers > 0) pthread_cond_wait(&m->changed, &m->lock);
  m->writers++;
  pthread_mutex_unlock(&m->lock);
}

static void end_write(struct Monitor* m) {
  pthread_mutex_lock(&m->lock);
  m->writers--;
  pthread_cond_broadcast(&m->changed);
  pthread_mutex_unlock(&m->lock);
}

static void* run_reader(void* argument) {
  begin_read(&monitor);
  assert(data == copy);
  end_read(&monitor);
  return argument;
}

static void* run_writer(void* argument) {
  begin_write(&monitor);
  data++;
  copy = data;
  end_write(&monitor);
  return argument;
}

int main(void) {
  pthread_t threads[READERS + WRITERS];
  for (int i = 0; i < READERS + WRITERS; i++) {
    pthread_create(&threads[i], 0, i < READERS ? run_reader : run_writer, 0);
  }
  for (int i = 0; i < READERS + WRITERS; i++) pthread_join(threads[i], 0);
  assert(data == WRITERS && monitor.readers == 0 && monitor.writers == 0);
  return 0;
}
