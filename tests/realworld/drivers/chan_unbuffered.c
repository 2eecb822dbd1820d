/* One sender, two receivers: each value arrives once. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#include "src/chan.h"

static chan_t *values;

static void *send_two(void *unused) {
  static int one, two;
  chan_send(values, &one);
  chan_send(values, &two);
  return unused;
}

static void *receive(void *into) {
  chan_recv(values, into);
  return 0;
}

int main(void) {
  pthread_t sender, receiver;
  void *first = 0, *second = 0;
  values = chan_init(0);
  pthread_create(&sender, 0, send_two, 0);
  pthread_create(&receiver, 0, receive, &first);
  chan_recv(values, &second);
  pthread_join(sender, 0);
  pthread_join(receiver, 0);
  assert(first != second);
  chan_dispose(values);
  return 0;
}
