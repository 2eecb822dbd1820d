// VERDICT: inconclusive
// SAYS: a time limit of a socket
// When it is up is not modelled.
#include <stddef.h>
#include <sys/socket.h>
#include <sys/time.h>

int main(void) {
  int ends[2];
  char byte;
  struct timeval most = {0, 100000};
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  recv(ends[0], &byte, 1, 0);
  return 0;
}
