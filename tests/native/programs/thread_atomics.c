#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; }; static _Atomic(struct node *) top; static atomic_uint_fast64_t sum; static _Atomic uint8_t small; static _Atomic int16_t medium; static atomic_long most; struct wide { long a, b, c; }; static _Atomic struct wide wide;
static void push(int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = atomic_load(&top); while (!atomic_compare_exchange_weak(&top, &n->next, n)) { } }
static void *work(void *p) { int base = (int)(long)p; for (int i = 0; i < 4; i++) { push(base + i); sum += (unsigned)(base * i); small += 100; medium -= 3; long v = base + i, old = atomic_load(&most); while (old < v && !atomic_compare_exchange_strong(&most, &old, v)) { } struct wide w = atomic_load(&wide), n; do { n = w; n.a++; n.c += n.a; } while (!atomic_compare_exchange_strong(&wide, &w, n)); } return NULL; }
int main(void) { pthread_t t[3]; for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, work, (void *)(i * 10)); for (int i = 0; i < 3; i++) pthread_join(t[i], NULL); long s = 0; int n = 0; for (struct node *p = top, *q; p; p = q) { q = p->next; s += p->v; n++; free(p); } struct wide w = wide; printf("%ld %d %lu %d %d %ld %ld %ld\n", s, n, (unsigned long)sum, small, medium, most, w.a, w.c); int x = 5; __atomic_fetch_xor(&x, 3, __ATOMIC_SEQ_CST); int y = __sync_val_compare_and_swap(&x, 6, 9), z = __atomic_exchange_n(&x, 1, __ATOMIC_ACQ_REL); printf("%d %d %d\n", x, y, z); return 0; }
