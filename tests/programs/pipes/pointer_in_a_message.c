// Addresses inside structures, sent with writev() and over a pair of sockets: a local variable, a global one, a function.
#include <pthread.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

struct order {
  int kind;
  int *where;
  void (*how)(int *);
};
int ends[2], total;

void add(int *n) { *n += 1; }  // RACE!

void *worker(void *p) {
  struct order order;
  for (int n = 0; n < 2; n++) {
    if (read(ends[0], &order, sizeof order) != sizeof order) return p;
    if (order.kind == 1) order.how(order.where);
    if (order.kind == 2) *order.where = 3;  // RACE!
  }
  return 0;
}

int main(void) {
  pthread_t t;
  int local = 0;
  struct order one = {1, &total, add}, other = {2, &local, 0};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 0;
  pthread_create(&t, 0, worker, 0);
  struct iovec parts[1] = {{&one, sizeof one}};
  if (writev(ends[1], parts, 1) < 0 || write(ends[1], &other, sizeof other) < 0) return 0;
  total = 9;  // RACE!
  local = 4;  // RACE!
  pthread_join(t, 0);
  return 0;
}
