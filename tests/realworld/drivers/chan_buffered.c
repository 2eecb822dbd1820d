/* A sender fills a channel of one place and closes it; the receiver takes what comes. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#include "src/chan.h"

static chan_t *values;

static void *send_two(void *unused) {
  static int one, two;
  chan_send(values, &one);
  chan_send(values, &two);
  chan_close(values);
  return unused;
}

int main(void) {
  pthread_t sender;
  void *value;
  int count = 0;
  values = chan_init(1);
  pthread_create(&sender, 0, send_two, 0);
  while (chan_recv(values, &value) == 0) ++count;
  pthread_join(sender, 0);
  assert(count == 2);
  chan_dispose(values);
  return 0;
}
