// The processor's CRC-32C, of each size, against the sum bit by bit.
#include <assert.h>
#include <nmmintrin.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static uint32_t plain(const char *text, size_t size) {
  uint32_t sum = ~0u;
  for (size_t n = 0; n < size; n++) {
    sum ^= (unsigned char)text[n];
    for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0x82f63b78u : 0);
  }
  return ~sum;
}

__attribute__((target("sse4.2,crc32"))) static void *worker(void *arg) {
  const char *const text = arg;
  uint64_t eight, sum = ~0u;
  uint32_t four;
  uint16_t two;
  memcpy(&eight, text, 8);
  memcpy(&four, text + 8, 4);
  memcpy(&two, text + 12, 2);
  sum = _mm_crc32_u64(sum, eight);
  sum = _mm_crc32_u32((uint32_t)sum, four);
  sum = _mm_crc32_u16((uint32_t)sum, two);
  sum = _mm_crc32_u8((uint32_t)sum, (unsigned char)text[14]);
  assert(~(uint32_t)sum == plain(text, 15));
  assert(plain("123456789", 9) == 0xe3069283u);
  return NULL;
}

int main(void) {
  static char text[] = "fifteen letters";
  pthread_t t;
  pthread_create(&t, 0, worker, text);
  pthread_join(t, 0);
  return 0;
}
