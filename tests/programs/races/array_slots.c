// VERDICT: clear
// Each thread fills its own slots; main adds them up after joining.
#include <assert.h>
#include <pthread.h>

static int slots[6];

static void *fill(void *arg) {
  int *mine = arg;
  for (int i = 0; i < 3; i++) mine[i] = i;  // NORACE
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, fill, &slots[0]);
  pthread_create(&b, NULL, fill, &slots[3]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  int sum = 0;
  for (int i = 0; i < 6; i++) sum += slots[i];
  assert(sum == 6);
  return 0;
}
