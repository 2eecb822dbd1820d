// SAYS: waits in mq_send() for the queue made at queue_of_one_place.c:18, and
// Nobody receives what fills the queue.
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>

static mqd_t queue;

static void *sender(void *arg) {
  mq_send(queue, "a", 1, 0);
  mq_send(queue, "b", 1, 0);  // ERROR(deadlock)!
  return arg;
}

int main(void) {
  struct mq_attr one = {.mq_maxmsg = 1, .mq_msgsize = 8};
  pthread_t other;
  queue = mq_open("/one", O_CREAT | O_RDWR, 0600, &one);
  pthread_create(&other, NULL, sender, NULL);
  pthread_join(other, NULL);
  mq_close(queue);
  return 0;
}
