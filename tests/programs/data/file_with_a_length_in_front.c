// The first byte of a file is how many follow; it is believed.
// SETTINGS: files: [{path: words.bin, unknown: {length: 4}}]
// SAYS: file words.bin = 
#include <pthread.h>
#include <stdio.h>

static unsigned char words[2];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *load(void *unused) {
  unsigned char bytes[4];
  FILE *file = fopen("words.bin", "rb");
  const size_t got = fread(bytes, 1, 4, file);
  fclose(file);
  if (got < 4 || bytes[0] > 3) return unused;
  pthread_mutex_lock(&guard);
  for (int n = 0; n < bytes[0]; ++n) words[n] = bytes[1 + n];  // ERROR(out-of-bounds)!
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, load, 0);
  pthread_mutex_lock(&guard);
  words[0] = 1;
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
