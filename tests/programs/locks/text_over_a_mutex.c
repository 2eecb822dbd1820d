// A text that is too long ends in the lock behind it, which nobody holds.
#include <pthread.h>
#include <string.h>

static struct {
  char name[8];
  pthread_mutex_t lock;
  int uses;
} shelf;

static void *names(void *arg) {
  char *to = shelf.name;
  strcpy(to, arg);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, names, "twelve bytes");
  pthread_join(t, NULL);
  pthread_mutex_lock(&shelf.lock);  // ERROR(lock-misuse)!
  shelf.uses++;
  pthread_mutex_unlock(&shelf.lock);
  return 0;
}
