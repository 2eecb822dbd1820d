// What initialises the parts of a fresh block.
// STATEMENT: pthread_cond_init(&q->c, 0); pthread_rwlock_init(&q->l, 0); atomic_init(&q->a, 0);
// STATEMENT: pthread_rwlock_init(&q->l, 0); atomic_init(&q->a, 0);
// STATEMENT: pthread_cond_init(&q->c, 0); atomic_init(&q->a, 0);
// STATEMENT: pthread_cond_init(&q->c, 0); pthread_rwlock_init(&q->l, 0);
// STATEMENT: memset(q, 0, sizeof *q);
// LOCAL
#include "all.h"

struct parts { pthread_cond_t c; pthread_rwlock_t l; atomic_int a; };
int x;
HELPERS
static void *w(void *p) {
  struct parts *q = p;
  pthread_rwlock_wrlock(&q->l); x++; pthread_rwlock_unlock(&q->l);
  pthread_cond_signal(&q->c);
  if (atomic_load(&q->a) == 3) x++;
  return 0;
}
int main(void) { pthread_t t; struct parts *q = malloc(sizeof *q); if (!q) return 0; STATEMENT pthread_create(&t, 0, w, q); pthread_join(t, 0); free(q); return 0; }
