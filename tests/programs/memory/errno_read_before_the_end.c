// VERDICT: clear
// Another thread reads an errno while its thread waits; constant texts stay.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t written, read_;
static int *theirs;

static void *fails(void *p) {
  errno = EAGAIN;
  theirs = &errno;
  sem_post(&written);
  while (sem_wait(&read_) != 0) {
  }
  return strerror(EAGAIN);
}

int main(void) {
  sem_init(&written, 0, 0);
  sem_init(&read_, 0, 0);
  pthread_t t;
  void *text;
  pthread_create(&t, NULL, fails, NULL);
  while (sem_wait(&written) != 0) {
  }
  const int number = *theirs;
  sem_post(&read_);
  pthread_join(t, &text);
  return number != EAGAIN || ((char *)text)[0] == 0;
}
