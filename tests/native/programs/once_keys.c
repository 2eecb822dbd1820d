// pthread_once, thread-specific data with destructors, thread-local variables.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key, plain;
static int initialised;
static int destroyed[8];
static _Thread_local int counter = 5;
static __thread char name[16] = "unnamed";
_Thread_local int *pointer_to_counter;

static void destroy(void *p) {
  int *v = p;
  destroyed[*v]++;
  free(v);
}

static void initialise(void) {
  initialised++;
  pthread_key_create(&key, destroy);
  pthread_key_create(&plain, NULL);
}

static void *work(void *arg) {
  int id = (int)(long)arg;
  pthread_once(&once, initialise);
  int *v = malloc(sizeof *v);
  *v = id;
  pthread_setspecific(key, v);
  pthread_setspecific(plain, arg);
  counter += id;
  pointer_to_counter = &counter;
  ++*pointer_to_counter;
  snprintf(name, sizeof name, "thread %d", id);
  int *again = pthread_getspecific(key);
  return (void *)(long)(*again * 100 + counter + (pthread_getspecific(plain) == arg) * 1000);
}

int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, work, (void *)(i + 1));
  for (int i = 0; i < 3; i++) {
    void *r;
    pthread_join(t[i], &r);
    printf("%ld ", (long)r);
  }
  printf("| once %d counter %d name %s null %d\n", initialised, counter, name, pthread_getspecific(key) == NULL);
  for (int i = 0; i < 5; i++) printf("%d", destroyed[i]);
  puts("");
  pthread_key_delete(key);
  pthread_key_delete(plain);
  return 0;
}
