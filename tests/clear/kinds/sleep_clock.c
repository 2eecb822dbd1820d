// Sleeping moves the clock.
// STATEMENT:
// STATEMENT: sleep(1);
// STATEMENT: sleep(3);
// STATEMENT: usleep(3000000);
// STATEMENT: nanosleep(&(struct timespec){5, 0}, 0);
#include "all.h"

int x; 
HELPERS
static void *w(void *p) { time_t a = time(0); STATEMENT time_t b = time(0); if (b - a >= 2) x++; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
