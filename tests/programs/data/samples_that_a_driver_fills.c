// Samples are taken as they come, and kept within bounds under a lock.
// VERDICT: clear
// SETTINGS: unknown-externals: {read_samples: {fresh: {min: 0, max: 3}, fills: {argument: 1, size-argument: 2, times: 4}}}
#include <assert.h>
#include <pthread.h>

int read_samples(int *samples, int count);

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int highest;

static void *sample(void *unused) {
  int samples[3];
  const int count = read_samples(samples, 3);
  for (int n = 0; n < count; ++n) {
    if (samples[n] < 0 || samples[n] > 100) continue;
    pthread_mutex_lock(&guard);
    if (samples[n] > highest) highest = samples[n];
    pthread_mutex_unlock(&guard);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sample, 0);
  pthread_mutex_lock(&guard);
  assert(0 <= highest && highest <= 100);
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  assert(highest <= 100);
  return 0;
}
