// Linked List: two builders append their numbers to one list.
// Models:     the Java program of the thesis on value schedules and of the may-happen-before paper (its bug: appending
//             is not atomic). The mended form: finding the end and linking are one critical section.
// Threads:    main, BUILDERS builders (2 in the papers).
// Size:       117 lines in Java.
// Parameters: BUILDERS, NUMBERS (per builder).
// Scaled:     -DBUILDERS=4 -DNUMBERS=3
// State:      clear
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef BUILDERS
#define BUILDERS 2
#endif
#ifndef NUMBERS
#define NUMBERS 3
#endif

struct Node {
  int number;
  struct Node* next;
};

struct List {
  pthread_mutex_t lock;
  struct Node head;
};

static struct List list = {PTHREAD_MUTEX_INITIALIZER, {0, 0}};

static struct Node* find_last_locked(struct List* l) {
  struct Node* node = &l->head;
  while (node->next) node = node->next;
  return node;
}

static void append(struct List* l, int number) {
  struct Node* node = malloc(sizeof *node);
  if (!node) abort();
  node->number = number;
  node->next = 0;
  pthread_mutex_lock(&l->lock);
  struct Node* last = find_last_locked(l);
  last->next = node;
  pthread_mutex_unlock(&l->lock);
}

static void* build(void* argument) {
  const int first = *(const int*)argument;
  for (int i = 0; i < NUMBERS; i++) append(&list, first + i);
  return 0;
}

int main(void) {
  pthread_t threads[BUILDERS];
  int firsts[BUILDERS];
  for (int i = 0; i < BUILDERS; i++) {
    firsts[i] = i * NUMBERS;
    pthread_create(&threads[i], 0, build, &firsts[i]);
  }
  for (int i = 0; i < BUILDERS; i++) pthread_join(threads[i], 0);
  int size = 0;
  for (struct Node* node = list.head.next; node;) {
    struct Node* next = node->next;
    size++;
    free(node);
    node = next;
  }
  assert(size == BUILDERS * NUMBERS);
  return 0;
}
