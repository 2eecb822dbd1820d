// Two threads call one function, one of them through a pointer, and what it is given there is shared.
#include <pthread.h>

static int first, second;
static void (*chosen)(int*);

static void raise(int* counter) { *counter = *counter + 1; }

static void* by_name(void* unused) {
  raise(&first);
  return unused;
}

static void* by_pointer(void* unused) {
  raise(&second);
  chosen(&first);
  return unused;
}

int main(void) {
  pthread_t one, other;
  chosen = raise;
  pthread_create(&one, 0, by_name, 0);
  pthread_create(&other, 0, by_pointer, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return first + second > 3;
}
