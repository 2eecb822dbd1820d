#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct range { int *v; int n; }; static void *sort(void *p) { struct range *r = p; if (r->n < 2) return NULL; int h = r->n / 2; struct range a = {r->v, h}, b = {r->v + h, r->n - h}; if (r->n > 8) { pthread_t t; pthread_create(&t, NULL, sort, &a); sort(&b); pthread_join(t, NULL); } else { sort(&a); sort(&b); } int *w = malloc(r->n * sizeof *w); for (int i = 0, x = 0, y = 0; i < r->n; i++) w[i] = y >= b.n || (x < a.n && a.v[x] <= b.v[y]) ? a.v[x++] : b.v[y++]; for (int i = 0; i < r->n; i++) r->v[i] = w[i]; free(w); return NULL; }
int main(void) { int v[40]; unsigned x = 3; for (int i = 0; i < 40; i++) { x = x * 1103515245 + 12345; v[i] = x >> 20 & 511; } struct range r = {v, 40}; pthread_t t; pthread_create(&t, NULL, sort, &r); pthread_join(t, NULL); int bad = 0; for (int i = 1; i < 40; i++) bad += v[i - 1] > v[i]; printf("%d %d %d %d\n", bad, v[0], v[20], v[39]); return bad; }
