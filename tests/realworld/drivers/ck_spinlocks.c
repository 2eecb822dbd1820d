/* Two threads count under two kinds of spinlock. */
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static ck_spinlock_ticket_t lock = CK_SPINLOCK_TICKET_INITIALIZER;
static ck_spinlock_fas_t other_lock = CK_SPINLOCK_FAS_INITIALIZER;
static int count, others;

static void* add(void* unused) {
  ck_spinlock_ticket_lock(&lock);
  ++count;
  ck_spinlock_ticket_unlock(&lock);
  ck_spinlock_fas_lock(&other_lock);
  ++others;
  ck_spinlock_fas_unlock(&other_lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, add, NULL);
  add(NULL);
  pthread_join(thread, NULL);
  assert(count == 2 && others == 2);
  return 0;
}
