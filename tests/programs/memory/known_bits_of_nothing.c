// VERDICT: clear
// Only bits decide that are known, although the others were never written.
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int in_place(void) {
  int count = 0, x, y, sum;
  x |= 4;
  if (x & 4) ++count;
  x &= ~8;
  if (!(x & 8)) ++count;
  y &= 0;
  if (y == 0) ++count;
  unsigned z;
  z >>= 31;
  if (z < 2) ++count;
  z <<= 31;
  if ((z & 1) == 0) ++count;
  unsigned char *byte = malloc(1), other = 0;
  *byte |= 1;
  if (*byte & 1) ++count;
  *byte &= 1;
  if (*byte == 1) ++count;
  sum = *byte & other;
  if (sum == 0) ++count;
  free(byte);
  return count;
}

static int in_parts(void) {
  int count = 0, array[4];
  char text[8];
  text[0] = 'a';
  text[1] = 0;
  unsigned long word;
  memcpy(&word, text, sizeof word);
  if ((word & 0xffff) == 'a') ++count;
  array[0] = 1;
  array[1] = 2;
  if (array[0] + array[1] == 3) ++count;
  unsigned short half;
  ((unsigned char *)&half)[0] = 3;
  if ((half & 0xff) == 3) ++count;
  unsigned number;
  ((unsigned char *)&number)[3] = 3;
  if (number >> 24 == 3 && number >= 0x3000000 && number < 0x4000000 && number != 7) ++count;
  return count;
}

static void *works(void *p) {
  int *count = p;
  *count = in_place() + in_parts();
  return p;
}

int main(void) {
  pthread_t t;
  int count = 0;
  pthread_create(&t, NULL, works, &count);
  pthread_join(t, NULL);
  return count == 12 ? 0 : 1;
}
