// VERDICT: clear
// Padding, members of a union and fields that nobody asks for may stay unwritten when a structure is copied.
#include <pthread.h>
#include <stddef.h>

struct padded {
  char kind;
  int value;
  char last;
};
struct tagged {
  int tag;
  union {
    int small;
    long large;
  };
};
struct pair {
  int used, unused;
};

static struct padded all[2];
static struct tagged tagged;
static struct pair pair;

static struct padded make(int value) {
  struct padded made;
  made.kind = 'a';
  made.value = value;
  made.last = 'z';
  return made;
}

static void *works(void *p) {
  all[0] = make(1);
  struct padded copy = all[0];
  all[1] = copy;
  struct tagged one;
  one.tag = 1;
  one.small = 2;
  tagged = one;
  struct pair two;
  two.used = 3;
  pair = two;
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return all[1].value + all[1].last == 'z' + 1 && tagged.small == 2 && pair.used == 3 ? 0 : 1;
}
