/* Two threads push an entry each and pop one. */
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2];

static void* push_and_pop(void* entry) {
  ck_stack_push_upmc(&stack, entry);
  return ck_stack_pop_upmc(&stack);
}

int main(void) {
  pthread_t thread;
  void *one, *two;
  pthread_create(&thread, NULL, push_and_pop, &entries[0]);
  two = push_and_pop(&entries[1]);
  pthread_join(thread, &one);
  assert(one != NULL && two != NULL && one != two);
  return 0;
}
