// SOR: successive over-relaxation on a grid, in red and black half-steps.
// Models:     the Java program of the pairwise paper. Each thread relaxes its rows; a barrier of its own, made of a
//             monitor, separates the half-steps.
// Threads:    main, WORKERS workers (2 in the paper).
// Size:       156 lines in Java.
// Parameters: WORKERS, GRID (5 rows and columns in the paper), ITERATIONS (3 in the paper).
// Scaled:     -DWORKERS=6 -DGRID=8 -DITERATIONS=4
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef GRID
#define GRID 5
#endif
#ifndef ITERATIONS
#define ITERATIONS 3
#endif

struct Barrier {
  pthread_mutex_t lock;
  pthread_cond_t all_here;
  int arrived;
  int phase;
};

struct Worker {
  int id;
  int first_row;
  int end_row;
};

static double grid[GRID][GRID];
static double expected[GRID][GRID];
static struct Barrier barrier = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};

static void barrier_wait(struct Barrier* b) {
  pthread_mutex_lock(&b->lock);
  int phase = b->phase;
  if (++b->arrived == WORKERS) {
    b->arrived = 0;
    b->phase++;
    pthread_cond_broadcast(&b->all_here);
  } else {
    while (b->phase == phase) pthread_cond_wait(&b->all_here, &b->lock);
  }
  pthread_mutex_unlock(&b->lock);
}

static void fill(double cells[GRID][GRID]) {
  for (int row = 0; row < GRID; row++) {
    for (int column = 0; column < GRID; column++) cells[row][column] = (double)(row * 7 + column * 3);
  }
}

static void relax_row(double cells[GRID][GRID], int row, int colour) {
  const double omega = 1.25;
  for (int column = 1 + (row + colour) % 2; column < GRID - 1; column += 2) {
    double around = cells[row - 1][column] + cells[row + 1][column] + cells[row][column - 1] + cells[row][column + 1];
    cells[row][column] += omega * (around / 4.0 - cells[row][column]);
  }
}

static void* work(void* argument) {
  const struct Worker* self = argument;
  for (int iteration = 0; iteration < ITERATIONS; iteration++) {
    for (int row = self->first_row; row < self->end_row; row++) relax_row(grid, row, 0);
    barrier_wait(&barrier);
    for (int row = self->first_row; row < self->end_row; row++) relax_row(grid, row, 1);
    barrier_wait(&barrier);
  }
  return 0;
}

static void relax_alone(void) {
  fill(expected);
  for (int iteration = 0; iteration < ITERATIONS; iteration++) {
    for (int row = 1; row < GRID - 1; row++) relax_row(expected, row, 0);
    for (int row = 1; row < GRID - 1; row++) relax_row(expected, row, 1);
  }
}

int main(void) {
  pthread_t threads[WORKERS];
  struct Worker workers[WORKERS];
  const int rows = GRID - 2;
  fill(grid);
  for (int i = 0; i < WORKERS; i++) {
    workers[i].id = i;
    workers[i].first_row = 1 + rows * i / WORKERS;
    workers[i].end_row = 1 + rows * (i + 1) / WORKERS;
    pthread_create(&threads[i], 0, work, &workers[i]);
  }
  for (int i = 0; i < WORKERS; i++) pthread_join(threads[i], 0);
  relax_alone();
  for (int row = 0; row < GRID; row++) {
    for (int column = 0; column < GRID; column++) assert(grid[row][column] == expected[row][column]);
  }
  return 0;
}
