// A flag begins anew where its initial value is stored: by assignment, by a copy of its structure, by memset.
#include <assert.h>
#include <string.h>
#include <threads.h>

struct Slot {
  int runs;
  once_flag flag;
};
static const struct Slot fresh = {0, ONCE_FLAG_INIT};
static struct Slot slots[2];
static int ran;

static void run(void) { ran++; }

static int worker(void *slot) {
  call_once(&((struct Slot *)slot)->flag, run);
  return 0;
}

static void use(struct Slot *slot) {
  thrd_t thread;
  thrd_create(&thread, worker, slot);
  call_once(&slot->flag, run);
  thrd_join(thread, NULL);
  call_once(&slot->flag, run);
}

int main(void) {
  use(&slots[1]);
  assert(ran == 1);
  memcpy(&slots[1], &fresh, sizeof fresh);
  use(&slots[1]);
  assert(ran == 2);
  slots[0] = slots[1];
  slots[0].flag = (once_flag)ONCE_FLAG_INIT;
  use(&slots[0]);
  assert(ran == 3);
  return 0;
}
