#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>
static mtx_t m; static cnd_t c; static once_flag flag = ONCE_FLAG_INIT; static int ready, inits; static atomic_int hits; static atomic_flag busy = ATOMIC_FLAG_INIT; static thread_local int own = 5; static tss_t key;
static void init(void) { inits++; mtx_init(&m, mtx_plain); cnd_init(&c); tss_create(&key, NULL); }
static int wait_for(void *p) { call_once(&flag, init); tss_set(key, p); mtx_lock(&m); while (!ready) cnd_wait(&c, &m); mtx_unlock(&m); own += *(int *)tss_get(key); while (atomic_flag_test_and_set(&busy)) thrd_yield(); atomic_fetch_add_explicit(&hits, own, memory_order_relaxed); atomic_flag_clear(&busy); return own; }
int main(void) { call_once(&flag, init); thrd_t t[3]; int n[3] = {1, 2, 3}; for (int i = 0; i < 3; i++) thrd_create(&t[i], wait_for, &n[i]); mtx_lock(&m); ready = 1; cnd_broadcast(&c); mtx_unlock(&m); int s = 0; for (int i = 0; i < 3; i++) { int r; thrd_join(t[i], &r); s += r; } printf("%d %d %d %d\n", s, hits, inits, own); mtx_destroy(&m); cnd_destroy(&c); return 0; }
