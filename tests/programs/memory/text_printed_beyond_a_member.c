// SAYS: writes 11 bytes, across the end of 'answer.text' (8 bytes)
// The size that is given is that of the whole structure.
#include <pthread.h>
#include <stdio.h>

static struct {
  char text[8];
  int status;
} answer;

static void *answers(void *p) {
  answer.status = 200;
  snprintf(answer.text, sizeof answer, "%d: %s", 1234, "okay");  // ERROR(out-of-bounds)!
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, answers, NULL);
  pthread_join(t, NULL);
  return answer.status != 200;
}
