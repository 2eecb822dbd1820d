// search.h and fnmatch.h: a tree of words, a table of their counts, patterns of file names.
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const words[] = {"the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog", "quick"};
enum { WORDS = sizeof words / sizeof *words };

static int compare(const void* a, const void* b) { return strcmp(a, b); }

static int shown;
static void show(const void* node, VISIT visit, int depth) {
  (void)depth;
  if (visit == postorder || visit == leaf) printf("%s%s", shown++ ? " " : "", *(const char* const*)node);
}
static void count(const void* node, VISIT visit, void* closure) {
  if (visit == postorder || visit == leaf) *(size_t*)closure += strlen(*(const char* const*)node);
}
static void forget(void* key) { free(key); }

static void trees(void) {
  void* root = NULL;
  int known = 0;
  for (int n = 0; n < WORDS; n++) {
    char* const copy = strdup(words[n]);
    char** const found = tsearch(copy, &root, compare);
    if (*found != copy) known++, free(copy);
  }
  twalk(root, show);
  size_t letters = 0;
  twalk_r(root, count, &letters);
  printf("\nknown %d, letters %zu, fox %d, cat %d\n", known, letters, tfind("fox", &root, compare) != NULL,
         tfind("cat", &root, compare) != NULL);
  const char* const gone[] = {"quick", "the", "brown", "cat"};
  for (int n = 0; n < 4; n++) {
    char** const found = tfind(gone[n], &root, compare);
    char* const key = found ? *found : NULL;
    printf("delete %s %d\n", gone[n], tdelete(gone[n], &root, compare) != NULL);
    free(key);
  }
  shown = 0;
  twalk(root, show);
  printf("\n");
  tdestroy(root, forget);
}

static void tables(void) {
  printf("create %d\n", hcreate(5));
  for (int n = 0; n < WORDS; n++) {
    const ENTRY wanted = {(char*)words[n], (void*)1};
    ENTRY* found = hsearch(wanted, FIND);
    if (found) {
      found->data = (char*)found->data + 1;
    } else if (!hsearch(wanted, ENTER)) {
      printf("full at %s: %s\n", words[n], strerror(errno));
      break;
    }
  }
  for (int n = 0; n < 6; n++) {
    const ENTRY* const found = hsearch((ENTRY){(char*)words[n], NULL}, FIND);
    printf("%s %ld\n", words[n], found ? (long)found->data : 0L);
  }
  hdestroy();
  struct hsearch_data own = {0};
  ENTRY* found = NULL;
  printf("own %d", hcreate_r(10, &own));
  printf(" %d", hsearch_r((ENTRY){"key", "value"}, ENTER, &found, &own));
  printf(" %d %s", hsearch_r((ENTRY){"key", NULL}, FIND, &found, &own), (char*)found->data);
  printf(" %d\n", hsearch_r((ENTRY){"other", NULL}, FIND, &found, &own));
  hdestroy_r(&own);
}

static void patterns(void) {
  static const struct {
    const char *pattern, *text;
    int flags;
  } cases[] = {{"*.c", "main.c", 0},
               {"*.c", "main.cc", 0},
               {"m?in.[ch]", "main.h", 0},
               {"[!a-c]*", "dog", 0},
               {"[!a-c]*", "cat", 0},
               {"*", "a/b", FNM_PATHNAME},
               {"*", "a/b", 0},
               {"*", ".hidden", FNM_PERIOD},
               {"A*", "abc", FNM_CASEFOLD},
               {"a\\*", "a*", 0},
               {"a\\*", "a\\b", FNM_NOESCAPE},
               {"src", "src/x", FNM_LEADING_DIR},
               {"[[:digit:]]?", "7x", 0},
               {"", "", 0},
               {"[", "[", 0}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
    printf("%s %s: %d\n", cases[n].pattern, cases[n].text,
           fnmatch(cases[n].pattern, cases[n].text, cases[n].flags) == FNM_NOMATCH);
}

int main(void) {
  trees();
  tables();
  patterns();
  return 0;
}
