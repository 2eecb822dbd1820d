// Rep Workers: replicated workers take work items from a shared pool and put new ones into it.
// Models:     the Java framework of the CTC collection, measured by all three papers; its application is adaptive
//             quadrature. Monitors: the pool of work, the pool of results, and the one that main awaits.
// Threads:    main, which coordinates, and WORKERS workers (2 in the papers).
// Size:       436 lines in Java.
// Parameters: WORKERS, ITEMS (first intervals, 2 in the paper), UPPER (10 in the paper), TOLERANCE_PERCENT (5).
// Scaled:     -DWORKERS=2 -DITEMS=2 -DUPPER=5
// State:      clear
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
#ifndef UPPER
#define UPPER 1
#endif
#ifndef TOLERANCE_PERCENT
#define TOLERANCE_PERCENT 5
#endif

struct Work {
  double from;
  double to;
  struct Work* next;
};

struct Pool {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct Work* first;
  int busy;
  int finished;
};

struct Results {
  pthread_mutex_t lock;
  double area;
  int items;
};

struct Coordinator {
  pthread_mutex_t lock;
  pthread_cond_t all_done;
  int workers_done;
};

static struct Pool pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};
static struct Results results = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
static struct Coordinator coordinator = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

static struct Work* make_work(double from, double to) {
  struct Work* work = malloc(sizeof *work);
  if (!work) abort();
  work->from = from;
  work->to = to;
  work->next = 0;
  return work;
}

static void put_locked(struct Pool* p, struct Work* work) {
  work->next = p->first;
  p->first = work;
  pthread_cond_signal(&p->changed);
}

static void pool_put(struct Pool* p, struct Work* work) {
  pthread_mutex_lock(&p->lock);
  put_locked(p, work);
  pthread_mutex_unlock(&p->lock);
}

// The work is over when the pool is empty and no worker is busy, since only a busy worker can make
// more. A worker that is done comes back here, so the last one wakes the others.
static struct Work* pool_take(struct Pool* p) {
  pthread_mutex_lock(&p->lock);
  while (!p->first && p->busy > 0) pthread_cond_wait(&p->changed, &p->lock);
  struct Work* work = p->first;
  if (work) {
    p->first = work->next;
    p->busy++;
  } else {
    assert(p->busy == 0);
    p->finished = 1;
    pthread_cond_broadcast(&p->changed);
  }
  pthread_mutex_unlock(&p->lock);
  return work;
}

static void pool_done(struct Pool* p) {
  pthread_mutex_lock(&p->lock);
  p->busy--;
  pthread_mutex_unlock(&p->lock);
}

static void results_add(struct Results* r, double area) {
  pthread_mutex_lock(&r->lock);
  r->area += area;
  r->items++;
  pthread_mutex_unlock(&r->lock);
}

static double function(double x) { return x * x; }

static double trapezoid(double from, double to) { return (function(from) + function(to)) * (to - from) / 2; }

static void do_work(struct Work* work) {
  double middle = (work->from + work->to) / 2;
  double coarse = trapezoid(work->from, work->to);
  double fine = trapezoid(work->from, middle) + trapezoid(middle, work->to);
  if ((coarse - fine) * 100 <= TOLERANCE_PERCENT) {
    results_add(&results, fine);
  } else {
    pool_put(&pool, make_work(work->from, middle));
    pool_put(&pool, make_work(middle, work->to));
  }
  free(work);
}

static void worker_done(struct Coordinator* c) {
  pthread_mutex_lock(&c->lock);
  c->workers_done++;
  if (c->workers_done == WORKERS) pthread_cond_signal(&c->all_done);
  pthread_mutex_unlock(&c->lock);
}

static void* worker(void* argument) {
  (void)argument;
  struct Work* work;
  while ((work = pool_take(&pool))) {
    do_work(work);
    pool_done(&pool);
  }
  worker_done(&coordinator);
  return 0;
}

static void await_workers(struct Coordinator* c) {
  pthread_mutex_lock(&c->lock);
  while (c->workers_done < WORKERS) pthread_cond_wait(&c->all_done, &c->lock);
  pthread_mutex_unlock(&c->lock);
}

int main(void) {
  pthread_t threads[WORKERS];
  const double step = (double)UPPER / ITEMS;
  for (int i = 0; i < ITEMS; i++) pool_put(&pool, make_work(i * step, (i + 1) * step));
  for (int i = 0; i < WORKERS; i++) pthread_create(&threads[i], 0, worker, 0);
  await_workers(&coordinator);
  assert(pool.finished && !pool.first && pool.busy == 0);
  assert(results.items >= ITEMS);
  const double exact = (double)UPPER * UPPER * UPPER / 3;
  assert(results.area >= exact && results.area - exact < 0.1 * UPPER);
  for (int i = 0; i < WORKERS; i++) pthread_join(threads[i], 0);
  return 0;
}
