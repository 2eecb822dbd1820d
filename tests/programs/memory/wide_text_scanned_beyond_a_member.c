// The same with wide characters.
#include <pthread.h>
#include <wchar.h>

struct record {
  wchar_t name[3];
  wchar_t kind;
};

static void *fills(void *arg) {
  struct record r = {{0}, 7};
  swscanf(L"abcdef", L"%3ls", r.name);  // ERROR(out-of-bounds)!
  return r.kind == 7 ? arg : NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, fills, NULL);
  pthread_join(t, NULL);
  return 0;
}
