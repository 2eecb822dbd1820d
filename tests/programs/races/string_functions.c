// Library functions read and write shared text.
#include <pthread.h>
#include <string.h>

static char name[16] = "none";

static void *rename_it(void *arg) {
  strcpy(name, "heddle");  // RACE!
  return arg;
}

static void *measure(void *arg) {
  return strlen(name) > 10 ? arg : NULL;  // RACE!
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, rename_it, NULL);
  pthread_create(&b, NULL, measure, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
