// A relaxed reader finds a value that two stores wrote, not the one stored last.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int x, y;
static void *writer(void *a) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 3, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return a;
}
static void *reader(void *a) {
    if (atomic_load_explicit(&y, memory_order_relaxed))
        assert(atomic_load_explicit(&x, memory_order_relaxed) != 1);
    return a;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
