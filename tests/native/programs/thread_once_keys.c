#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_once_t once = PTHREAD_ONCE_INIT; static pthread_key_t key; static int made, destroyed; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void drop(void *p) { pthread_mutex_lock(&m); destroyed += *(int *)p; pthread_mutex_unlock(&m); free(p); } static void make(void) { made++; pthread_key_create(&key, drop); }
static int *mine(void) { pthread_once(&once, make); int *p = pthread_getspecific(key); if (!p) { p = calloc(1, sizeof *p); pthread_setspecific(key, p); } return p; }
static void deeper(int n) { if (n == 0) { *mine() += 100; pthread_exit((void *)(long)*mine()); } int pad[4] = {n}; deeper(n - 1); printf("%d", pad[0]); }
static void *work(void *p) { for (long i = 0; i < (long)p; i++) ++*mine(); deeper(3); return NULL; }
int main(void) { pthread_t t[3]; long s = 0; for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, work, (void *)(i + 1)); for (int i = 0; i < 3; i++) { void *r; pthread_join(t[i], &r); s += (long)r; } printf("%d %ld %d %d\n", made, s, destroyed, pthread_equal(t[0], t[0]) != 0); return 0; }
