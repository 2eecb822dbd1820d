// Pairs of sockets, select and epoll between threads: a server with an event loop, and its clients.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#define CLIENTS 3

static int ends[CLIENTS][2];
static int sums[CLIENTS];

static void* client(void* argument) {
  const int n = (int)(intptr_t)argument, fd = ends[n][1];
  for (int k = 1; k <= 2; k++) {
    const int asked = 10 * (n + 1) + k;
    int answer = 0;
    if (send(fd, &asked, sizeof asked, MSG_NOSIGNAL) != sizeof asked) return (void*)1;
    if (recv(fd, &answer, sizeof answer, MSG_WAITALL) != sizeof answer) return (void*)2;
    sums[n] += answer;
  }
  return shutdown(fd, SHUT_WR) == 0 ? NULL : (void*)3;
}

static int serve(int epoll) {
  int open = CLIENTS, served = 0;
  while (open > 0) {
    struct epoll_event events[2];
    const int count = epoll_wait(epoll, events, 2, -1);
    for (int i = 0; i < count; i++) {
      const int fd = events[i].data.fd;
      int asked = 0;
      const ssize_t got = recv(fd, &asked, sizeof asked, 0);
      if (got == 0) {
        if (epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL) != 0) return -1;
        open--;
        continue;
      }
      asked *= asked;
      if (got != sizeof asked || write(fd, &asked, sizeof asked) != sizeof asked) return -2;
      served++;
    }
  }
  return served;
}

static void clients_and_server(void) {
  pthread_t threads[CLIENTS];
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  for (int n = 0; n < CLIENTS; n++) {
    struct epoll_event wanted = {.events = EPOLLIN, .data.fd = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends[n]) != 0) return;
    wanted.data.fd = ends[n][0];
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, ends[n][0], &wanted) != 0) return;
    printf("twice %d %s\n", epoll_ctl(epoll, EPOLL_CTL_ADD, ends[n][0], &wanted), strerror(errno));
    pthread_create(&threads[n], NULL, client, (void*)(intptr_t)n);
  }
  printf("served %d\n", serve(epoll));
  for (int n = 0; n < CLIENTS; n++) {
    void* result = NULL;
    pthread_join(threads[n], &result);
    printf("client %d: %d, %ld\n", n, sums[n], (long)(intptr_t)result);
    close(ends[n][0]);
    close(ends[n][1]);
  }
  close(epoll);
}

static void edges(void) {
  int e = eventfd(0, EFD_NONBLOCK), p[2], epoll = epoll_create(1);
  struct epoll_event got[4], wanted = {.events = EPOLLIN | EPOLLET, .data.u32 = 7};
  pipe2(p, O_NONBLOCK);
  printf("add %d\n", epoll_ctl(epoll, EPOLL_CTL_ADD, p[0], &wanted));
  wanted.events = EPOLLIN | EPOLLONESHOT;
  wanted.data.u32 = 8;
  printf("add %d, none %d\n", epoll_ctl(epoll, EPOLL_CTL_ADD, e, &wanted), epoll_wait(epoll, got, 4, 0));
  write(p[1], "abc", 3);
  int count = epoll_wait(epoll, got, 4, -1);
  printf("first %d: %u %x\n", count, got[0].data.u32, got[0].events);
  printf("again %d\n", epoll_wait(epoll, got, 4, 0));
  write(p[1], "d", 1);
  printf("more %d\n", epoll_wait(epoll, got, 4, 0));
  read(p[0], got, 1);
  printf("read %d\n", epoll_wait(epoll, got, 4, 0));
  eventfd_write(e, 1);
  count = epoll_wait(epoll, got, 4, 0);
  printf("counter %d: %u\n", count, got[0].data.u32);
  eventfd_write(e, 1);
  printf("shot %d\n", epoll_wait(epoll, got, 4, 0));
  wanted.events = EPOLLIN;
  printf("mod %d, now %d\n", epoll_ctl(epoll, EPOLL_CTL_MOD, e, &wanted), epoll_wait(epoll, got, 4, 0));
  close(e);
  printf("closed %d\n", epoll_wait(epoll, got, 4, 0));
  close(p[1]);
  count = epoll_wait(epoll, got, 4, 0);
  printf("ended %d: %x\n", count, got[0].events);
  struct pollfd nested = {.fd = epoll, .events = POLLIN};
  printf("nested %d\n", poll(&nested, 1, 0));
  printf("errors %d", epoll_ctl(epoll, EPOLL_CTL_DEL, e, NULL));
  printf(" %s,", strerror(errno));
  printf(" %d %s,", epoll_ctl(epoll, EPOLL_CTL_ADD, epoll, &wanted), strerror(errno));
  printf(" %d %s,", epoll_wait(p[0], got, 4, 0), strerror(errno));
  printf(" %d %s\n", epoll_wait(epoll, got, 0, 0), strerror(errno));
  close(p[0]);
  close(epoll);
}

static void selecting(void) {
  int a[2], b[2];
  fd_set in, out;
  pipe(a);
  socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, b);
  const int top = b[0] > b[1] ? b[0] : b[1];
  FD_ZERO(&in);
  FD_ZERO(&out);
  FD_SET(a[0], &in);
  FD_SET(b[0], &in);
  FD_SET(a[1], &out);
  FD_SET(b[1], &out);
  struct timeval none = {0, 0};
  int count = select(top + 1, &in, &out, NULL, &none);
  printf("select %d: %d %d %d %d\n", count, FD_ISSET(a[0], &in), FD_ISSET(b[0], &in), FD_ISSET(a[1], &out),
         FD_ISSET(b[1], &out));
  write(b[1], "hello", 5);
  FD_ZERO(&in);
  FD_SET(a[0], &in);
  FD_SET(b[0], &in);
  count = select(top + 1, &in, NULL, NULL, NULL);
  char text[8] = "";
  printf("select %d: %d %d\n", count, FD_ISSET(a[0], &in), FD_ISSET(b[0], &in));
  ssize_t got = recv(b[0], text, 2, MSG_PEEK);
  printf("peek %zd %s", got, text);
  got = recv(b[0], text, 7, MSG_DONTWAIT);
  printf(", all %zd %s", got, text);
  got = recv(b[0], text, 7, 0);
  printf(", none %zd %s\n", got, strerror(errno));
  close(b[1]);
  struct pollfd both[2] = {{.fd = b[0], .events = POLLIN | POLLOUT}, {.fd = a[1], .events = POLLOUT}};
  close(a[0]);
  count = poll(both, 2, -1);
  printf("poll %d: %x %x\n", count, both[0].revents, both[1].revents);
  printf("read %zd", read(b[0], text, 1));
  got = send(b[0], "x", 1, MSG_NOSIGNAL);
  printf(", send %zd %s\n", got, strerror(errno));
  got = recv(a[1], text, 1, 0);
  printf("no socket %zd %s\n", got, strerror(errno));
  FD_ZERO(&in);
  FD_SET(a[0], &in);  // closed above (a far descriptor would be ignored, where the kernel's table is small)
  count = select(a[0] + 1, &in, NULL, NULL, &none);
  printf("closed %d %s\n", count, strerror(errno));
  printf("domain %d", socketpair(AF_INET, SOCK_STREAM, 0, b));
  printf(" %s\n", strerror(errno));
  close(a[1]);
  close(b[0]);
}

int main(void) {
  clients_and_server();
  edges();
  selecting();
  return 0;
}
