// VERDICT: clear
// sem_trywait, sem_timedwait and sem_getvalue.
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
  sem_t s;
  int value = -1;
  sem_init(&s, 0, 1);
  assert(sem_trywait(&s) == 0);
  assert(sem_trywait(&s) == -1 && errno == EAGAIN);
  struct timespec until = {1, 0};
  assert(sem_timedwait(&s, &until) == -1 && errno == ETIMEDOUT);
  assert(sem_post(&s) == 0);
  assert(sem_getvalue(&s, &value) == 0 && value == 1);
  assert(sem_destroy(&s) == 0);
  return 0;
}
