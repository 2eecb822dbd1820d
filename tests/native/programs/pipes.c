// Pipes, event counters and poll between threads: an event loop and its producers.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int data[2], wake;
static const char* const words[] = {"alpha", "be", "gamma"};

static void* producer(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; i++) {
    const unsigned char length = (unsigned char)strlen(words[i]);
    if (write(data[1], &length, 1) != 1 || write(data[1], words[i], length) != length) return (void*)1;
  }
  return eventfd_write(wake, 1) == 0 ? NULL : (void*)2;
}

static int read_all(int from, void* to, size_t size) {
  for (char* at = to; size > 0;) {
    const ssize_t got = read(from, at, size);
    if (got < 0 && errno == EAGAIN) {
      struct pollfd wanted = {.fd = from, .events = POLLIN};
      if (poll(&wanted, 1, -1) != 1) return -1;
      continue;
    }
    if (got <= 0) return -1;
    at += got;
    size -= (size_t)got;
  }
  return 0;
}

static void event_loop(void) {
  int ended = 0, count = 0;
  size_t bytes = 0;
  char word[32] = "";
  while (!ended || count < 3) {
    struct pollfd list[] = {{.fd = data[0], .events = POLLIN}, {.fd = wake, .events = POLLIN}, {.fd = -1}};
    if (poll(list, 3, -1) < 1) break;
    eventfd_t value = 0;
    if ((list[1].revents & POLLIN) && eventfd_read(wake, &value) == 0) ended += (int)value;
    if (!(list[0].revents & POLLIN)) continue;
    unsigned char length = 0;
    if (read_all(data[0], &length, 1) != 0 || read_all(data[0], word, length) != 0) break;
    word[length] = 0;
    bytes += length;
    count++;
  }
  printf("%d words, %zu bytes, last %s, ended %d\n", count, bytes, word, ended);
}

static void ends_and_copies(void) {
  char byte = 'x';
  struct pollfd list = {.fd = data[0], .events = POLLIN};
  printf("nothing: %d", poll(&list, 1, 5));
  const int copy = dup(data[1]);
  close(data[1]);
  printf(", %d with a copy open", poll(&list, 1, 0));
  printf(", wrote %zd", write(copy, &byte, 1));
  close(copy);
  printf(", ready %d %d", poll(&list, 1, -1), list.revents == (POLLIN | POLLHUP));
  byte = 0;
  printf(", read %zd %c", read(data[0], &byte, 1), byte);
  printf(", end %zd\n", read(data[0], &byte, 1));
  if (dup2(data[0], wake) != wake) return;  // closes the counter
  printf("moved: %zd, bad end: %zd %s", read(wake, &byte, 1), write(wake, "a", 1), strerror(errno));
  close(data[0]);
  close(wake);
  printf(", closed: %zd %s\n", read(data[0], &byte, 1), strerror(errno));
}

static void counters(void) {
  const int tickets = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
  uint64_t value = 0;
  for (int i = 0; i < 3; i++) {
    const ssize_t got = read(tickets, &value, sizeof value);
    printf("%zd %d; ", got, got < 0 ? errno == EAGAIN : (int)value);
  }
  printf("short: %zd %d\n", read(tickets, &value, 4), errno == EINVAL);
  close(tickets);
}

int main(void) {
  if (pipe2(data, O_NONBLOCK | O_CLOEXEC) != 0 || (wake = eventfd(0, EFD_CLOEXEC)) < 0) return 1;
  char byte;
  printf("%d %d, %d, ", data[1] - data[0], wake - data[1], (fcntl(data[0], F_GETFL) & O_NONBLOCK) != 0);
  printf("%zd %s\n", read(data[0], &byte, 1), strerror(errno));
  pthread_t thread;
  void* result;
  pthread_create(&thread, NULL, producer, NULL);
  event_loop();
  pthread_join(thread, &result);
  printf("producer: %ld\n", (long)(intptr_t)result);
  ends_and_copies();
  counters();
  int plain[2];
  if (pipe(plain) != 0) return 1;
  char block[4096];
  memset(block, 'b', sizeof block);
  size_t written = 0;
  fcntl(plain[1], F_SETFL, O_NONBLOCK);
  for (ssize_t n; (n = write(plain[1], block, sizeof block)) > 0;) written += (size_t)n;
  printf("%zu bytes until %s\n", written, strerror(errno));
  return 0;
}
