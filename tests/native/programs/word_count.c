// A hash table with chaining counts the words of a text.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  char *word;
  int count;
  struct entry *next;
};

#define BUCKETS 17
static struct entry *table[BUCKETS];

static unsigned hash(const char *s) {
  unsigned h = 2166136261u;
  for (; *s; s++) h = (h ^ (unsigned char)*s) * 16777619u;
  return h;
}

static void add(const char *word) {
  struct entry **slot = &table[hash(word) % BUCKETS];
  for (; *slot; slot = &(*slot)->next) {
    if (strcmp((*slot)->word, word) == 0) {
      (*slot)->count++;
      return;
    }
  }
  *slot = calloc(1, sizeof **slot);
  (*slot)->word = strdup(word);
  (*slot)->count = 1;
}

static int by_count(const void *a, const void *b) {
  const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
  if (x->count != y->count) return y->count - x->count;
  return strcmp(x->word, y->word);
}

int main(void) {
  const char *text = "The quick brown fox jumps over the lazy dog. The dog barks; the fox runs! A fox's "
                     "life, a dog's life: who's to say? 'Tis the QUICK and the lazy.";
  char word[32];
  size_t n = 0;
  for (const char *p = text;; p++) {
    if (isalpha((unsigned char)*p) || *p == '\'') {
      if (n < sizeof word - 1) word[n++] = (char)tolower((unsigned char)*p);
    } else if (n > 0) {
      word[n] = '\0';
      add(word);
      n = 0;
    }
    if (!*p) break;
  }
  struct entry *all[64];
  size_t count = 0;
  for (int i = 0; i < BUCKETS; i++)
    for (struct entry *e = table[i]; e; e = e->next) all[count++] = e;
  qsort(all, count, sizeof all[0], by_count);
  for (size_t i = 0; i < count; i++) printf("%-8s %d\n", all[i]->word, all[i]->count);
  for (size_t i = 0; i < count; i++) {
    free(all[i]->word);
    free(all[i]);
  }
  return (int)count;
}
