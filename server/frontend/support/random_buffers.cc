// random and rand in a program that gives them a state of its own (initstate, setstate): the C library's, under a lock.
#include <cstdlib>

#include <pthread.h>

namespace {

pthread_mutex_t random_lock = PTHREAD_MUTEX_INITIALIZER;
int32_t first_state[32];
random_data generator;

// As if srandom(1) had been called.
void begin() {
  if (generator.state == nullptr) initstate_r(1, reinterpret_cast<char*>(first_state), sizeof first_state, &generator);
}

char* exchange(unsigned seed, char* buffer, size_t size) {
  pthread_mutex_lock(&random_lock);
  begin();
  char* const old = reinterpret_cast<char*>(generator.state - 1);
  const int result = size == 0 ? setstate_r(buffer, &generator) : initstate_r(seed, buffer, size, &generator);
  pthread_mutex_unlock(&random_lock);
  return result == 0 ? old : nullptr;
}

}  // namespace

extern "C" {

char* initstate(unsigned seed, char* buffer, size_t size) { return size == 0 ? nullptr : exchange(seed, buffer, size); }
char* setstate(char* buffer) { return exchange(0, buffer, 0); }
long random() {
  int32_t result = 0;
  pthread_mutex_lock(&random_lock);
  begin();
  random_r(&generator, &result);
  pthread_mutex_unlock(&random_lock);
  return result;
}
void srandom(unsigned seed) {
  pthread_mutex_lock(&random_lock);
  begin();
  srandom_r(seed, &generator);
  pthread_mutex_unlock(&random_lock);
}
int rand() { return static_cast<int>(random()); }
void srand(unsigned seed) { srandom(seed); }

}  // extern "C"
