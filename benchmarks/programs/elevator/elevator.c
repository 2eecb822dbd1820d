// Elevator: lifts serve the calls of people on the floors.
// Models:     the Java program of the PJBench collection, measured by the pairwise and the may-happen-before papers.
//             Each floor is a monitor with a call up and a call down; the lifts claim calls, main pushes the buttons.
// Threads:    main, LIFTS lifts (2 in the papers).
// Size:       306 lines in Java.
// Parameters: LIFTS, FLOORS (4 in the paper), PRESSES (2 in the paper), STEPS (4 in the paper).
// Scaled:     -DLIFTS=3 -DFLOORS=4 -DPRESSES=2 -DSTEPS=4
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef LIFTS
#define LIFTS 2
#endif
#ifndef FLOORS
#define FLOORS 2
#endif
#ifndef PRESSES
#define PRESSES 2
#endif
#ifndef STEPS
#define STEPS 2
#endif

enum Direction { kIdle, kUp, kDown };
enum Call { kNone, kPressed, kClaimed };

struct Floor {
  pthread_mutex_t lock;
  enum Call up;
  enum Call down;
  int served;
};

struct Lift {
  int floor;
  enum Direction direction;
  int target;
  int peopleMoved;
};

static struct Floor floors[FLOORS];
static struct Lift lifts[LIFTS];

static void push_up(int floor) {
  struct Floor* f = &floors[floor];
  pthread_mutex_lock(&f->lock);
  if (f->up == kNone) f->up = kPressed;
  pthread_mutex_unlock(&f->lock);
}

static void push_down(int floor) {
  struct Floor* f = &floors[floor];
  pthread_mutex_lock(&f->lock);
  if (f->down == kNone) f->down = kPressed;
  pthread_mutex_unlock(&f->lock);
}

static int claim_up(int floor) {
  struct Floor* f = &floors[floor];
  pthread_mutex_lock(&f->lock);
  int claimed = f->up == kPressed;
  if (claimed) f->up = kClaimed;
  pthread_mutex_unlock(&f->lock);
  return claimed;
}

static int claim_down(int floor) {
  struct Floor* f = &floors[floor];
  pthread_mutex_lock(&f->lock);
  int claimed = f->down == kPressed;
  if (claimed) f->down = kClaimed;
  pthread_mutex_unlock(&f->lock);
  return claimed;
}

static void serve(struct Lift* lift) {
  struct Floor* f = &floors[lift->floor];
  pthread_mutex_lock(&f->lock);
  enum Call* call = lift->direction == kUp ? &f->up : &f->down;
  assert(*call == kClaimed);
  *call = kNone;
  f->served++;
  pthread_mutex_unlock(&f->lock);
  lift->peopleMoved++;
  lift->direction = kIdle;
}

static void look_for_call(struct Lift* lift) {
  for (int floor = 0; floor < FLOORS; floor++) {
    if (claim_up(floor)) {
      lift->direction = kUp;
      lift->target = floor;
      return;
    }
    if (claim_down(floor)) {
      lift->direction = kDown;
      lift->target = floor;
      return;
    }
  }
}

static void step(struct Lift* lift) {
  if (lift->direction == kIdle) {
    look_for_call(lift);
  } else if (lift->floor == lift->target) {
    serve(lift);
  } else {
    lift->floor += lift->floor < lift->target ? 1 : -1;
  }
}

static void* run_lift(void* argument) {
  struct Lift* lift = argument;
  for (int i = 0; i < STEPS || lift->direction != kIdle; i++) step(lift);
  return 0;
}

int main(void) {
  pthread_t threads[LIFTS];
  for (int i = 0; i < FLOORS; i++) pthread_mutex_init(&floors[i].lock, 0);
  for (int i = 0; i < LIFTS; i++) pthread_create(&threads[i], 0, run_lift, &lifts[i]);
  for (int i = 0; i < PRESSES; i++) {
    if (i % 2 == 0) {
      push_up(i % (FLOORS - 1));
    } else {
      push_down(FLOORS - 1 - i % (FLOORS - 1));
    }
  }
  for (int i = 0; i < LIFTS; i++) pthread_join(threads[i], 0);
  int moved = 0;
  int served = 0;
  for (int i = 0; i < LIFTS; i++) moved += lifts[i].peopleMoved;
  for (int i = 0; i < FLOORS; i++) served += floors[i].served;
  assert(moved == served);
  assert(moved <= PRESSES);
  return 0;
}
