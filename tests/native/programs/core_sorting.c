#include <stdio.h>
#include <string.h>
static unsigned seed = 12345; static int random_number(void) { seed = seed * 1664525 + 1013904223; return (int)(seed >> 8) % 10000; }
static void bubble(int *v, int n) { for (int i = 0; i < n; i++) for (int k = 0; k + 1 < n - i; k++) if (v[k] > v[k + 1]) { int t = v[k]; v[k] = v[k + 1]; v[k + 1] = t; } }
static void quick(int *v, int n) { if (n < 2) return; int p = v[n / 2], i = 0, k = n - 1; while (i <= k) { while (v[i] < p) i++; while (v[k] > p) k--; if (i <= k) { int t = v[i]; v[i++] = v[k]; v[k--] = t; } } quick(v, k + 1); quick(v + i, n - i); }
static void merge(int *v, int n, int *w) { if (n < 2) return; int h = n / 2; merge(v, h, w); merge(v + h, n - h, w); memcpy(w, v, n * sizeof *v); for (int i = 0, a = 0, b = h; i < n; i++) v[i] = b >= n || (a < h && w[a] <= w[b]) ? w[a++] : w[b++]; }
static void sift(int *v, int i, int n) { for (;;) { int c = 2 * i + 1; if (c >= n) return; if (c + 1 < n && v[c + 1] > v[c]) c++; if (v[i] >= v[c]) return; int t = v[i]; v[i] = v[c]; v[c] = t; i = c; } }
static void heap(int *v, int n) { for (int i = n / 2; i-- > 0;) sift(v, i, n); while (--n > 0) { int t = v[0]; v[0] = v[n]; v[n] = t; sift(v, 0, n); } }
int main(void) { int a[300], b[300], c[300], d[300], w[300]; for (int i = 0; i < 300; i++) a[i] = b[i] = c[i] = d[i] = random_number(); bubble(a, 300); quick(b, 300); merge(c, 300, w); heap(d, 300); printf("%d %d %d\n", memcmp(a, b, sizeof a), memcmp(a, c, sizeof a), memcmp(a, d, sizeof a)); for (int i = 0; i < 300; i += 37) printf("%d ", a[i]); puts(""); return a[0] & 63; }
