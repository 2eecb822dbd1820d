// Items of a slab, made by a wrapper of malloc: one thread sets a flag under the item's lock, another one reads it
// without.
#include <pthread.h>
#include <stdlib.h>

typedef struct item {
  pthread_mutex_t lock;
  int size;
  int flags;
} item;

static void *get_memory(size_t size) {
  void *memory = malloc(size);
  if (!memory) abort();
  return memory;
}

static item *new_item(int size) {
  item *it = get_memory(sizeof *it);
  pthread_mutex_init(&it->lock, NULL);
  it->size = size;
  it->flags = 0;
  return it;
}

static void *link_item(void *argument) {
  item *it = argument;
  pthread_mutex_lock(&it->lock);
  it->flags |= 1;
  pthread_mutex_unlock(&it->lock);
  return NULL;
}

static void *look_at(void *argument) {
  item *it = argument;
  return it->flags & 1 ? it : NULL;
}

int main(void) {
  item *it = new_item(3);
  pthread_t linker, looker;
  pthread_create(&linker, NULL, link_item, it);
  pthread_create(&looker, NULL, look_at, it);
  pthread_join(linker, NULL);
  pthread_join(looker, NULL);
  pthread_mutex_destroy(&it->lock);
  free(it);
  return 0;
}
