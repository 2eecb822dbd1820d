// VERDICT: clear
// Stored to, initialised, of zeros, or set before the value decides something. A ticket whose first value is of no
// interest is only handed on.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct state {
  atomic_int stored, initialised, exchanged, masked;
  atomic_uint ticket, last;
};

static atomic_int seen;

static void *uses(void *arg) {
  struct state *state = arg;
  if (atomic_load(&state->stored) == 1) atomic_fetch_add(&seen, 1);
  if (atomic_load(&state->initialised) == 2) atomic_fetch_add(&seen, 1);
  if (atomic_load(&state->exchanged) == 3) atomic_fetch_add(&seen, 1);
  if (atomic_load(&state->masked) == 0) atomic_fetch_add(&seen, 1);
  atomic_store(&state->last, atomic_load(&state->ticket));
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct state *state = malloc(sizeof *state), *zeros = calloc(1, sizeof *zeros);
  if (state == NULL || zeros == NULL) return 1;
  atomic_store(&state->stored, 1);
  atomic_init(&state->initialised, 2);
  atomic_exchange(&state->exchanged, 3);
  atomic_fetch_and(&state->masked, 0);
  atomic_fetch_add(&state->ticket, 1);
  pthread_create(&thread, NULL, uses, state);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, uses, zeros);
  pthread_join(thread, NULL);
  free(state);
  free(zeros);
  return 0;
}
