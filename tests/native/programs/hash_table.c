#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { char *key; int value; struct entry *next; }; struct table { struct entry **slots; size_t capacity, count; };
static unsigned hash(const char *s) { unsigned h = 2166136261u; while (*s) h = (h ^ (unsigned char)*s++) * 16777619u; return h; }
static void grow(struct table *t) { size_t c = t->capacity ? t->capacity * 2 : 4; struct entry **s = calloc(c, sizeof *s); for (size_t i = 0; i < t->capacity; i++) for (struct entry *e = t->slots[i], *n; e; e = n) { n = e->next; unsigned h = hash(e->key) % c; e->next = s[h]; s[h] = e; } free(t->slots); t->slots = s; t->capacity = c; }
static int *get(struct table *t, const char *k) { if (t->count >= t->capacity) grow(t); struct entry **at = &t->slots[hash(k) % t->capacity]; for (struct entry *e = *at; e; e = e->next) if (!strcmp(e->key, k)) return &e->value; struct entry *e = malloc(sizeof *e); *e = (struct entry){strdup(k), 0, *at}; *at = e; t->count++; return &e->value; }
int main(void) {
  struct table t = {0}; char k[16]; unsigned x = 7; for (int i = 0; i < 2000; i++) { x = x * 69069 + 1; snprintf(k, sizeof k, "k%u", (x >> 20) % 300); ++*get(&t, k); }
  int most = 0, sum = 0; for (size_t i = 0; i < t.capacity; i++) for (struct entry *e = t.slots[i]; e; e = e->next) { sum += e->value; if (e->value > most) most = e->value; }
  printf("%zu %zu %d %d\n", t.count, t.capacity, sum, most); for (size_t i = 0; i < t.capacity; i++) for (struct entry *e = t.slots[i], *n; e; e = n) { n = e->next; free(e->key); free(e); } free(t.slots); return most;
}
