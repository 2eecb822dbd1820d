// Atomics of all widths and operations, from one thread and from several; an atomic structure; a lock-free stack.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_schar a8;
static _Atomic uint16_t a16;
static atomic_uint a32;
static atomic_llong a64;
static _Atomic(double) real;
static _Atomic float small_real;
static atomic_bool flag_value;
static atomic_flag guard = ATOMIC_FLAG_INIT;
static _Atomic(char *) text;

struct pair { int a, b; };
static _Atomic struct pair both;
struct triple { int a, b, c; };
static _Atomic struct triple three;

struct node { int value; struct node *next; };
static _Atomic(struct node *) top;

static void *work(void *arg) {
  int id = (int)(long)arg;
  for (int i = 0; i < 3; i++) {
    a8++;
    a16 += 1000;
    atomic_fetch_add_explicit(&a32, 70000, memory_order_relaxed);
    a64 -= 5000000000;
    struct pair old = atomic_load(&both), next;
    do next = (struct pair){old.a + 1, old.b - id};
    while (!atomic_compare_exchange_weak(&both, &old, next));
  }
  struct node *n = malloc(sizeof *n);
  n->value = id;
  n->next = atomic_load(&top);
  while (!atomic_compare_exchange_strong(&top, &n->next, n)) {}
  double d = real;
  while (!atomic_compare_exchange_strong(&real, &d, d + id * 0.5)) {}
  while (atomic_flag_test_and_set_explicit(&guard, memory_order_acquire)) {}
  struct triple t = three;
  t.a += id;
  t.c++;
  three = t;
  atomic_flag_clear_explicit(&guard, memory_order_release);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, (void *)(i + 1));
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  struct pair p = both;
  struct triple r = three;
  printf("%d %u %u %lld %g {%d,%d} {%d,%d,%d}\n", a8, a16, a32, (long long)a64, (double)real, p.a, p.b, r.a, r.b, r.c);
  int sum = 0, count = 0;
  for (struct node *n = top, *next; n; n = next, count++) {
    sum += n->value;
    next = n->next;
    free(n);
  }
  printf("%d %d\n", sum, count);
  printf("%u ", atomic_exchange(&a32, 0xf0f0f0f0u));
  printf("%x ", atomic_fetch_and(&a32, 0xff00ff00u));
  printf("%x ", atomic_fetch_or(&a32, 0x000000ffu));
  printf("%x ", atomic_fetch_xor(&a32, 0xffffffffu));
  printf("%x ", atomic_fetch_sub(&a32, 1));
  printf("%x\n", a32);
  a8 = 127;
  a8++;
  a16 = 65535;
  a16 += 2;
  printf("%d %d %d\n", a8, a16, a16++);
  uint16_t expected = 5;
  printf("%d %d ", atomic_compare_exchange_strong(&a16, &expected, 9), expected);
  printf("%d %d\n", atomic_compare_exchange_strong(&a16, &expected, 9), a16);
  real *= 3;
  small_real = 1.5f;
  small_real += 2;
  flag_value = 17;
  text = "abcdef";
  text = text + 3;
  atomic_thread_fence(memory_order_seq_cst);
  printf("%g %g %d %s\n", (double)real, (double)small_real, flag_value, (char *)text);
  printf("%d %d\n", __atomic_fetch_nand(&sum, 6, __ATOMIC_SEQ_CST), sum);
  printf("%d %d %d\n", __sync_fetch_and_add(&count, 5), __sync_val_compare_and_swap(&count, 7, 100), count);
  printf("%d %d\n", atomic_is_lock_free(&a64), __atomic_add_fetch(&count, -1, __ATOMIC_RELAXED));
  __int128 wide = 1;
  printf("%zu %d\n", sizeof wide, (int)(wide << 3));
  return 0;
}
