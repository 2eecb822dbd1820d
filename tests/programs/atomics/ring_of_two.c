// A token goes round two nodes; each thread waits at its own.
#include <pthread.h>
#include <stdatomic.h>
struct node {
  struct node *next;
  atomic_int token;
  int uses;
};
static struct node a, b;
static void *run(void *p) {
  struct node *const mine = p;
  for (int i = 0; i < 3; i++) {
    while (!atomic_exchange(&mine->token, 0)) {}
    mine->uses++;
    mine->next->uses++;
    atomic_store(&mine->next->token, 1);
  }
  return 0;
}
int main(void) {
  pthread_t t, u;
  a.next = &b;
  b.next = &a;
  pthread_create(&t, 0, run, &a);
  pthread_create(&u, 0, run, &b);
  atomic_store(&a.token, 1);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
