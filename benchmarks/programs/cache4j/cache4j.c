// Cache4j: a synchronised cache of objects that evicts the least recently used one.
// Models:     the Java library of the pairwise and the may-happen-before papers. Two clients put and get; one monitor
//             guards the cache. An entry has a size; the cache has limits of entries and of memory.
// Threads:    main, CLIENTS clients (2 in the papers).
// Size:       564 lines in Java.
// Parameters: CLIENTS, ROUNDS (4 in the paper), KEYS (10 in the paper), ENTRIES_MAX, MEMORY_MAX (1000 in the paper).
// Scaled:     -DROUNDS=8
// State:      clear
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef KEYS
#define KEYS 3
#endif
#ifndef ENTRIES_MAX
#define ENTRIES_MAX 2
#endif
#ifndef MEMORY_MAX
#define MEMORY_MAX 1000
#endif
#define BUCKETS 4

struct Entry {
  int key;
  int value;
  int size;
  long last_used;
  struct Entry* next;
};

struct Information {
  int hits;
  int misses;
  int evictions;
};

struct Cache {
  pthread_mutex_t lock;
  struct Entry* buckets[BUCKETS];
  int entries;
  int memorySize;
  long clock;
  struct Information information;
};

static struct Cache cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct Entry** find_locked(struct Cache* c, int key) {
  struct Entry** place = &c->buckets[key % BUCKETS];
  while (*place && (*place)->key != key) place = &(*place)->next;
  return place;
}

static void remove_locked(struct Cache* c, struct Entry** place) {
  struct Entry* entry = *place;
  *place = entry->next;
  c->entries--;
  c->memorySize -= entry->size;
  free(entry);
}

static struct Entry** oldest_locked(struct Cache* c) {
  struct Entry** oldest = 0;
  for (int i = 0; i < BUCKETS; i++) {
    for (struct Entry** place = &c->buckets[i]; *place; place = &(*place)->next) {
      if (!oldest || (*place)->last_used < (*oldest)->last_used) oldest = place;
    }
  }
  return oldest;
}

static void make_room_locked(struct Cache* c, int size) {
  while (c->entries >= ENTRIES_MAX || c->memorySize + size > MEMORY_MAX) {
    struct Entry** oldest = oldest_locked(c);
    if (!oldest) return;
    remove_locked(c, oldest);
    c->information.evictions++;
  }
}

static int size_of_value(int value) { return 8 + value % 8; }

static void cache_put(struct Cache* c, int key, int value) {
  const int size = size_of_value(value);
  struct Entry* entry = malloc(sizeof *entry);
  if (!entry) abort();
  pthread_mutex_lock(&c->lock);
  struct Entry** place = find_locked(c, key);
  if (*place) remove_locked(c, place);
  make_room_locked(c, size);
  entry->key = key;
  entry->value = value;
  entry->size = size;
  entry->last_used = ++c->clock;
  entry->next = c->buckets[key % BUCKETS];
  c->buckets[key % BUCKETS] = entry;
  c->entries++;
  c->memorySize += size;
  pthread_mutex_unlock(&c->lock);
}

static int cache_get(struct Cache* c, int key, int* value) {
  pthread_mutex_lock(&c->lock);
  struct Entry* entry = *find_locked(c, key);
  if (entry) {
    entry->last_used = ++c->clock;
    *value = entry->value;
    c->information.hits++;
  } else {
    c->information.misses++;
  }
  pthread_mutex_unlock(&c->lock);
  return entry != 0;
}

static void cache_clear(struct Cache* c) {
  pthread_mutex_lock(&c->lock);
  for (int i = 0; i < BUCKETS; i++) {
    while (c->buckets[i]) remove_locked(c, &c->buckets[i]);
  }
  pthread_mutex_unlock(&c->lock);
}

static void* client(void* argument) {
  const int id = *(const int*)argument;
  unsigned random = 17u + 12u * (unsigned)id;
  for (int i = 0; i < ROUNDS; i++) {
    random = random * 1103515245u + 12345u;
    int key = (int)(random / 65536u % KEYS);
    int value = 0;
    if (!cache_get(&cache, key, &value)) cache_put(&cache, key, 100 * key + id);
    if (cache_get(&cache, key, &value)) assert(value / 100 == key);
  }
  return 0;
}

int main(void) {
  pthread_t threads[CLIENTS];
  int ids[CLIENTS];
  for (int i = 0; i < CLIENTS; i++) {
    ids[i] = i;
    pthread_create(&threads[i], 0, client, &ids[i]);
  }
  for (int i = 0; i < CLIENTS; i++) pthread_join(threads[i], 0);
  assert(cache.entries <= ENTRIES_MAX);
  cache_clear(&cache);
  assert(cache.entries == 0 && cache.memorySize == 0);
  return 0;
}
