// Programs that connect: threads that accept may wait for them (sockets.cc).
#include <sys/socket.h>

extern "C" {

int connect_socket(int number, const sockaddr* name, socklen_t size) __asm__("heddle.connect_socket");

int connect(int number, const sockaddr* name, socklen_t size) { return connect_socket(number, name, size); }

}  // extern "C"
