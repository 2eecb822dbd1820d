// A hand-over in each round, or first all of one half.
// STATEMENT: for (int i = 0; i < 2; i++) { x++; sem_post(&go); sem_wait(&done); }
// STATEMENT: for (int i = 0; i < 2; i++) { x++; sem_post(&go); } for (int i = 0; i < 2; i++) sem_wait(&done);
// STATEMENT: for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); x++; sem_post(&go); sem_wait(&done); pthread_mutex_unlock(&m); }
// STATEMENT: for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); x++; sem_post(&go); sem_wait(&done); } for (int i = 0; i < 2; i++) pthread_mutex_unlock(&m);
#include "all.h"

static int x; static sem_t go, done; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *p) { for (int i = 0; i < 2; i++) { sem_wait(&go); x++; sem_post(&done); } return p; }
HELPERS
int main(void) { pthread_t t; sem_init(&go, 0, 0); sem_init(&done, 0, 0); pthread_create(&t, 0, w, 0); STATEMENT pthread_join(t, 0); return 0; }
