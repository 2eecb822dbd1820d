#include <errno.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t recursive, checked, plain = PTHREAD_MUTEX_INITIALIZER; static pthread_spinlock_t spin;
static void *other(void *p) { int *r = p; r[0] = pthread_mutex_trylock(&recursive) == EBUSY; r[1] = pthread_mutex_unlock(&checked) == EPERM; r[2] = pthread_mutex_trylock(&plain) == 0; pthread_mutex_unlock(&plain); r[3] = pthread_spin_trylock(&spin) == EBUSY; return NULL; }
int main(void) {
  pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&recursive, &a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&checked, &a); pthread_mutexattr_destroy(&a); pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  int r[4]; for (int i = 0; i < 3; i++) pthread_mutex_lock(&recursive); printf("%d ", pthread_mutex_lock(&checked)); printf("%d ", pthread_mutex_lock(&checked) == EDEADLK); pthread_spin_lock(&spin);
  pthread_t t; pthread_create(&t, NULL, other, r); pthread_join(t, NULL); printf("%d %d %d %d\n", r[0], r[1], r[2], r[3]);
  for (int i = 0; i < 3; i++) pthread_mutex_unlock(&recursive); printf("%d ", pthread_mutex_unlock(&recursive) == EPERM); pthread_mutex_unlock(&checked); pthread_spin_unlock(&spin); pthread_spin_destroy(&spin); printf("%d\n", pthread_mutex_destroy(&recursive)); return 0;
}
