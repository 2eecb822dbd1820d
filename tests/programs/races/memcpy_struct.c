// A whole struct is copied while another thread writes one of its fields.
#include <pthread.h>
#include <string.h>

struct config { int width, height; char name[16]; };

static struct config current;

static void *reader(void *arg) {
  struct config copy;
  memcpy(&copy, &current, sizeof copy);  // RACE!
  return copy.width < 0 ? arg : NULL;
}

static void *writer(void *arg) {
  current.height = 3;  // RACE!
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
