#include <pthread.h>
#include <stdio.h>
#define SIZE 3
static int items[SIZE], head, count, closed; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full;
static void put(int v) { pthread_mutex_lock(&m); while (count == SIZE) pthread_cond_wait(&not_full, &m); items[(head + count++) % SIZE] = v; pthread_cond_signal(&not_empty); pthread_mutex_unlock(&m); }
static int get(int *v) { pthread_mutex_lock(&m); while (count == 0 && !closed) pthread_cond_wait(&not_empty, &m); int ok = count > 0; if (ok) { *v = items[head]; head = (head + 1) % SIZE; count--; pthread_cond_signal(&not_full); } pthread_mutex_unlock(&m); return ok; }
static void *consume(void *p) { long s = 0; int v; while (get(&v)) s += v; *(long *)p = s; return NULL; }
int main(void) { pthread_cond_init(&not_full, NULL); pthread_t t[2]; long sums[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, consume, &sums[i]); for (int i = 1; i <= 20; i++) put(i); pthread_mutex_lock(&m); closed = 1; pthread_cond_broadcast(&not_empty); pthread_mutex_unlock(&m); for (int i = 0; i < 2; i++) pthread_join(t[i], NULL); printf("%ld\n", sums[0] + sums[1]); pthread_cond_destroy(&not_full); return 0; }
