// VERDICT: clear
// Texts and bytes that fit into their members, one right after the other, and into whole objects.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

struct record {
  char name[3];
  char kind;
  wchar_t wide[3], last;
};

static void *fills(void *arg) {
  struct record r = {{0}, 7, {0}, 7};
  assert(sscanf("ab7", "%2s%c", r.name, &r.kind) == 2);
  assert(strcmp(r.name, "ab") == 0 && r.kind == '7');
  assert(sscanf("abc", "%3c", r.name) == 1);
  assert(sscanf("xy", "%2[xyz]", &r.name[0]) == 1);
  assert(swscanf(L"ab", L"%2ls", r.wide) == 1 && r.last == 7);
  wcscpy(r.wide, L"cd");
  (void)!read(0, r.name, sizeof r.name);
  (void)!read(0, &r, sizeof r);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, fills, NULL);
  pthread_join(t, NULL);
  return 0;
}
