#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static sem_t s;
static void *holder(void *p) { (void)p; struct timespec at = {0, 0}; int *r = p; r[0] = pthread_mutex_timedlock(&m, &at) == ETIMEDOUT; r[1] = pthread_mutex_trylock(&m) == EBUSY; return NULL; }
int main(void) { struct timespec past = {0, 0}; int r[2]; sem_init(&s, 0, 1); pthread_mutex_lock(&m); printf("%d ", pthread_cond_timedwait(&c, &m, &past) == ETIMEDOUT); pthread_t t; pthread_create(&t, NULL, holder, r); pthread_join(t, NULL); pthread_mutex_unlock(&m); printf("%d %d ", r[0], r[1]); printf("%d ", sem_timedwait(&s, &past)); int e = sem_timedwait(&s, &past); printf("%d %d ", e, errno == ETIMEDOUT); e = sem_trywait(&s); printf("%d %d\n", e, errno == EAGAIN); usleep(10); struct timespec brief = {0, 10}; nanosleep(&brief, NULL); pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED); int state; pthread_attr_getdetachstate(&a, &state); printf("%d\n", state == PTHREAD_CREATE_DETACHED); return 0; }
