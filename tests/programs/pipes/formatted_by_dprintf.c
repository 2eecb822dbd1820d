// dprintf and vdprintf write to a pipe and to a socket as write() does. The text carries the number that was set before.
// VERDICT: clear
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], sockets[2], number;

static void say(const char *format, ...) {
  va_list values;
  va_start(values, format);
  vdprintf(sockets[1], format, values);
  va_end(values);
}

static void *writer(void *arg) {
  number = 3;
  dprintf(ends[1], "%d", number);
  say("%s-%d", "x", 4);
  return arg;
}

int main(void) {
  pthread_t t;
  char text[8] = {0};
  pipe(ends);
  socketpair(AF_UNIX, SOCK_STREAM, 0, sockets);
  pthread_create(&t, NULL, writer, NULL);
  read(ends[0], text, sizeof text);
  assert(text[0] == '3' && number == 3);
  recv(sockets[0], text, sizeof text, 0);
  assert(strcmp(text, "x-4") == 0);
  pthread_join(t, NULL);
  return 0;
}
