// A packet's length byte is trusted: one of 256 values lets the copy leave the buffer.
// SETTINGS: unknown-externals: {read_packet: {fresh: {min: 0, max: 8}, fills: {argument: 1, size-argument: 2}}}
// SAYS: read_packet(), argument 1 =
#include <pthread.h>
#include <string.h>

int read_packet(unsigned char *bytes, int size);

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static char line[4];

static void *receive(void *unused) {
  unsigned char bytes[8];
  const int length = read_packet(bytes, sizeof bytes);
  if (length < 2 || bytes[0] != 'q') return unused;
  const unsigned count = bytes[1] & 7;
  if (count > 5) return unused;
  pthread_mutex_lock(&guard);
  for (unsigned n = 0; n < count; ++n) line[n] = (char)bytes[2 + n];  // ERROR(out-of-bounds)!
  pthread_mutex_unlock(&guard);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, receive, 0);
  pthread_mutex_lock(&guard);
  line[0] = 'x';
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
